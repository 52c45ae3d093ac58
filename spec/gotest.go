package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// GoTest is the benchmark of a test binary that a case measures. If the binary was not
// asked for its benchmarks, only Pattern is set.
type GoTest struct {
	Pattern   string `json:"pattern"`             // as the suite file has it
	Package   string `json:"package,omitempty"`   // import path
	Benchmark string `json:"benchmark,omitempty"` // as it is printed, without GOMAXPROCS: BenchmarkParse/small
	Dir       string `json:"dir,omitempty"`       // absolute, of the package
	Program   string `json:"program,omitempty"`   // path of the binary, which is named after its content
	Procs     int    `json:"procs,omitempty"`     // GOMAXPROCS; 0: as suite itself has it
	Top       bool   `json:"top,omitempty"`       // it may have sub-benchmarks: a run looks for them and measures those
}

// IsOpen reports whether the case represents benchmarks that only a run finds.
func (c *Case) IsOpen() bool { return c.GoTest != nil && (c.GoTest.Top || c.GoTest.Package == "") }

// GoTestQuery asks for the benchmarks of Go packages.
type GoTestQuery struct {
	Pattern string // of packages, relative to Dir
	Dir     string // absolute
	Match   benchname.Match
	Procs   int      // GOMAXPROCS while they are listed; 0: as suite itself has it
	Env     []string // NAME=value
	Limit   Duration // of one start of a binary
	Place   diag.Place
	Name    string   // beginning of the names of its cases; empty: the package within its module
	Tags    []string // of its cases
	// MatchText is the pattern of Match, or "" if all benchmarks are wanted, and MatchPlace
	// is its place in the suite file.
	MatchText  string
	MatchPlace diag.Place
}

// GoBenchmark is one benchmark that a query found.
type GoBenchmark struct {
	GoTest
	Within  string   // the package within its module, or below the suite file if the module is: internal/parse
	Metrics []Metric // reported by its own code, in addition to the metrics of package testing
}

// match reads the pattern of the benchmarks that are wanted.
func (r *benchReader) match(n yaml.Node) {
	r.b.match = r.template(n, `"match"`)
	if r.b.match == nil || !r.b.match.Literal() {
		return
	}
	if _, err := benchname.ParseMatch(n.Value); err != nil {
		r.Fail(n, matchHint, "match: %s", diag.Clip(err.Error()))
	}
}

const matchHint = "an expression for each part of a name, as go test -bench has it: Parse/small"

// Limits of the list cpu and of its numbers.
const (
	maxProcsList = 64
	maxProcs     = 10_000
)

// cpu reads the list of GOMAXPROCS.
func (r *benchReader) cpu(n yaml.Node) {
	r.b.procs = nil
	if n.Kind != yaml.List {
		r.FailAs(diag.WrongType, n, "cpu: [1, 4] is a case with GOMAXPROCS=1 and one with 4", `"cpu" must be a list of numbers, not %s`, n.What())
		return
	}
	for _, item := range r.List(n, `"cpu"`, "a list of numbers") {
		if !r.IsA(item, yaml.Scalar, "a number of processors", "a number") {
			continue
		}
		x, err := whole(item.Value, maxProcs)
		switch {
		case err != nil || item.ShortTag() == "!!str":
			r.Fail(item, "", "a number of processors must be a whole number from 1 to %d, not %s", maxProcs, diag.Quote(item.Value))
		case slices.Contains(r.b.procs, int(x)):
			r.FailAs(diag.Duplicate, item, "", "%d comes twice in cpu", x)
		case len(r.b.procs) == maxProcsList:
			r.Fail(item, "", "cpu has more than %d numbers", maxProcsList)
		default:
			r.b.procs = append(r.b.procs, int(x))
		}
	}
}

// Benchtime is how long a sample of an existing benchmark is.
type Benchtime struct {
	N    int64    `json:"n,omitempty"`    // iterations; 0: as many as fill Time
	Time Duration `json:"time,omitempty"` // wanted
}

func (b Benchtime) String() string {
	if b.N > 0 {
		return fmt.Sprintf("%dx", b.N)
	}
	return b.Time.String()
}

// maxIterations is the limit of package testing for one sample.
const maxIterations = 1_000_000_000

