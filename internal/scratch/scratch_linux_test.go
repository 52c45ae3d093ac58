package scratch

import (
	"os"
	"strings"
	"testing"
)

func TestAFullDiskIsNamedBehindAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	if got := Lost(full); !strings.Contains(got, "/dev has no room: no space left on device") {
		t.Errorf("%q", got)
	}
	f, err := New("suite-test-*")
	if err != nil {
		t.Fatal(err)
	}
	defer Discard(f)
	f.WriteString("all of it")
	if got := Lost(f); got != "" || Tail(f) != "all of it" {
		t.Errorf("%q behind %q", got, Tail(f))
	}
}
