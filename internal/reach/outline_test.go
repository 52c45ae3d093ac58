package reach

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/testfile"
)

// TestAClosedPackageIsReadOnce takes away the archive of a package that was read: it is known as long as its content, and
// all else that its outline depends on, is the same.
func TestAClosedPackageIsReadOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	testfile.Write(t, file, archiveOf(smallObject()))
	read := Archive{Path: "read/once", File: file, Content: "c"}
	finders := newFinders(nil)
	if k, objects := finders.outline(read, true); k.err != nil || len(objects) != 1 {
		t.Fatalf("%d objects, %v", len(objects), k.err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if k, objects := finders.outline(read, true); k.err != nil || objects != nil {
		t.Errorf("a closed package is read twice: %v", k.err)
	}
	for what, change := range map[string]func(*Archive){
		"path":     func(a *Archive) { a.Path = "another" },
		"content":  func(a *Archive) { a.Content = "d" },
		"unknown":  func(a *Archive) { a.Content = "" },
		"standard": func(a *Archive) { a.Standard = true },
		"needs":    func(a *Archive) { a.Needs = []string{execPackage} },
	} {
		other := read
		change(&other)
		if k, _ := finders.outline(other, true); k.err == nil {
			t.Errorf("%s: the outline of another package", what)
		}
	}
	if k, _ := finders.outline(read, false); k.err == nil {
		t.Error("a package that is not closed has no objects")
	}
	finders.reflects = "another"
	if k, _ := finders.outline(read, true); k.err == nil {
		t.Error("the outline in a program with another package reflect")
	}
}
