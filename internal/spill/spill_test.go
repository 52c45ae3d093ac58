package spill

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

func TestBytesStayWhatTheyAre(t *testing.T) {
	dir := t.TempDir()
	f, err := New(dir)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	var added []*Block
	for i, size := range []int{0, 1, os.Getpagesize(), os.Getpagesize() + 1, segment - 1, segment + 1, 10} {
		text := bytes.Repeat([]byte{byte(i + 1)}, size)
		in, err := f.Add(text)
		if err != nil {
			t.Fatal(err)
		}
		all, added = append(all, text), append(added, in)
	}
	for range 2 {
		for i := range all {
			if !bytes.Equal(all[i], added[i].Bytes) || cap(added[i].Bytes) != len(all[i]) {
				t.Errorf("text %d of %d bytes has changed", i, len(all[i]))
			}
			added[i].Forget()
		}
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("files %v, %v", left, err)
	}
}

func TestNoFolderIsAnError(t *testing.T) {
	if f, err := New(t.TempDir() + "/nowhere"); err == nil {
		t.Errorf("%v", f)
	}
}
