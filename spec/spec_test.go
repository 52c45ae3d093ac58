package spec

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"github.com/google/go-cmp/cmp"
)

// catalogue is what every test plans against.
func catalogue() Catalogue {
	return Catalogue{
		Functions: []string{"hash/md5", "hash/sha256", "sort/ints"},
		Clocks:    []string{"wall", "posix-thread-cputime"},
		Cycles:    []string{"x86-rdtscp", "null", "any"},
		Counters:  []string{"instructions", "branch-misses", "branch_misses", "page-faults", "page_faults", "task-clock", "task_clock"},
		Env:       func(name string) (string, bool) { return "/home/u", name == "HOME" },
	}
}

// outcome is the plan of a file, or its problems, without the folder of the test.
func outcome(t *testing.T, file string) (plan string, problems diag.Problems) {
	suite, problems := Load(file)
	if (suite == nil) != (len(problems) > 0) {
		t.Fatalf("%s: want a suite or problems, never both or neither", file)
	}
	if suite == nil {
		return "", problems
	}
	p, problems := suite.Plan(catalogue(), nil)
	if (p == nil) != (len(problems) > 0) {
		t.Fatalf("%s: want a plan or problems, never both or neither", file)
	}
	if p == nil {
		return "", problems
	}
	var b bytes.Buffer
	if err := p.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String(), nil
}

func eachFile(t *testing.T, pattern string, f func(t *testing.T, file string)) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) { f(t, filepath.ToSlash(file)) })
	}
}

func compareWanted(t *testing.T, file, got string) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	got = strings.ReplaceAll(got, dir, "DIR") // before the slashes are turned
	got = strings.ReplaceAll(filepath.ToSlash(got), filepath.ToSlash(filepath.Dir(file))+"/", "")
	name := strings.TrimSuffix(file, ".yaml") + ".want"
	want := golden.Want(t, name, got)
	// Windows has other slashes, in what is printed and in what is quoted.
	if diff := cmp.Diff(filepath.ToSlash(want), filepath.ToSlash(got)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAcceptedFiles(t *testing.T) {
	eachFile(t, "testdata/ok/*.yaml", func(t *testing.T, file string) {
		plan, problems := outcome(t, file)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		compareWanted(t, file, plan)
	})
}

func TestRefusedFiles(t *testing.T) {
	eachFile(t, "testdata/err/*.yaml", func(t *testing.T, file string) {
		_, problems := outcome(t, file)
		if len(problems) == 0 {
			t.Fatal("the file was accepted")
		}
		compareWanted(t, file, problems.Error()+"\n")
	})
}
