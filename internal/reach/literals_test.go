package reach_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/reach"
)

// literalsModule has function literals that return 41 in one tree and 42 in the other. Those that begin on a line with
// the comment idle are not executed. The functions are called by benchmarks of their names.
var literalsModule = map[string]string{
	"go.mod": "module example.com/literals\n\ngo 1.24\n",
	"literals.go": `package literals

var number = 1

//go:noinline
func call(f func() int) int { return f() }

//go:noinline
func every(f func() bool) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; f() && yield(i); i++ {
		}
	}
}

//go:noinline
func Function() int {
	if number > 1 {
		return call(func() int { return number + 41 }) // idle
	}
	return number
}

//go:noinline
func Executed() int { return call(func() int { return number + 41 }) }

type T struct{ n int }

//go:noinline
func (t T) Value() int {
	if number > 1 {
		return call(func() int { return t.n + 41 }) // idle
	}
	return number
}

//go:noinline
func (t *T) Pointer() int {
	if number > 1 {
		return call(func() int { return t.n + 41 }) // idle
	}
	return number
}

// A method that has the name that the compiler gives to a literal of a function of the name of its type.
//
//go:noinline
func (t T) func1() int { return t.n + 41 }

//go:noinline
func Method() int { return T{number}.func1() }

type Of[K any] struct{ all []K }

//go:noinline
func (o *Of[K]) Len() int {
	if number > 1 {
		return call(func() int { return len(o.all) + 41 }) // idle
	}
	return len(o.all)
}

//go:noinline
func Generic() int { return (&Of[string]{}).Len() }

//go:noinline
func Nested() int {
	return call(func() int {
		if number > 1 {
			return call(func() int { return number + 41 }) // idle
		}
		return 1
	})
}

//go:noinline
func Outer() int {
	if number > 1 {
		return call(func() int { // idle
			return call(func() int { return number + 41 }) // idle
		})
	}
	return 1
}

//go:noinline
func Goroutine() int {
	if number > 1 {
		go func() { number = 41 }() // idle
	}
	return number
}

//go:noinline
func with(f func(
	a int,
) int) int {
	return f(1)
}

//go:noinline
func Lines() int {
	if number > 1 {
		return with(func(
			a int,
		) int { // idle
			return a + 41
		})
	}
	return 1
}

//go:noinline
func LinesExecuted() int {
	return with(func(
		a int,
	) int {
		if f := func() int { return a }; number > 1 { // idle
			return call(f)
		}
		return a + 41
	})
}

//go:noinline
func Two() int {
	return call(func() int { return 41 + number }) + call(func() int { if number > 1 { return call(func() int { return 43 }) }; return 1 }) // idle: the last
}

var hook = func() int { return number + 41 } // idle

//go:noinline
func Hook() int {
	if number > 1 {
		return hook()
	}
	return 1
}

var executedHook = func() int { return number + 41 }

//go:noinline
func ExecutedHook() int { return executedHook() }

var table = map[string]func() int{
	"a": func() int { return number },
	"b": func() int { return number + 41 }, // idle
}

//go:noinline
func Table() int { return table["a"]() }

var registered func() int

func init() {
	registered = func() int { return number + 41 } // idle
	func() { number += 40 }()
}

//go:noinline
func Registered() int {
	if number > 1 {
		return registered()
	}
	return 1
}

// The literal that the compiler copies with the function is not known to be that of Adder.
func Adder() func() int { return func() int { return number + 41 } } // idle

//go:noinline
func Copied() int {
	if f := Adder(); number > 1 {
		return call(f)
	}
	return 1
}

//go:noinline
func below() bool { return number < 3 }

// The body of the loop begins on the line of a literal that is idle.
//
//go:noinline
func Range() (sum int) {
	if number > 1 { sum = call(func() int { return 1 }) }; for i := range every(below) { sum += i + 41; number++ } // idle
	return sum
}

//go:noinline
func Deferred() (sum int) {
	defer func() { sum += 41 }()
	if number > 1 {
		panic(1)
	}
	return 1
}
`,
	"literals_test.go": "package literals\n\nimport \"testing\"\n\nvar sum int\n\nfunc BenchmarkValue(b *testing.B) { sum = T{}.Value() }\n\n" +
		"func BenchmarkPointer(b *testing.B) { sum = new(T).Pointer() }\n",
}

