package result_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"example.com/suite/result"
)

// A large document is neither kept as text while it is read, nor put together as text
// before it is written: that took seven and four times its size.
func TestAllocationsOfALargeDocument(t *testing.T) {
	doc := read(t, recorded(t)["one.json"])
	one := doc.Cases[0]
	doc.Cases = nil
	for i := range 500 {
		c := one
		c.Name = fmt.Sprintf("case/%d", i)
		doc.Cases = append(doc.Cases, c)
	}
	var text bytes.Buffer
	if err := result.Write(&text, doc); err != nil {
		t.Fatal(err)
	}
	size := text.Len()
	allocated := func(do func() error) int {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := do(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	reading := allocated(func() error { _, err := result.Read(&text); return err })
	writing := allocated(func() error { return result.Write(io.Discard, doc) })
	t.Logf("%d bytes: reading allocates %d, writing %d", size, reading, writing)
	if reading > 3*size || writing > size {
		t.Errorf("%d bytes: reading allocates %d, writing %d", size, reading, writing)
	}
}
