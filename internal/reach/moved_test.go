package reach_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/reach"
)

const movedSource = `package moved

var number = 1

var table = []func(int) int{
	func(n int) int { return n + 1 },
	func(n int) int { return n - 1 }, // idle
}

//go:noinline
func Table() int { return table[0](number) }

//go:noinline
func encode(n int) int { // idle function
	return n + 2
}

//go:noinline
func encodeAll(n int) int {
	return n + 3
}

//go:noinline
func choose(n int, which string) int {
	switch which {
	case "one":
		return encode(n)
	}
	return encodeAll(n)
}

//go:noinline
func Encode() int { return choose(number, "all") }

var change = 1

//go:noinline
func Unused() int { // idle function
	return change
}
`

// What a case executes in a first tree is known in a second one, in which it executes no change. What a third one
// changes is looked for by the lines and names of the second.
func TestCoverageMovesToAnotherTree(t *testing.T) {
	line := strings.NewReplacer("int{\n", "int{\n\t// A line above.\n", "return change", "return change + 1")
	for what, c := range map[string]struct {
		second *strings.Replacer
		third  [2]string
		known  bool // what is executed of the second tree
		want   string
	}{
		"the executed literal, which is where the idle one was": {line, [2]string{"n + 1", "n + 5"}, true, "BenchmarkTable → Table → table → init"},
		"the idle literal, one line below":                      {line, [2]string{"n - 1", "n - 5"}, true, ""},
		"an executed function":                                  {line, [2]string{"n + 3", "n + 5"}, true, "BenchmarkEncode → Encode → choose → encodeAll"},
		"an idle function":                                      {line, [2]string{"n + 2", "n + 5"}, true, ""},
		"an executed function gets the name of an idle one": {strings.NewReplacer("encode(n", "encodeOne(n", "encodeAll(n", "encode(n"),
			[2]string{"n + 3", "n + 5"}, false, ""},
	} {
		var sources [3]string
		sources[0] = movedSource
		sources[1] = c.second.Replace(movedSource)
		sources[2] = strings.Replace(sources[1], c.third[0], c.third[1], 1)
		var dirs [3]string
		for i, text := range sources {
			dirs[i] = t.TempDir()
			write(t, filepath.Join(dirs[i], "go.mod"), []byte("module example.com/moved\n\ngo 1.24\n"))
			write(t, filepath.Join(dirs[i], "moved.go"), []byte(text))
			write(t, filepath.Join(dirs[i], "moved_test.go"), []byte("package moved\n\nimport \"testing\"\n\nvar sum int\n\n"+
				"func BenchmarkTable(b *testing.B) { sum = Table() }\n\nfunc BenchmarkEncode(b *testing.B) { sum = Encode() }\n"))
		}
		program, err := reach.NewFunctions([]reach.Source{{Path: "example.com/moved", Dir: dirs[0], Files: []string{"moved.go"}}})
		if err != nil {
			t.Fatal(err)
		}
		coverage, err := reach.Observe(program, func(bool) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(profileOf(t, filepath.Join(dirs[0], "moved.go"), "example.com/moved/moved.go"))), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		compare := func(i int) *reach.Comparison {
			c, err := reach.New(archives(t, dirs[i])["example.com/moved"], archives(t, dirs[i+1])["example.com/moved"])
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		first, second := compare(0), compare(1)
		ways := ""
		for _, name := range []string{"BenchmarkTable", "BenchmarkEncode"} {
			moved := first.Moved(name, coverage)
			if !c.known {
				if name == "BenchmarkEncode" && moved != nil {
					t.Errorf("%s: %+v is taken to be executed", what, moved)
				}
				continue
			}
			if moved == nil {
				t.Errorf("%s: what %s executes is not known", what, name)
				continue
			}
			d, err := second.Executing(name, moved)
			if err != nil {
				t.Error(err)
			}
			ways += pathOf(d)
		}
		if c.known && ways != c.want {
			t.Errorf("%s: %q executes it, want %q", what, ways, c.want)
		}
	}
}