// TestLiterals compares programs whose function literals differ. A literal that was not executed counts as little as a
// function, if it is known by its function and its line.
func TestLiterals(t *testing.T) {
	functions := strings.Fields("Function Executed Method Generic Nested Outer Goroutine Lines LinesExecuted Two Hook ExecutedHook Table Registered Copied Range Deferred")
	for _, name := range functions {
		literalsModule["literals_test.go"] += fmt.Sprintf("\nfunc Benchmark%s(b *testing.B) { sum = %[1]s() }\n", name)
	}
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		for name, text := range literalsModule {
			if i == 1 {
				text = strings.ReplaceAll(text, "41", "42")
			}
			write(t, filepath.Join(dirs[i], name), []byte(text))
		}
	}
	program, err := reach.NewFunctions([]reach.Source{{Path: "example.com/literals", Dir: dirs[0], Files: []string{"literals.go"}}})
	if err != nil {
		t.Fatal(err)
	}
	coverage, err := reach.Observe(program, func(bool) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(profileOf(t, filepath.Join(dirs[0], "literals.go"), "example.com/literals/literals.go"))), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := reach.New(archives(t, dirs[0])["example.com/literals"], archives(t, dirs[1])["example.com/literals"])
	if err != nil {
		t.Fatal(err)
	}
	var same []string
	for _, name := range benchmarks(t, dirs[0]) {
		d, err := c.Executing(name, coverage)
		if err != nil {
			t.Error(name, err)
		}
		if d == nil {
			same = append(same, strings.TrimPrefix(name, "Benchmark"))
		}
		t.Logf("%s: %s", name, pathOf(d))
	}
	want := strings.Fields("Function Generic Goroutine Hook Lines Nested Outer Pointer Registered Table Value")
	if !slices.Equal(same, want) {
		t.Errorf("%q execute no change, want %q", same, want)
	}
}

// profileOf is the profile of a run that has executed all functions of a file, and all function literals but those whose
// bodies begin on a line with the comment idle: or the last one of the line, if the comment says so. A function whose
// body begins on a line with the comment "idle function" was not executed either.
func profileOf(t *testing.T, file, name string) string {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	idle := map[int]string{}
	for _, group := range tree.Comments {
		if rest, ok := strings.CutPrefix(group.List[0].Text, "// idle"); ok {
			idle[set.Position(group.Pos()).Line] = "idle" + rest
		}
	}
	lines := []string{"mode: set"}
	add := func(body *ast.BlockStmt, count int) {
		from, to := set.Position(body.Pos()), set.Position(body.End())
		lines = append(lines, fmt.Sprintf("%s:%d.%d,%d.%d 1 %d", name, from.Line, from.Column, to.Line, to.Column, count))
	}
	last := map[int]int{} // by the line of a literal: its line in the profile
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if idle[set.Position(n.Body.Pos()).Line] == "idle function" {
				add(n.Body, 0)
			} else {
				add(n.Body, 1)
			}
		case *ast.FuncLit:
			line := set.Position(n.Body.Pos()).Line
			_, another := last[line]
			if idle[line] == "idle: the last" && another {
				lines[last[line]] = strings.TrimSuffix(lines[last[line]], "0") + "1"
			}
			if idle[line] != "" {
				add(n.Body, 0)
			} else {
				add(n.Body, 1)
			}
			last[line] = len(lines) - 1
		}
		return true
	})
	return strings.Join(lines, "\n") + "\n"
}
