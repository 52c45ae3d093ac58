package build

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"github.com/rogpeppe/go-internal/txtar"
)

// Each file of testdata/err is a module, a request and the problems that come
// of it.
func TestErrorsSayWhereWhatAndWhatToDo(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	files, err := filepath.Glob("testdata/err/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	shared := tree(t, "")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(file, "no_") {
				t.Skip("paths of PATH and CC are those of unix")
			}
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir, request := shared, section(archive, "request")
			if strings.Contains(request, "env ") { // which may decide how a module is prepared
				dir = tree(t, string(txtar.Format(archive)))
			} else {
				refill(t, dir, string(txtar.Format(archive)))
			}
			got := clean(problemsOf(t, asked(request, dir)), dir)
			if golden.Updating() {
				archive.Files[len(archive.Files)-1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if want := section(archive, "want"); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// asked reads a request: a key and its words per line.
func asked(text, dir string) Request {
	r := offline(dir)
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.ReplaceAll(line, "$DIR", dir))
		switch words[0] {
		case "packages":
			r.Packages = words[1:]
		case "dir":
			r.Dir = filepath.Join(dir, words[1])
		case "flags":
			r.Flags = words[1:]
		case "tags":
			r.Tags = words[1:]
		case "env":
			r.Env = append(r.Env, words[1:]...)
		}
	}
	return r
}

func problemsOf(t *testing.T, r Request) string {
	t.Helper()
	p, err := Host(context.Background(), r)
	if err == nil {
		_, err = p.Functions(context.Background())
	}
	var e *Error
	if !errors.As(err, &e) || len(e.Problems) == 0 {
		t.Fatalf("error %v (%T), want problems", err, err)
	}
	for _, problem := range e.Problems {
		if problem.Message == "" {
			t.Errorf("a problem without a message: %+v", problem)
		}
	}
	return e.Error() + "\n"
}

// clean leaves out what differs between machines.
func clean(text, dir string) string {
	for _, r := range []struct{ old, new string }{{dir, "$DIR"}, {cache, "$CACHE"}, {strings.TrimPrefix(runtime.Version(), "go"), "$GO"}} {
		text = strings.ReplaceAll(text, r.old, r.new)
	}
	return text
}

func section(archive *txtar.Archive, name string) string {
	for _, f := range archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func TestProblemsWithoutAPlaceGetThatOfTheirSubject(t *testing.T) {
	e := &Error{[]Problem{
		{diag.Problem{Place: diag.Place{File: "a.go", Line: 3, Col: 4}, Message: "undefined: x"}, "./a"},
		wrong("./b", "no folder \"b\"", ""),
		wrong("", "there is no go command in PATH", ""),
	}}
	got := e.At(func(subject string) diag.Place {
		return diag.Place{File: "s.yaml", Line: 2, Col: 1 + len(subject)}
	})
	want := "a.go:3:4: undefined: x\ns.yaml:2:4: no folder \"b\"\ns.yaml:2:1: there is no go command in PATH"
	if got.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", got.Error(), want)
	}
	if want := "a.go:3:4: undefined: x\nno folder \"b\"\nthere is no go command in PATH"; e.Error() != want {
		t.Errorf("got\n%s\nwant\n%s", e.Error(), want)
	}
}

// go names a copy in the cache relative to its own folder if that is shorter.
func TestCopiesAreNamedAsTheFilesOfTheUser(t *testing.T) {
	near := t.TempDir()
	root, copied := filepath.Join(near, "m"), filepath.Join(near, "cache", "go.mod")
	its := &userTree{dir: root, root: root, origin: map[string]string{copied: filepath.Join(root, "go.mod")}}
	relative := filepath.Join("..", "cache", "go.mod")
	for _, line := range its.translate([]string{copied + " is odd", relative + " is odd"}) {
		if line != "go.mod is odd" {
			t.Errorf("got %q", line)
		}
	}
}
