// Package golden compares what tests get with files that somebody has read and found right.
// With the flag -update of go test it writes the files instead: read the diff. Only tests
// import it.
package golden

import (
	"flag"
	"os"
	"testing"

	"example.com/suite/result"
	"github.com/rogpeppe/go-internal/diff"
)

var update = flag.Bool("update", false, "write the files that tests compare with; read the diff")

// Updating reports whether files are to be written.
func Updating() bool { return *update }

// Check fails a test if got is not the content of the file, byte by byte.
func Check(t testing.TB, file, got string) {
	t.Helper()
	if lines := diff.Diff("want", []byte(Want(t, file, got)), "got", []byte(got)); lines != nil {
		t.Errorf("%s:\n%s", file, lines)
	}
}

// Want returns the content of the file. With -update it writes got to the file first.
func Want(t testing.TB, file, got string) string {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	return string(want)
}

// Document reads a recorded result.
func Document(t testing.TB, file string) *result.Document {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	doc, err := result.Read(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return doc
}
