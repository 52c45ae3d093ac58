// Package harness knows the benchmark harnesses whose benchmarks suite measures unchanged: how a
// program lists its benchmarks, how it is told to run one of them, and where in its output the time
// is. It starts no process and knows nothing of suite files. A harness is a type and a row of the
// table; schema, messages and docs/harnesses.md are made from the rows.
package harness

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
)

// Harness is how a program with benchmarks is used.
type Harness interface {
	// List is what the program is given to list its benchmarks.
	List() Request
	// Names finds the benchmarks in its output, in its order.
	Names(out Output) ([]string, error)
	// Run is what the program is given to run one benchmark.
	Run(name string, a Amount) Request
	// Time finds the seconds of one iteration in its output: a finite number, 0 if its clock has shown no time yet. If
	// the benchmark itself reports a failure, the error is a *Failure; any other error describes what is missing in the
	// output.
	Time(out Output, name string, a Amount) (float64, error)
}

// Request is what a program is given: arguments after those of the suite file, variables in addition to those of the
// suite file, NAME=value, and standard input.
type Request struct {
	Args      []string
	Variables []string
	Input     string
	// Results tells the program where its results belong, if they are not on standard output. It is the beginning of a
	// variable, NAME=, or of an argument, --out=, and ends with the path of a file or folder that does not exist yet.
	Results string
	// Loads is set if the program loads the module of an Extended harness.
	Loads bool
}

// With returns the arguments and variables, with the path of the results if the program is told one.
func (r Request) With(results string) (args, env []string) {
	switch {
	case r.Results == "":
		return r.Args, r.Variables
	case strings.HasPrefix(r.Results, "-"):
		return append(slices.Clone(r.Args), r.Results+results), r.Variables
	}
	return r.Args, append(slices.Clone(r.Variables), r.Results+results)
}

// Output is what a program has left.
type Output struct {
	Text    []byte // on standard output
	Results string // the path that the request told it; the program may have made nothing there
}

// Amount is how much a benchmark is to run: iterations, for harnesses that can be told their number,
// or else seconds. Warmups is how often the same process does that before, for harnesses that can be
// asked several times: a compiler at run time needs it.
type Amount struct {
	Iterations int
	Seconds    float64
	Warmups    int
}

// Row describes a harness.
type Row struct {
	Name     string    // in suite files
	For      string    // languages, in words
	Versions string    // that the tests use, or that are known to work
	How      string    // how it lists, runs and reports, in words
	Counts   bool      // it can be told the number of iterations of a sample; else a time
	Stays    string    // what has its interface and speaks the line protocol, so that processes stay; empty: nothing
	Exits    []int     // statuses besides 0 with which it ends if its output explains why there is no result
	Slow     bool      // its start takes long: processes that stay get time for a first answer, valgrind none
	Resident Responder // what the processes that stay speak, if that is not Harness
	Harness
}

// Staying returns the row as it is for processes that stay. A runner that answers requests finds them in /proc.
func (r Row) Staying() Row {
	if r.Resident != nil && runtime.GOOS == "linux" {
		r.Harness, r.Counts, r.Slow = r.Resident, true, true
	}
	return r
}

// Built is a harness whose programs are started by a tool that builds them first. suite asks the tool for the program,
// and starts the program itself.
type Built interface {
	// Locate returns the command that builds the program of a command and prints where it is; nil if the command starts
	// the program itself.
	Locate(argv []string) []string
	// Program finds the program in what the tool then printed on standard output: what is started in place of argv, and
	// the folder in which the tool would start it.
	Program(argv []string, out []byte) (program []string, dir string, err error)
}

// Explored is a harness that lists its benchmarks by running each of them once. A test that crashes or never ends hides
// those after it, so the program is asked again without the tests that it has shown.
type Explored interface {
	// Seen returns the tests that have begun in the output of such a run, and whether it came to its end.
	Seen(out Output) (tests []string, isWhole bool)
	// ListWithout is what the program is given to list the benchmarks of all tests but some.
	ListWithout(tests []string) Request
}

// Responder is a harness whose programs answer one request after the other until their input ends, so that a process
// can take many samples.
type Responder interface {
	Harness
	// Answered counts the answers to requests to run a benchmark in lines of a program's output, and reports whether
	// its list is there.
	Answered(lines []byte, name string) (times int, isListed bool)
}

