package callgrind

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/runner/host/wire"
)

// written puts files into a new folder.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		testfile.Write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func called(mark, total string) string {
	return "version: 1\ndesc: Trigger: --dump-before=pkg." + mark + "\nevents: Ir\nsummary: " + total + "\n\nfn=(1) main\n3 7\n\ntotals: " + total + "\n"
}

const ended = "version: 1\ndesc: Trigger: Program termination\nevents: Ir\n"

// The thread that looks after the others of a Go program executes 5 + 100 + 20 instructions here, the program 1000.
const watchedProgram = ended + `summary: 1125

fn=(12) runtime.sysmon
fl=(3) proc.go
6615 2
+4 3
cfn=(98) runtime.usleep
calls=9 267
* 100
fe=(12)
-7 20

fn=(13) runtime.sysmonitor
3 1000

totals: 1125
`

func TestTake(t *testing.T) {
	for what, c := range map[string]struct {
		scope Scope
		files map[string]string
		want  float64
		parts int
		err   string
	}{
		"a program and its child":            {Processes, map[string]string{"count.7": ended + "totals: 30\n", "count.8": ended + "totals: 4\n"}, 34, 2, ""},
		"the total and not the summary":      {Processes, map[string]string{"count.7": ended + "summary: 12\n0 5\ntotals: 34\n"}, 34, 1, ""},
		"the first of several events":        {Processes, map[string]string{"count.7": "events: Ir Dr\ntotals: 56 7\n"}, 56, 1, ""},
		"not what watches the other threads": {Processes, map[string]string{"count.7": watchedProgram}, 1000, 1, ""},
		"nothing":                            {Processes, nil, 0, 0, "counted nothing"},
		"an empty file":                      {Processes, map[string]string{"count.7": ""}, 0, 0, "no total"},
		"no number":                          {Processes, map[string]string{"count.7": "totals: many\n"}, 0, 0, "no total"},
		"files of others":                    {Processes, map[string]string{"count.7": ended + "totals: 3\n", "count.x": "", "other": ""}, 3, 1, ""},
		"between two marks":                  {Marked, map[string]string{"count.7": "", "count.7.1": called(wire.CountBegins, "500"), "count.7.2": called(wire.CountEnds, "40")}, 40, 2, ""},
		"a clock that is stopped": {Marked, map[string]string{"count.7.1": called(wire.CountBegins, "9"), "count.7.2": called(wire.CountEnds, "40"), "count.7.3": called(wire.CountBegins, "9"),
			"count.7.10": called(wire.CountEnds, "2")}, 42, 4, ""},
		"what was reset": {Marked, map[string]string{"count.7.1": called(wire.CountBegins, "9"), "count.7.2": called(wire.CountEnds, "40"), "count.7.3": called(wire.CountResets, "9"),
			"count.7.4": called(wire.CountBegins, "3"), "count.7.5": called(wire.CountEnds, "2")}, 2, 5, ""},
		"a loop of nothing": {Marked, map[string]string{"count.7.1": called(wire.CountBegins, "9"), "count.7.2": called(wire.CountEnds, "0")}, 0, 2, ""},
		"what a host asks for": {Requested, map[string]string{"count.7": "",
			"count.7.1": "desc: Trigger: Client Request: " + wire.CountEnds + "\nevents: Ir\n\ntotals: 40\n"}, 40, 1, ""},
		"no marks": {Marked, map[string]string{"count.7": ended + "totals: 3\n"}, 0, 0, "counted nothing"},
	} {
		dir := written(t, c.files)
		got, err := Take(dir, c.scope)
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && (err != nil || got.Instructions != c.want || got.Parts != c.parts) {
			t.Errorf("%s: %+v, %v; want %g of %d, %q", what, got, err, c.want, c.parts, c.err)
		}
		if err == nil {
			if again, err := Take(dir, c.scope); err == nil {
				t.Errorf("%s: a second time there are %+v", what, again)
			}
		}
	}
}

