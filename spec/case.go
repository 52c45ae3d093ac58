package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/paths"
	"example.com/suite/result"
)

// Case is one case as it will be measured.
type Case struct {
	Name        string            `json:"name"`
	Description string            `json:"description,omitempty"`
	Tags        []string          `json:"tags,omitempty"`
	Kind        result.Kind       `json:"kind"`
	Function    string            `json:"function,omitempty"` // kind go
	Argv        []string          `json:"argv,omitempty"`     // kind command
	Shell       string            `json:"shell,omitempty"`    // kind shell
	GoTest      *GoTest           `json:"gotest,omitempty"`   // kind gotest
	Harness     *Harness          `json:"harness,omitempty"`  // kind command, whose program has benchmarks
	Params      []Param           `json:"params,omitempty"`
	Unit        string            `json:"unit"`
	Work        float64           `json:"work"`
	WorkSet     bool              `json:"-"` // the file sets work; if not, a Go function may set its own
	UnitSet     bool              `json:"-"`
	Settings    Settings          `json:"settings"`
	Origins     map[string]Origin `json:"origins"`              // of timer and every setting, by key
	Env         []string          `json:"env,omitempty"`        // NAME=value, added to suite's own
	Cwd         string            `json:"cwd"`                  // absolute
	Stdin       string            `json:"stdin,omitempty"`      // absolute path, empty: the null device
	StdinText   string            `json:"stdin_text,omitempty"` // text for standard input, if Stdin is empty
	Stdout      string            `json:"stdout,omitempty"`     // absolute path, empty: the null device
	// patterns of the files that it depends on, absolute, with slashes; nil: unknown
	Inputs   []string `json:"inputs,omitempty"`
	Requires []string `json:"requires,omitempty"` // programs without which it is skipped
	// programs of Requires, its base's included, that this machine lacks
	Missing   []string `json:"missing,omitempty"`
	ExitCodes []int    `json:"exit_codes,omitempty"`
	AnyExit   bool     `json:"any_exit,omitempty"` // every exit status means success
	Reject    []int    `json:"reject,omitempty"`   // exit statuses that make a run void
	Metrics   []Metric `json:"metrics,omitempty"`  // that the program prints
	// that the loop of the function reports, as far as it was asked
	Reports    []result.Declared `json:"reports,omitempty"`
	SameOutput bool              `json:"same_output,omitempty"` // all runs must print the same
	// so must all cases with this name; empty: the case alone
	OutputName string `json:"output_name,omitempty"`
	// instructions come from one simulated run, after the samples
	Callgrind bool `json:"callgrind,omitempty"`
	NoWitness bool `json:"no_witness,omitempty"` // instructions are not counted in pairs (counters: [])
	// metrics of the events to count, in the order of the metric table
	Counters []string `json:"counters,omitempty"`
	// arcs between its pegs are measured, in a pass of their own
	Pegs      bool       `json:"pegs,omitempty"`
	PegPoints []string   `json:"peg_points,omitempty"` // between these points alone; nil: all
	Timer     TimerPrefs `json:"timer"`
	Setup     *Hook      `json:"setup,omitempty"`
	Prepare   *Hook      `json:"prepare,omitempty"`
	Conclude  *Hook      `json:"conclude,omitempty"`
	Cleanup   *Hook      `json:"cleanup,omitempty"`
	Services  []Service  `json:"services,omitempty"`
	Expanded  []string   `json:"-"`              // parameters that go: and work: name in ${…}
	Base      string     `json:"base,omitempty"` // name of the case that it is paired with
	// what it is paired with, if that is not a case of the plan
	Other       *Other              `json:"other,omitempty"`
	Counterpart *result.Counterpart `json:"counterpart,omitempty"` // set if Plan.Against is
	Was         []string            `json:"was,omitempty"`         // earlier names
	Gates       []Gate              `json:"gates,omitempty"`
	Place       diag.Place          `json:"place"`

	within     string // the part of its name that comes from an existing benchmark
	base       lang.Text
	baseOrigin Origin
	tolerance  diag.Place  // of the tolerance, if one was given
	was        []lang.Text // texts of Was with their places
}

// Param is a parameter of a case.
type Param struct {
	Name  string     `json:"name"`
	Value lang.Value `json:"value"`
}

// Hook is a command that is run and not measured.
type Hook struct {
	Argv  []string   `json:"argv"`
	Place diag.Place `json:"-"`
}

// GoTest is the benchmark of a test binary that a case measures. If the binary was not
// asked for its benchmarks, only Pattern is set.
type GoTest struct {
	Pattern   string `json:"pattern"`             // as the suite file has it
	Package   string `json:"package,omitempty"`   // import path
	Benchmark string `json:"benchmark,omitempty"` // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Dir       string `json:"dir,omitempty"`       // absolute, of the package
	Program   string `json:"program,omitempty"`   // path of the binary, which is named after its content
	Procs     int    `json:"procs,omitempty"`     // GOMAXPROCS; 0: as suite itself has it
	Serves    bool   `json:"serves,omitempty"`    // one process of the binary can take many samples
	Top       bool   `json:"top,omitempty"`       // it may have sub-benchmarks: a run looks for them and measures those
	Broken    bool   `json:"-"`                   // its function broke off when it was listed: it may have others
}