// Marking is a harness whose programs tell valgrind where the iterations begin and end that it counts, by the requests
// of callgrind.Sections. Of the others that are Asked whole processes are counted.
type Marking interface {
	// Count is what the program is given to run one benchmark, of which only the last amount is counted.
	Count(name string, a Amount) Request
}

// Extended is a harness whose programs load a module of suite's own, if a Request says so.
type Extended interface{ Module() Module }

var rows = []Row{
	{
		Name: "lines", For: "any language", Versions: "this page", Counts: true,
		How:     "reads `list` and `run N NAME` from standard input, and answers each with a line of JSON",
		Harness: lines{},
	},
	{
		Name: "google-benchmark", For: "C++", Versions: "1.7.1; tried by hand: a commit after 1.9.5",
		Stays:   "the header suites/google-benchmark",
		How:     "`--benchmark_list_tests`, `--benchmark_filter`, `--benchmark_min_time` in seconds, and its JSON",
		Harness: google{},
	},
	{
		Name: "catch2", For: "C++", Versions: "2.13.10, 3.7.1", Exits: failedAssertions(),
		How: "runs all tests with a tag for benchmarks once, then the test by its name with " +
			"`--benchmark-samples`, and its XML",
		Harness: catch2{},
	},
	{
		Name: "criterion", For: "Rust", Versions: "0.5.1", Stays: "the crate suites/criterion",
		How:     "`--list`, an anchored expression, `--warm-up-time` and `--measurement-time`, and its `sample.json`",
		Harness: criterion{},
	},
	{
		Name: "criterion-0.3", For: "Rust", Versions: "0.3.6", Stays: "the crate suites/criterion",
		How:     "the same, in whole seconds, which its versions before 0.4 take",
		Harness: criterion{whole: true},
	},
	{
		Name: "vitest", For: "JavaScript", Versions: "3.2.7, 4.1.12", Exits: []int{1},
		How: "a module of suite's that lists and speaks the protocol of `lines`; for a process each, " +
			"`--testNamePattern`, the file, and the median in what `--outputJson` writes",
		Harness: vitest{}, Resident: vitestRunner{},
	},
	{
		Name: "pytest-benchmark", For: "Python",
		Versions: "3.2.2 with pytest 7.2.1; tried by hand: 5.2.3 with pytest 9.2",
		Counts:   true, Exits: []int{1}, Slow: true,
		How: "`--setup-plan`, the node id, and a module of suite's that makes the fixture speak the protocol of " +
			"`lines`",
		Harness: pytest{},
	},
}

// All returns the table. Nobody may change it.
func All() []Row { return rows[:len(rows):len(rows)] }

// Names lists the harnesses.
func Names() (names []string) {
	for _, r := range rows {
		names = append(names, r.Name)
	}
	return names
}

// Find returns the row of a harness, and whether there is one.
func Find(name string) (Row, bool) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// Failure is what a benchmark has reported in place of a time.
type Failure struct {
	Benchmark, Message string
	Skipped            bool
}

func (f *Failure) Error() string {
	if f.Skipped {
		return fmt.Sprintf("%s is skipped: %s", quote(f.Benchmark), f.Message)
	}
	return fmt.Sprintf("%s failed: %s", quote(f.Benchmark), f.Message)
}

// errNoTime is the error of an output without the benchmark that was asked for. Programs whose
// results are on the wrong stream print nothing at all on the right one.
func errNoTime(out []byte, name string) error {
	if len(strings.TrimSpace(string(out))) == 0 {
		return errors.New("it printed nothing on standard output, where its results are expected")
	}
	return fmt.Errorf("what it printed on standard output has no result of %s", quote(name))
}

// perIteration divides a time by its iterations. Both come from the program.
func perIteration(name string, seconds, iterations float64) (float64, error) {
	x := seconds / iterations
	if !(iterations >= 1) || !(x >= 0) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%s reported %g s for %g iterations, which is no time", quote(name), seconds, iterations)
	}
	return x, nil
}

// longestQuote is how much of a program's text is quoted, in characters.
const longestQuote = 200

// quote makes a text of a program short, and harmless for a terminal.
func quote(text string) string { return strconv.Quote(diag.ClipTo(text, longestQuote+1)) }