// setBenchtime reads 100x or 20ms.
func setBenchtime(s *Settings, text string) error {
	if count, ok := strings.CutSuffix(text, "x"); ok {
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil || n < 1 || n > maxIterations {
			return fmt.Errorf("%q is not a number of iterations from 1x to %dx", text, maxIterations)
		}
		s.Benchtime = Benchtime{N: n}
		return nil
	}
	d, err := ParseDuration(text)
	switch {
	case err != nil:
		return fmt.Errorf("%w, nor a number of iterations such as 100x", err)
	case d == 0:
		return fmt.Errorf("%q is not more than zero", text)
	}
	s.Benchtime = Benchtime{Time: d}
	return nil
}

// gotests appends the cases of the benchmarks in the packages of one row.
func (p *planner) gotests(cases []Case, b *benchmark, common Case, row []lang.Value) []Case {
	common.Params = params(b.varying(), row, b.constants)
	p.with(common.Params)
	before := len(p.Found)
	found := p.benchmarksOf(b, &common)
	for _, one := range found {
		processors := b.processors()
		if one.Benchmark == "" {
			processors = []int{0} // the one case represents all of them
		}
		for _, procs := range processors {
			c := common
			c.Origins = maps.Clone(common.Origins)
			g := one.GoTest
			g.Procs, c.GoTest = procs, &g
			c.Metrics = slices.Clone(one.Metrics)
			c.within = p.goTestName(b, &one, procs)
			p.expand(b, &c, row)
			if len(p.Found) == before {
				p.unique(b, &c)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// processors lists the values of GOMAXPROCS to measure with. 0 means the value that
// suite itself runs with.
func (b *benchmark) processors() []int {
	if len(b.procs) == 0 {
		return []int{0}
	}
	return b.procs
}

// If nobody can list the benchmarks of a row, the result is one that represents the
// row.
func (p *planner) benchmarksOf(b *benchmark, c *Case) []GoBenchmark {
	q, ok := p.query(b, c)
	if !ok {
		return nil
	}
	if p.catalogue.Offline || p.catalogue.GoTests == nil {
		return []GoBenchmark{{GoTest: GoTest{Pattern: q.Pattern}}}
	}
	found, problems := p.catalogue.GoTests(p.suite.packages, q)
	p.Add(problems...)
	return found
}

func (p *planner) query(b *benchmark, c *Case) (q GoTestQuery, ok bool) {
	if b.gotest == nil {
		return q, false // its problem has been reported
	}
	before := len(p.Found)
	q = GoTestQuery{Pattern: p.text(b.gotest), Dir: b.dir, Procs: b.processors()[0], Limit: c.Settings.Timeout, Place: b.gotest.Text.Place, Name: p.text(b.name), Tags: b.tags}
	for _, v := range b.env {
		q.Env = append(q.Env, v.name+"="+p.text(v.value))
		if v.name == "GOMAXPROCS" {
			p.fail(v.value.Text.Place, "cpu: [4]", "GOMAXPROCS is set by cpu:")
		}
	}
	if b.match != nil {
		q.MatchText, q.MatchPlace = p.text(b.match), b.match.Text.Place
		m, err := benchname.ParseMatch(q.MatchText)
		if err != nil && !b.match.Literal() { // the reader has reported the literal one
			p.fail(q.MatchPlace, matchHint, "match: %s", diag.Clip(err.Error()))
		}
		q.Match = m
	}
	return q, len(p.Found) == before
}

// goTestName begins with the package, unless the suite file names the benchmark.
func (p *planner) goTestName(b *benchmark, one *GoBenchmark, procs int) string {
	name := benchname.Short(one.Benchmark)
	if b.name == nil {
		name = strings.TrimSuffix(one.Within+"/"+name, "/")
	}
	if one.Benchmark == "" && b.name == nil {
		name = one.Pattern
	}
	if procs > 0 && name != "" {
		name = benchname.Procs(name, procs)
	}
	return name
}

// hasGoTests reports whether packages are built for their tests.
func (s *Suite) hasGoTests() bool {
	return slices.ContainsFunc(s.benchmarks, func(b *benchmark) bool { return b.kind == result.KindGoTest })
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