// Function is the function of the benchmark: BenchmarkParse of BenchmarkParse/small.
func (g *GoTest) Function() string {
	function, _, _ := strings.Cut(g.Benchmark, "/")
	return function
}

// harnessKey makes the benchmarks of a command's program cases.
const harnessKey = "harness"

// Harness is the benchmark of a program that a case measures.
type Harness struct {
	Name      string `json:"name"`                // google-benchmark
	Benchmark string `json:"benchmark,omitempty"` // as the program lists it; empty: the program was not asked
	// Program is started with its arguments in place of the command, which builds it: cargo bench; empty: the command
	// is.
	Program []string `json:"program,omitempty"`
	// Module is the path, absolute, of a module of suite's own that the program loads; empty: it loads none.
	Module string `json:"-"`
}

func (h *Harness) text() string {
	if h == nil || h.Benchmark == "" {
		return ""
	}
	return fmt.Sprintf("%s of %s", h.Benchmark, h.Name)
}

// IsOpen reports whether the case represents benchmarks that only a run finds.
func (c *Case) IsOpen() bool {
	return c.GoTest != nil && (c.GoTest.Top || c.GoTest.Package == "") || c.Harness != nil && c.Harness.Benchmark == ""
}

// Service is a program that runs during a case, from the end of its setup until its last
// run.
type Service struct {
	Argv []string `json:"argv"`
	// NAME=value, added to suite's own: the case's variables, then the service's
	Env     []string `json:"env,omitempty"`
	Cwd     string   `json:"cwd"` // absolute
	Ready   Ready    `json:"ready"`
	Timeout Duration `json:"timeout"` // until it is ready
	Stop    string   `json:"stop"`    // signal that ends it
}

// Ready is the sign that a service can be used. One field is set.
type Ready struct {
	TCP  string `json:"tcp,omitempty"`  // address that accepts connections, host:port
	File string `json:"file,omitempty"` // absolute path of a file that is there
	Line string `json:"line,omitempty"` // regular expression that matches a line of its output
}

// String formats the sign as a suite file has it.
func (r Ready) String() string {
	switch {
	case r.TCP != "":
		return "tcp: " + r.TCP
	case r.File != "":
		return "file: " + r.File
	}
	return "line: " + strconv.Quote(r.Line)
}

func (s *Service) text() string { return words(s.Argv) + " (" + s.Ready.String() + ")" }

// Metric is a number that a command prints or writes.
type Metric struct {
	result.Declared
	From  string  `json:"from"`            // stdout, stderr or the absolute path of a file
	Regex string  `json:"regex,omitempty"` // one of Regex, JSON and Bench is set
	JSON  string  `json:"json,omitempty"`
	Bench string  `json:"bench,omitempty"`
	Scale float64 `json:"scale"` // SI base units in one of what is printed
}

func (m *Metric) text() string {
	rule := cmp.Or(m.Regex, m.JSON, m.Bench)
	how := metricRules[slices.Index([]string{m.Regex, m.JSON, m.Bench}, rule)]
	s := fmt.Sprintf("%s: %s %s in %s, %s is better", m.Name, how, rule, m.From, m.Better)
	if m.Unit != "" {
		s += ", in " + m.Unit
	}
	if m.Exact {
		s += ", exact"
	}
	return s
}

// metricRules are the ways to find a number in a text. A metric has one of them.
var metricRules = []string{"regex", "json", "bench"}

// Gate is an expression that passes or fails, with every ${…} in it expanded.
type Gate struct {
	ID             string    `json:"id"` // unique within the case: the name, or else the expression
	Expr           lang.Text `json:"expr"`
	Severity       string    `json:"severity"`        // fail or warn
	OnInconclusive string    `json:"on_inconclusive"` // auto, list or fail
}

// Other is a case of another plan that a case is paired with: the same case in another
// tree, or, for a sentinel, in the same tree.
type Other struct {
	Plan *Plan  `json:"-"`    // its host and its folders measure Case
	Name string `json:"name"` // used in reports: the tree as the user named it
	Case Case   `json:"case"`

	// Files are what both sides were found to read, each in its own tree: this tree's file and
	// the other tree's. They are placed anew in memory for each block of pairs.
	Files [][2]string `json:"-"`
}

// IsInput reports whether a file, given by its absolute path, matches one of the patterns
// in inputs.
func (c *Case) IsInput(file string) bool {
	return slices.ContainsFunc(c.Inputs, func(pattern string) bool { return paths.Match(pattern, file) })
}

func (g *GoTest) text() string {
	switch {
	case g == nil:
		return ""
	case g.Package == "":
		return g.Pattern
	}
	s := g.Package + " " + g.Benchmark
	if g.Procs > 0 {
		s += fmt.Sprintf(" with GOMAXPROCS=%d", g.Procs)
	}
	if g.Top {
		s += ", and its sub-benchmarks"
	}
	return s
}
