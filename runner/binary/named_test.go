package binary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// names returns the paths of files, joined.
func names(files []result.NamedFile) string {
	var all []string
	for _, f := range files {
		all = append(all, f.Path)
	}
	return strings.Join(all, " ")
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, path, text)
	}
}

func TestNamedFiles(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"w.sh": ". ./lib.sh\n", "lib.sh": "sleep 1 # see other.txt\n", "other.txt": "x", "in.bin": "lib.sh\x00", "unnamed": "",
		"py/main.py": "import helper\n", "py/helper.py": "", "data/a": "1", "data/b/c": "2", ".git/x": "",
	})
	for _, test := range []struct {
		n    Naming
		want string
	}{
		{Naming{Words: []string{"w.sh"}}, "lib.sh other.txt w.sh"},
		{Naming{Lines: []string{"exec ./w.sh >in.bin 2>>unnamed"}}, "lib.sh other.txt w.sh"},
		{Naming{Words: []string{"-c", ". ./w.sh"}}, "lib.sh other.txt w.sh"},
		{Naming{Words: []string{"--config=other.txt", "-funnamed", "@in.bin"}}, "in.bin other.txt unnamed"},
		{Naming{Words: []string{"other.txt:in.bin"}}, "in.bin other.txt"},
		{Naming{Words: []string{"py/main.py"}}, "py/helper.py py/main.py"},
		{Naming{Words: []string{"data"}}, "data/a data/b/c"},
		{Naming{Lines: []string{"echo x >>unnamed; wc -l <unnamed; cat other.txt"}}, "other.txt"},
		{Naming{Lines: []string{"cat data/* | sort"}}, "data/a"},
		{Naming{Patterns: []string{filepath.ToSlash(dir) + "/data/**"}}, "data/a data/b/c"},
		{Naming{Program: filepath.Join(dir, "w.sh")}, "lib.sh other.txt"},
		{Naming{Words: []string{"none", "-", "", "/", "..", "a\x00b"}}, ""},
	} {
		n := test.n
		n.Dir, n.Cwd = dir, dir
		if got := names(new(Hashes).Named(n)); got != test.want {
			t.Errorf("%+v names %q, want %q", test.n, got, test.want)
		}
	}
}

// A file with another content, one that is gone, and one that cannot be known are other files.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a": "one", "b": "two"})
	files := new(Hashes).Named(Naming{Dir: dir, Cwd: dir, Words: []string{"a", "b", "c"}})
	check := func(mayLack bool, want string) {
		t.Helper()
		got := new(Hashes).OtherFile(files, dir, mayLack)
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	check(false, "")
	writeFiles(t, dir, map[string]string{"c": "made by a run"})
	check(false, "")
	os.Remove(filepath.Join(dir, "a"))
	check(true, "")
	check(false, "a, which it names, has changed")
	writeFiles(t, dir, map[string]string{"a": "One"})
	check(true, "a, which it names, has changed")
	files = []result.NamedFile{{Path: "b"}}
	check(true, "the content of b, which it names, is not known")
}

// More files than are hashed are in doubt, even if none has changed.
func TestTooManyFilesAreInDoubt(t *testing.T) {
	dir := t.TempDir()
	for i := range mostNamed + 1 {
		writeFiles(t, dir, map[string]string{filepath.Join("many", strings.Repeat("x", 1+i%100)+string(rune('a'+i/100))): ""})
	}
	files := new(Hashes).Named(Naming{Dir: dir, Cwd: dir, Words: []string{"many"}})
	if len(files) != mostNamed+1 || files[0].Path != unknownFiles {
		t.Fatalf("%d files, the first is %+v", len(files), files[0])
	}
	if why := new(Hashes).OtherFile(files, dir, true); !strings.Contains(why, "more than 1000 files") {
		t.Errorf("got %q", why)
	}
}