// Nothing of a run that was killed counts for the next one, neither a whole part nor half of one.
func TestDiscard(t *testing.T) {
	killed := map[string]string{"count.7": "", "count.7.1": called(wire.CountBegins, "500"), "count.7.2": called(wire.CountEnds, "40"), "count.7.3": "version: 1\ndesc: Tri"}
	for _, scope := range []Scope{Marked, Requested} {
		dir := written(t, killed)
		if err := Discard(dir, scope); err != nil {
			t.Fatal(err)
		}
		if left := names(t, dir); !slices.Equal(left, []string{"count.7"}) {
			t.Errorf("of a process that may go on %q are left", left)
		}
		if got, err := Take(dir, scope); err == nil {
			t.Errorf("there are still %+v", got)
		}
	}
	dir := written(t, killed)
	if err := Discard(dir, Processes); err != nil || len(names(t, dir)) > 0 {
		t.Errorf("%q are left, %v", names(t, dir), err)
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		all = append(all, f.Name())
	}
	return all
}

// What a function called is not its own, and a name is written once. All levels of a recursion are one function.
func TestInstructionsOfFunctions(t *testing.T) {
	const text = ended + `
fn=(1) main
3 10
+1 5
cfn=(2) pkg.parse
calls=2 40
* 400
fe=(4)
7 1

fn=(2)
40 300
cfn=(3) runtime.memmove
calls=9 1
41 100

fn=(3)
1 100

fn=(2)
50 7

fn=(5) pkg.parse'2
51 3

fn=(6) pkg.it's
52 1

fn=(4) 0x0000000000001139
0 9

totals: 536
`
	got, err := Take(written(t, map[string]string{"count.7": text, "count.8": ended + "fn=(1) other\n3 2\n\nfn=(2) main\n4 4\ntotals: 6\n"}), Processes)
	want := map[string]float64{"main": 20, "pkg.parse": 310, "pkg.it's": 1, "runtime.memmove": 100, "other": 2}
	if err != nil || !maps.Equal(got.Functions, want) {
		t.Errorf("%v, %v; want %v", got.Functions, err, want)
	}
	reset := map[string]string{"count.7.1": called(wire.CountEnds, "40"), "count.7.2": called(wire.CountResets, "9"), "count.7.3": called(wire.CountEnds, "2")}
	if got, err := Take(written(t, reset), Marked); err != nil || got.Functions["main"] != 7 {
		t.Errorf("after a reset: %v, %v", got.Functions, err)
	}
}

func TestEnviron(t *testing.T) {
	for _, c := range []struct{ have, want []string }{
		{nil, []string{"GODEBUG=asyncpreemptoff=1,memprofilerate=0", "GOMAXPROCS=1", "PYTHONHASHSEED=7"}},
		{[]string{"GODEBUG=a=1", "GODEBUG=b=2"}, []string{"GODEBUG=b=2,asyncpreemptoff=1,memprofilerate=0", "GOMAXPROCS=1", "PYTHONHASHSEED=7"}},
		{[]string{"GODEBUG=", "GOMAXPROCS=4", "PYTHONHASHSEED=0"}, []string{"GODEBUG=asyncpreemptoff=1,memprofilerate=0"}},
	} {
		if got := Environ(c.have, 7); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.have, got, c.want)
		}
	}
}

func TestArgvWithoutValgrind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if argv, err := Argv("x", Marked); err != ErrMissing {
		t.Errorf("%q, %v", argv, err)
	}
}

// What two processes have in common is in neither of the differences.
func TestWithout(t *testing.T) {
	once := Count{Instructions: 30, Parts: 1, Functions: map[string]float64{"main": 20, "body": 7, "only once": 3}}
	twice := Count{Instructions: 37, Parts: 1, Functions: map[string]float64{"main": 20, "body": 14, "only twice": 3}}
	got := twice.Without(once)
	if want := map[string]float64{"body": 7, "only twice": 3}; got.Instructions != 7 || got.Parts != 0 || !maps.Equal(got.Functions, want) {
		t.Errorf("%+v", got)
	}
	if got = once.Without(twice); got.Instructions != 0 {
		t.Errorf("less than nothing: %+v", got)
	}
}
