package harness

import (
	_ "embed"
	"fmt"
	"slices"
)

// pytest is pytest-benchmark, the harness of Python. A benchmark is a test that uses the fixture benchmark, and its
// name is the node id. A module of suite's own, which pytest loads, makes the fixture speak the protocol of lines.
type pytest struct{ lines }

//go:embed suite_pytest.py
var pytestModule string

func (pytest) Module() Module {
	return Module{File: "suite_pytest.py", Text: pytestModule, Variable: "PYTHONPATH"}
}

// pytestVariables are for every process. pytest-benchmark asks git six times for the state of the work tree whenever
// pytest starts, in case results are to be saved: that takes longer than the sample, and as each commit changes the
// answer, no case would ever read the same as its base. With the first variable git finds no repository. With the
// second Python leaves no __pycache__, whose files contain times of the tree in which they were made.
var pytestVariables = []string{"GIT_DIR=none", "PYTHONDONTWRITEBYTECODE=1"}

// with adds the arguments of pytest to a request of the protocol. Without a cache no file in the tree changes.
func (pytest) with(r Request, args ...string) Request {
	r.Variables, r.Loads = pytestVariables, true
	r.Args = slices.Concat([]string{"-q", "--color=no", "-p", "no:cacheprovider", "-p", "suite_pytest"}, args)
	return r
}

// With --setup-plan pytest looks at the marks that skip a test, and runs none.
func (p pytest) List() Request { return p.with(p.lines.List(), "--setup-plan") }

func (p pytest) Run(name string, a Amount) Request {
	return p.with(p.lines.Run(name, a), "--benchmark-enable", name)
}

// Count lets the module count the last request.
func (p pytest) Count(name string, a Amount) Request {
	r := p.Run(name, Amount{Iterations: a.Iterations, Warmups: a.Warmups - 1})
	if a.Warmups == 0 {
		r.Input = ""
	}
	r.Input += fmt.Sprintf("count %d %s\n", a.Iterations, name)
	return r
}
