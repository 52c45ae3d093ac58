package docs_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/peg/pegfile"
)

// said runs a program twice, without pegs and with them, and gives what it says of them.
func said(t *testing.T, argv ...string) *pegfile.Document {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pegs")
	for _, target := range []string{"", path} {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), pegfile.Variable+"="+target, "PYTHONDONTWRITEBYTECODE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", argv, err, out)
		}
		if _, err := pegfile.ReadAll(path); target == "" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without the variable: %v", err)
		}
	}
	doc, err := pegfile.ReadAll(path)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "~*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return doc
}

// holds wants arcs, as FROM>TO KIND, each so many times.
func holds(t *testing.T, doc *pegfile.Document, times uint64, arcs ...string) {
	t.Helper()
	for _, want := range arcs {
		i := slices.IndexFunc(doc.Arcs, func(a pegfile.Arc) bool { return strings.TrimSpace(a.From+">"+a.To+" "+string(a.Kind)) == want })
		if i < 0 || doc.Arcs[i].Count != times {
			t.Errorf("no arc %s, %d times: %+v", want, times, doc.Arcs)
		}
	}
	if !doc.End || len(doc.Problems) > 0 {
		t.Errorf("end %t, problems %q", doc.End, doc.Problems)
	}
}

func needs(t *testing.T, program, what string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("no %s here: %v", what, err)
	}
}

func TestTheExampleInCSpeaksTheProtocol(t *testing.T) {
	needs(t, "cc", "C compiler")
	program := filepath.Join(t.TempDir(), "example")
	cc := exec.Command("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, "pegs/example.c", "-lm")
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	doc := said(t, program)
	holds(t, doc, 100, "begin>parsed", "parsed>drawn", "begin>done directed")
	if len(doc.Arcs) != 3 || doc.Residue <= 0 || doc.Cost <= 0 || doc.Points[0].Line == 0 {
		t.Errorf("%+v", doc)
	}
}

// JSON knows no decimal comma, which is what printf writes in a program that speaks German.
func TestNumbersOfCHaveAPointInEveryLanguage(t *testing.T) {
	needs(t, "cc", "C compiler")
	needs(t, "localedef", "maker of locales")
	dir := t.TempDir()
	if out, err := exec.Command("localedef", "-i", "de_DE", "-f", "UTF-8", filepath.Join(dir, "de_DE.UTF-8")).CombinedOutput(); err != nil {
		t.Skipf("no German here: %v: %s", err, out)
	}
	t.Setenv("LOCPATH", dir)
	source, program := filepath.Join(dir, "german.c"), filepath.Join(dir, "german")
	text := `#define _POSIX_C_SOURCE 200809L
#define PEGS_IMPLEMENTATION
#include "pegs.h"
#include <locale.h>
int main(void) {
	if (!setlocale(LC_ALL, "de_DE.UTF-8")) return 1;
	for (int i = 0; i < 3; i++) PEG("a");
	printf("%.1f", 0.5);
	return 0;
}
`
	testfile.Write(t, source, text)
	if out, err := exec.Command("cc", "-std=c11", "-I", "pegs", "-o", program, source, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program).Output(); err != nil || string(out) != "0,5" {
		t.Skipf("the locale does not work here: %v: %s", err, out)
	}
	holds(t, said(t, program), 2, "a>a")
}

// A path that is relative means the folder in which the program was started.
func TestPythonWritesWhereItWasStarted(t *testing.T) {
	needs(t, "python3", "Python")
	modules, err := filepath.Abs("pegs")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command("python3", "-c", "import os, pegs; os.chdir('/'); pegs.hit('a'); pegs.hit('b')")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), pegfile.Variable+"=pegs", "PYTHONPATH="+modules, "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	doc, err := pegfile.ReadAll(filepath.Join(dir, "pegs"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, doc, 1, "a>b")
}

// Where a document cannot be written, the reader has to know which one: the program's own
// output and exit status stay as they are.
func TestPythonNamesWhatItCannotWrite(t *testing.T) {
	needs(t, "python3", "Python")
	path := filepath.Join(t.TempDir(), "pegs")
	// What a system says of a disk that fills up during a write names no file.
	cmd := exec.Command("python3", "-c", "import errno, pegs; pegs.hit('a')\ndef full(*_): raise OSError(errno.ENOSPC, 'no space')\npegs.json.dumps = full")
	cmd.Env = append(os.Environ(), pegfile.Variable+"="+path, "PYTHONPATH=pegs", "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if want := "pegs: cannot write what SUITE_PEGS=" + path + " names: "; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}

func TestTheExampleInPythonSpeaksTheProtocol(t *testing.T) {
	needs(t, "python3", "Python")
	doc := said(t, "python3", "pegs/example.py")
	holds(t, doc, 100, "begin>written", "written>summed", "begin>done directed")
	holds(t, doc, 1, ">depth span")
	holds(t, doc, 3, "depth>depth span")
	if len(doc.Arcs) != 5 || doc.Residue <= 0 || doc.Cost <= 0 {
		t.Errorf("%+v", doc)
	}
}

func TestTheExampleInShSpeaksTheProtocol(t *testing.T) {
	needs(t, "sh", "shell")
	if out, err := exec.Command("date", "+%N").Output(); err != nil || !regexp.MustCompile(`^\d{9}\n$`).Match(out) {
		t.Skip("the date of this system has no nanoseconds")
	}
	holds(t, said(t, "sh", "pegs/lines.sh"), 1, "begin>written", "written>sorted")
}
