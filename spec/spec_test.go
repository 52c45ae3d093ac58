package spec

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
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

// none opens no file.
func none(string) ([]byte, error) { return nil, fs.ErrNotExist }

func TestLoadSaysWhyAFileCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, size int) string {
		file := filepath.Join(dir, name)
		testfile.Write(t, file, strings.Repeat("# fill\n", size/7+1)[:size])
		return file
	}
	sorted := write("sort.yaml", 10)
	for path, want := range map[string]string{
		dir:                                     "is a directory, not a suite file",
		filepath.Join(dir, "srot.yaml"):         "does not exist\n\thint: did you mean \"" + sorted + "\"?",
		os.DevNull:                              "is not a regular file",
		write("large.yaml", yaml.MaxFileSize+1): "the file is larger than 1 MiB",
		write("fits.yaml", yaml.MaxFileSize):    "the file is empty",
		filepath.Join(dir, "sort.yaml", "x"):    "",
		filepath.Join(dir, "no", "such", "x"):   "does not exist",
	} {
		suite, problems := Load(path)
		if suite != nil || len(problems) != 1 || !strings.Contains(problems.Error(), want) {
			t.Errorf("%s: %v, want %q", path, problems, want)
		}
	}
}

// A file of 100 MB costs one read of the limit, whatever it holds.
func TestReadFileStopsBehindTheLimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "huge.yaml")
	testfile.Write(t, file, "")
	if err := os.Truncate(file, 100_000_000); err != nil {
		t.Fatal(err)
	}
	text, err := ReadFile(file)
	if err != nil || len(text) != yaml.MaxFileSize+1 {
		t.Errorf("%d bytes, %v; want %d", len(text), err, yaml.MaxFileSize+1)
	}
}

func TestHashCoversIncludedFiles(t *testing.T) {
	files := map[string]string{"b.yaml": "benchmarks: [{shell: b}]"}
	open := func(path string) ([]byte, error) { return []byte(files[path]), nil }
	main := "files: [b.yaml]\n"
	load := func() string {
		s, problems := Parse("a.yaml", []byte(main), open)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		return s.Hash
	}
	first := load()
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(main+"\x00"+files["b.yaml"]))); first != want {
		t.Errorf("hash %s, want %s", first, want)
	}
	files["b.yaml"] = "benchmarks: [{shell: c}]"
	if load() == first {
		t.Error("the hash does not see the included file")
	}
	alone := []byte("benchmarks: [{shell: b}]")
	s, problems := Parse("a.yaml", alone, nil)
	if problems != nil || s.Hash != fmt.Sprintf("sha256:%x", sha256.Sum256(alone)) {
		t.Errorf("the hash of one file is not that of its bytes: %s, %v", s.Hash, problems)
	}
}

func TestIncludedFilesAreBounded(t *testing.T) {
	open := func(path string) ([]byte, error) {
		var n int
		if _, err := fmt.Sscanf(path, "f%d", &n); err != nil {
			return nil, err
		}
		return fmt.Appendf(nil, "files: [f%d]\n", n+1), nil
	}
	_, problems := Parse("a.yaml", []byte("files: [f0]"), open)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "more than 64 files") {
		t.Errorf("a chain without end: %v", problems)
	}
	large := "benchmarks: [{shell: x}]\n" + strings.Repeat("# fill\n", 140_000)
	list := "files: [a, b, c, d, e]"
	_, problems = Parse("a.yaml", []byte(list), func(string) ([]byte, error) { return []byte(large), nil })
	if !strings.Contains(problems.Error(), "larger than 4 MiB together") {
		t.Errorf("five files of 1 MB: %v", problems)
	}
	if _, problems := Parse("a.yaml", []byte("files: [b]"), nil); !strings.Contains(problems.Error(), "cannot be included here") {
		t.Errorf("no opener: %v", problems)
	}
	if _, problems := Parse("a.yaml", []byte("files: [b]"), func(string) ([]byte, error) { return nil, errors.New("is on fire") }); !strings.Contains(problems.Error(), `file "b" is on fire`) {
		t.Errorf("a failing opener: %v", problems)
	}
}

// The lines that yaml.v3 gives are one too small for its parser's faults, those
// of the enclosing block for nested ones, and missing on the first line.
func TestSyntaxProblemsAreOnTheRightLine(t *testing.T) {
	for in, want := range map[string]string{
		"a: b\n\tc: d\n":                           "2",
		"a: [1, 2\nb: 3\n":                         "1",
		"x: 1\na: [1, 2\nb: 3\n":                   "2",
		"a: \"x\n":                                 "1",
		"x: 1\ny: 2\na: \"x\n":                     "3",
		"a: b: c\n":                                "1",
		"x: 1\na: b: c\n":                          "2",
		"x: 1\na: @x\n":                            "2",
		"- a\nb: c\n":                              "2",
		"x: 1\ny:\n  - a\n  b: c\n":                "4",
		"a: b\n c: d\n":                            "2",
		"a:\n   b: 1\n  c: 2\n":                    "3",
		"x: 1\na:\n   b: 1\n   d: 1\n  c: 2\nz: 1": "5",
		"x: 1\n{a: b\n":                            "2",
		"x: 1\na: &\n":                             "2",
		"x: 1\na: \"\\q\"\n":                       "2",
		"a: {b: c}}\n":                             "1",
		"x: 1\na: {b: c}}\n":                       "2",
		"a: |x\n  b\n":                             "1",
		"a: - b\n":                                 "1",
		"? a\n: b\n- c\n":                          "3",
		"x: 1\ny: [*nope]\n":                       "2",
		"x: 1\n...\ny: [\n":                        "3",
		"%YAML 3.0\n---\na: b\n":                   "1",
	} {
		_, problems := Parse("a.yaml", []byte(in), none)
		if len(problems) != 1 || fmt.Sprint(problems[0].Line) != want || problems[0].Col < 1 {
			t.Errorf("%q: %v, want line %s", in, problems, want)
		}
	}
}

