package prepare

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Code that go takes from this tree by its absolute path is the same on both sides.
func TestReplaced(t *testing.T) {
	t.Parallel()
	here := t.TempDir()
	there := filepath.Join(here, ".cache", "base")
	for name, test := range map[string]struct {
		file, text, want string
	}{
		"absolute":    {"go.mod", "module m\nreplace example.org/a => " + here + "/a\n", "a"},
		"of the base": {"go.mod", "module m\nreplace example.org/a => " + there + "/a\n", ""},
		"relative":    {"go.mod", "module m\nreplace example.org/a => ../a\n", ""},
		"a version":   {"go.mod", "module m\nreplace example.org/a => example.org/b v1.0.0\n", ""},
		"elsewhere":   {"go.mod", "module m\nreplace example.org/a => /elsewhere/a\n", ""},
		"workspace":   {"../go.work", "go 1.26.0\nuse " + here + "/b\n", "b"},
	} {
		dir := filepath.Join(there, "sub")
		if err := os.RemoveAll(there); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, test.file), []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		u := &unchanged{comparison: new(comparison), plan: &spec.Plan{Other: &spec.Plan{Dir: dir}}, other: &tree.Tree{Root: there, Own: here}}
		c := &spec.Case{Kind: result.KindGo, GoTest: new(spec.GoTest), Other: &spec.Other{Case: spec.Case{GoTest: &spec.GoTest{Dir: dir}}}}
		why := u.replaced(c)
		if (why == nil) != (test.want == "") || why != nil && (why.Subject != test.want || !why.IsShared()) {
			t.Errorf("%s: %+v, want %q", name, why, test.want)
		}
		if why := u.replaced(&spec.Case{Kind: result.KindCommand}); why != nil {
			t.Errorf("%s: %+v of a command", name, why)
		}
	}
}
