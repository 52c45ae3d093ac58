package result

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"testing"

	"example.com/suite/internal/spill"
)

// stored is a document with rows of several lengths, some of them with gaps and pairs.
func stored() *Document {
	doc := &Document{Schema: Schema, Suites: []Suite{{Name: "s"}}, Cases: []Case{}}
	for i := range 20 {
		rows := func(from int) Samples {
			s := Samples{Columns: map[string]Column{}}
			for row := range i * 40 {
				s.Launch, s.Block, s.At = append(s.Launch, row/100), append(s.Block, row/10), append(s.At, float64(from+row)/3)
				gap := float64(row)
				if row%7 == 0 {
					gap = math.NaN()
				}
				s.Columns["time"], s.Columns["gcs"] = append(s.Columns["time"], 1/float64(from+row+1)), append(s.Columns["gcs"], gap)
			}
			return s
		}
		c := Case{Suite: "s", Name: fmt.Sprint(i), Samples: rows(0)}
		if i%3 == 0 {
			c.Pairs = &Pairs{Base: "b", Samples: rows(1000)}
			for row := range c.Samples.Len() {
				c.Pairs.First = append(c.Pairs.First, row%2)
			}
		}
		doc.Cases = append(doc.Cases, c)
	}
	return doc
}

// Rows in the file of a store are the same rows, also after they were forgotten, and a
// document is written from them to the last byte.
func TestRowsInAFileAreTheSame(t *testing.T) {
	var want bytes.Buffer
	if err := Write(&want, stored()); err != nil {
		t.Fatal(err)
	}
	if f, err := spill.New(t.TempDir()); errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	} else if err == nil {
		f.Close()
	}
	for _, limit := range []int{0, 100_000, math.MaxInt} {
		doc := stored()
		dir := t.TempDir()
		s := NewStore(dir)
		s.limit = limit
		moved := 0
		for i := range doc.Cases {
			c := &doc.Cases[i]
			s.Keep(c)
			s.Keep(c) // once more changes nothing
			if c.Samples.stored != nil {
				moved++
			}
		}
		s.Close()
		if s.err != errClosed {
			t.Fatal(s.err)
		}
		for range 2 {
			var got bytes.Buffer
			if err := Write(&got, doc); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("with %d bytes in memory the document differs: %v", limit, err)
			}
		}
		if isAll, isNone := moved == len(doc.Cases)-1, moved == 0; isAll != (limit == 0) || isNone != (limit == math.MaxInt) {
			t.Errorf("with %d bytes in memory %d of %d cases were moved", limit, moved, len(doc.Cases))
		}
	}
}

// A folder in which no file can be made costs memory, and nothing else.
func TestRowsStayInMemoryWithoutAFile(t *testing.T) {
	doc := stored()
	s := NewStore(t.TempDir() + "/nowhere")
	s.limit = 0
	for i := range doc.Cases {
		s.Keep(&doc.Cases[i])
		doc.Cases[i].Forget()
	}
	var got, want bytes.Buffer
	if err := Write(&got, doc); err != nil {
		t.Fatal(err)
	}
	if err := Write(&want, stored()); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("the document differs: %v", err)
	}
}
