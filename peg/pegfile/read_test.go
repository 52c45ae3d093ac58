package pegfile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/testfile"
	"example.com/suite/peg/pegfile"
)

// Each file of testdata/ok is read as its .want says, each of testdata/err is refused
// with the problem in its .want.
func TestReadGivesWhatIsWritten(t *testing.T) {
	for _, file := range pegFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			golden.Check(t, file+".want", reading(t, file))
		})
	}
}

// pegFiles are those of testdata, all fuzz seeds.
func pegFiles(t testing.TB) (files []string) {
	all, err := filepath.Glob("testdata/*/*")
	for _, file := range all {
		if ext := filepath.Ext(file); ext == ".json" || ext == ".tsv" {
			files = append(files, file)
		}
	}
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// reading is what comes of a file. That of the folder err has to be a problem.
func reading(t *testing.T, file string) string {
	doc, err := pegfile.ReadAll(file + "x") // none of that name
	if !errors.Is(err, fs.ErrNotExist) || doc != nil {
		t.Fatalf("a file that is not there: %v, %v", doc, err)
	}
	text := testfile.Read(t, file)
	doc, err = pegfile.Read(bytes.NewReader(text))
	var p *pegfile.Problem
	if isBad := strings.Contains(filepath.ToSlash(file), "/err/"); isBad != errors.As(err, &p) {
		t.Fatalf("problem %v", err)
	}
	if err != nil {
		p.File = filepath.Base(file)
		return err.Error() + "\n"
	}
	out, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out) + "\n"
}

// endless is a file without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	copy(p, bytes.Repeat([]byte("a\tb\t1\n"), len(p)/6+1))
	return len(p), nil
}

func TestReadRefusesMoreThan64MiB(t *testing.T) {
	_, err := pegfile.Read(endless{})
	if err == nil || !strings.HasPrefix(err.Error(), "more than 64 MiB of pegs") {
		t.Errorf("%v", err)
	}
}

func TestReadAllAddsUpTheFilesOfAllProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pegs")
	testfile.Write(t, path, "a\tb\t10\n")
	testfile.Write(t, path+".17", "a\tb\t20\n")
	testfile.Write(t, path+".18-x", `{"pegs":"suite-pegs/1","points":[{"name":"c","count":2}],"end":false}`)
	testfile.Write(t, path+"~lane-", "state of suite peg")
	testfile.Write(t, path+"s.1", "of somebody else")
	doc, err := pegfile.ReadAll(path)
	if err != nil {
		t.Fatal(err)
	}
	if a := doc.Arcs[0]; a.Count != 2 || a.Sum != 30 || a.Min != 10 || a.Max != 20 || a.Squares != 50 || len(doc.Points) != 3 {
		t.Errorf("%+v", doc)
	}
	if doc.End {
		t.Error("the end has come, although it has not for one of the processes")
	}
	testfile.Write(t, path+".19", "a\tb")
	_, err = pegfile.ReadAll(path)
	if want := path + ".19:1:1: the line \"a\\tb\" has no end: it is truncated"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A pipe would be waited for, and a device never ends.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no device to read")
	}
	path := filepath.Join(t.TempDir(), "pegs")
	if err := os.Symlink("/dev/zero", path); err != nil {
		t.Fatal(err)
	}
	if _, err := pegfile.ReadAll(path); err == nil || !strings.Contains(err.Error(), "this is no file") {
		t.Error(err)
	}
}

func TestOnlyKeepsTheArcsBetweenThePointsThatAreWanted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pegs")
	testfile.Write(t, path, "a\tb\t10\nb\tc\t10\nc\ta\t5\n\ts\t9\t\tspan\n\tx\t9\t\tspan\n")
	doc, err := pegfile.ReadAll(path, "a", "b", "s")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, a := range doc.Arcs {
		got = append(got, a.From+">"+a.To)
	}
	if want := []string{">s", "a>b"}; !reflect.DeepEqual(got, want) || len(doc.Points) != 3 {
		t.Errorf("%q, points %v", got, doc.Points)
	}
}

// What is read can be written and read again, and is the same; what is refused has a
// problem and no document.
func FuzzRead(f *testing.F) {
	for _, file := range pegFiles(f) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := pegfile.Read(bytes.NewReader(text))
		if (doc == nil) != (err != nil) {
			t.Fatalf("%v, %v: want a document or a problem", doc, err)
		}
		if err != nil {
			return
		}
		out, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		again, err := pegfile.Read(bytes.NewReader(out))
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if !reflect.DeepEqual(again, doc) {
			t.Errorf("%+v, then %+v", doc, again)
		}
	})
}
