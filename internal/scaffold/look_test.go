package scaffold

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

func TestGoBenchmarks(t *testing.T) {
	const plain, tagged = "package x\n", "//go:build integration\n\npackage x\n"
	benchmark := func(name string) string { return "func Benchmark" + name + "(b *testing.B) {}\n" }
	for name, c := range map[string]struct {
		files     map[string]string
		folder    string
		want, out string // packages with their modules and functions: Packages, and Excluded with Nested and Loose
	}{
		"one module":           {map[string]string{"go.mod": "module m", "x_test.go": plain + benchmark("A") + benchmark("B")}, "", ".:.:A,B", ""},
		"its nested module":    {map[string]string{"go.mod": "module m", "x_test.go": plain + benchmark("A"), "n/go.mod": "module n", "n/x_test.go": plain + benchmark("B")}, "", ".:.:A", "./n:./n:B"},
		"only nested modules":  {map[string]string{"go.mod": "module m", "a/go.mod": "module a", "a/x_test.go": plain + benchmark("A"), "b/go.mod": "module b", "b/in/x_test.go": plain + benchmark("B")}, "", "./a:./a:A ./b/in:./b:B", ""},
		"no module":            {map[string]string{"x_test.go": plain + benchmark("A")}, "", "", ".:.:A"},
		"no module, and one":   {map[string]string{"in/x_test.go": plain + benchmark("A"), "b/go.mod": "module b", "b/x_test.go": plain + benchmark("B")}, "", "./b:./b:B", "./in:.:A"},
		"a block of go.work":   {map[string]string{"go.work": "go 1.24\nuse (\n\t./a // first\n\t\"./b\"\n)\n// use ./c\n", "a/go.mod": "module a", "a/x_test.go": plain + benchmark("A"), "b/go.mod": "module b", "b/x_test.go": plain + benchmark("B"), "c/go.mod": "module c", "c/x_test.go": plain + benchmark("C")}, "", "./a:./a:A ./b:./b:B", ""},
		"below a workspace":    {map[string]string{"go.work": "use ./a\nuse ./b\n", "b/go.mod": "module b", "b/in/x_test.go": plain + benchmark("B")}, "b/in", ".:.:B", ""},
		"below _":              {map[string]string{"go.mod": "module m", "_a/x_test.go": plain + benchmark("A"), "_b/go.mod": "module b", "_b/x_test.go": plain + benchmark("B"), "testdata/go.mod": "module t", "testdata/x_test.go": plain + benchmark("T")}, "", "./_b:./_b:B", ""},
		"no more than a word":  {map[string]string{"go.mod": "module m", "x_test.go": plain + benchmark("")}, "", ".:.:Benchmark", ""},
		"a tag":                {map[string]string{"go.mod": "module m", "x_test.go": tagged + benchmark("A"), "y_test.go": plain + benchmark("B")}, "", ".:.:B", ".:.:A"},
		"only tags":            {map[string]string{"go.mod": "module m", "x_test.go": tagged + benchmark("A")}, "", "", ".:.:A"},
		"other systems' files": {map[string]string{"go.mod": "module m", "x_plan9_test.go": plain + benchmark("A"), "y_js_test.go": tagged + benchmark("A")}, "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOWORK", "")
			dir := t.TempDir()
			for file, text := range c.files {
				file = filepath.Join(dir, filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				testfile.Write(t, file, text)
			}
			s, err := Look(filepath.Join(dir, filepath.FromSlash(c.folder)))
			if err != nil {
				t.Fatal(err)
			}
			if got := packageWords(s.Packages); got != c.want {
				t.Errorf("proposed: %q, want %q", got, c.want)
			}
			if got := packageWords(slices.Concat(s.Excluded, s.Nested, s.Loose)); got != c.out {
				t.Errorf("left out: %q, want %q", got, c.out)
			}
			file, _ := s.SuiteFile()
			for _, p := range slices.Concat(s.Excluded, s.Nested, s.Loose) {
				if !strings.Contains(file.Text, "\n  # - gotest: "+yamlWord(p.Path)+"    # "+p.Names[0]) || strings.Contains(file.Text, "\n  - gotest: "+yamlWord(p.Path)+"    # "+p.Names[0]) {
					t.Errorf("%s is no comment of\n%s", p.Path, file.Text)
				}
			}
		})
	}
}

func packageWords(all []GoPackage) string {
	var words []string
	for _, p := range all {
		words = append(words, p.Path+":"+p.Module+":"+strings.Join(p.Names, ","))
	}
	return strings.Join(words, " ")
}

// Many packages get an entry for each of their modules, because ./... ends at a go.mod.
func TestManyPackages(t *testing.T) {
	s := Survey{Name: "many"}
	for _, path := range strings.Fields("./a ./a/b ./a/c ./a/d ./a/e ./a/f ./a/g ./a/h") {
		s.Packages = append(s.Packages, GoPackage{Path: path, Module: "./a", Names: []string{"A"}})
	}
	s.Packages = append(s.Packages, GoPackage{Path: "./b", Module: "./b", Names: []string{"B"}})
	file, measures := s.SuiteFile()
	if !strings.Contains(file.Text, "  - gotest: ./a/...\n  - gotest: ./b/...\n    #") || measures != "9 benchmark functions of go test in 9 packages" {
		t.Errorf("%s\n%s", measures, file.Text)
	}
}

// A script that checks out another revision is run by nobody who has not read it.
func TestScriptsThatMoveTheTree(t *testing.T) {
	for text, want := range map[string]bool{
		"git checkout $1\ngo test -bench .\n": true, "git  stash\n": true, "git switch -\n": true,
		"git rev-parse HEAD\n": false, "echo digit checkout\n": false, "./git-checkouts\n": false,
	} {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, "bench.sh"), "#!/bin/sh\n"+text)
		if err := os.Chmod(filepath.Join(dir, "bench.sh"), 0o755); err != nil {
			t.Fatal(err)
		}
		s, err := Look(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(s.Scripts, "bench.sh"); got != want || got == slices.Contains(s.Benchmarks, "bench.sh") {
			t.Errorf("%q: scripts %q, benchmarks %q", text, s.Scripts, s.Benchmarks)
		}
	}
}