// What is never closed is placed where it is opened, on the first line too.
func TestUnclosedIsPlacedWhereItIsOpened(t *testing.T) {
	for in, want := range map[string]string{
		"suite: \"x":                        "1:8",
		"suite: \"x\nbenchmarks:\n  - a\n":  "1:8",
		"x: 1\ny: 'it''s\n  # z\n":          "2:4",
		"é: ['a', 'b]\n":                    "1:10",
		"x: 'a'\ny: \"it's\nz: 'b'\n":       "2:4",
		"x: [\n  {name: \"a]}\n":            "2:10",
		"x: [":                              "1:4",
		"{a: [{b: c}]\n":                    "1:1",
		"x: {a: 1\ny: 2\n":                  "1:4",
		"x: 1\ny:\n  - {a: 1\n  - {a: 2}\n": "3:5",
		"x: 1\ny:\n  - a: [b\n    c: d\n":   "3:8",
		"x: \"[\"\ny: [a, \"]\"\n":          "2:4",
		"\ufeff\"x":                         "1:1",
	} {
		_, problems := Parse("a.yaml", []byte(in), none)
		if len(problems) != 1 || fmt.Sprintf("%d:%d", problems[0].Line, problems[0].Col) != want {
			t.Errorf("%q: %v, want %s", in, problems, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/ok/*.yaml", "testdata/err/*.yaml", "testdata/*/parts/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no seeds", err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		suite, problems := Parse("fuzz.yaml", src, none)
		if (suite == nil) != (len(problems) > 0) {
			t.Fatal("want a suite or problems, never both or neither")
		}
		if suite != nil {
			var plan *Plan
			plan, problems = suite.Plan(catalogue(), nil)
			if (plan == nil) != (len(problems) > 0) {
				t.Fatal("want a plan or problems, never both or neither")
			}
		}
		// What is sound of a file that is not can be planned all the same.
		partial, found := parse("fuzz.yaml", src, none)
		if _, more := partial.plan(catalogue(), nil); len(problems) == 0 && len(found)+len(more) > 0 {
			t.Fatalf("problems only in one pass: %v %v", found, more)
		}
		lines := len(yaml.SplitLines(string(src)))
		for _, p := range problems {
			if p.File == "" || p.Message == "" || p.Line > lines || p.Line < 0 || p.Line > 0 && p.Col < 1 {
				t.Fatalf("a problem without a place: %+v", p)
			}
		}
	})
}

// Asking a host for its functions starts a process, which a suite of commands can do
// without.
func TestFunctionsAreAskedForWhereAFileNamesOne(t *testing.T) {
	for text, want := range map[string]int{
		"benchmarks: [{command: x}, {shell: y}]":              0,
		"benchmarks: [{go: sort/ints}, {name: b, go: other}]": 1,
	} {
		asked, c := 0, catalogue()
		c.Functions, c.Registered = nil, func() []string { asked++; return []string{"sort/ints", "other"} }
		if _, problems := mustParse(t, text).Plan(c, nil); len(problems) > 0 || asked != want {
			t.Errorf("%s: asked %d times, want %d: %v", text, asked, want, problems)
		}
	}
}

// A problem in one benchmark does not hide those of another stage in the same
// benchmark or in another one.
func TestOnePassFindsTheProblemsOfEveryStage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	text := `benchmarks:
  - name: a
    warmpu: 1s
    go: hash/shaa256
  - name: b
    go: hash/shaa256
    work: ${0 - 1}
    expect: time.median < 2ms
`
	testfile.Write(t, file, text)
	plan, problems := LoadPlan(file, catalogue(), nil)
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if len(lines) != 4 || lines[0] != 3 || lines[1] != 4 || lines[2] != 6 || lines[3] != 7 {
		t.Errorf("problems in lines %v, want 3, 4, 6, 7:\n%v", lines, problems)
	}
	if plan == nil || len(plan.Cases) != 2 || len(plan.Cases[1].Gates) != 1 {
		t.Errorf("plan %+v, want both cases and the gate", plan)
	}
}

// A fault is one problem to both passes, also where several cases share it.
func TestEveryFaultIsSaidOnce(t *testing.T) {
	_, problems := LoadPlan("testdata/err/said_once.yaml", catalogue(), nil)
	compareWanted(t, "testdata/err/said_once.yaml", problems.Error()+"\n")
}

// A plan holds the texts of its files, that of the suite file first; what would be too
// much is named with its size.
func TestPlanHoldsItsFiles(t *testing.T) {
	long := "benchmarks: [{shell: c}]\n" + strings.Repeat("#\n", result.MostSource/2)
	files := map[string]string{"d/b.yaml": "benchmarks: [{shell: b}]\n", "d/c.yaml": long, "d/e.yaml": "benchmarks: [{shell: e}]\n"}
	main := "files: [b.yaml, c.yaml, e.yaml]\n"
	s, problems := Parse("d/a.yaml", []byte(main), func(path string) ([]byte, error) { return []byte(files[path]), nil })
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	plan, problems := s.Plan(Catalogue{}, Overrides{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	want := []result.Source{{File: "d/a.yaml", Text: main}, {File: "d/b.yaml", Text: files["d/b.yaml"]},
		{File: "d/c.yaml", Left: int64(len(long))}, {File: "d/e.yaml", Text: files["d/e.yaml"]}}
	if diff := cmp.Diff(want, plan.Sources); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
