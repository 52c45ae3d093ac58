// Package foreign reads what other programs have measured as runs of a history: the output of go test -bench and of
// cargo bench, the JSON of google/benchmark, JMH, BenchmarkDotNet and vitest, and the files of github-action-benchmark.
package foreign

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/gotest"
	"example.com/suite/internal/history"
	"example.com/suite/internal/lazy"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/stats"
	"github.com/go-json-experiment/json"
	"golang.org/x/perf/benchfmt"
)

// source is what another program has written.
type source struct {
	File     string
	Text     []byte
	Modified time.Time // of the file: the start of runs whose file has no date
	Suite    string    // that its cases belong to
	Commit   string    // that was measured, if the file does not have it
}

// errUnknown means that a text is in no format that this package knows.
var errUnknown = errors.New("not a file of go test -bench, cargo bench, google/benchmark, JMH, " +
	"BenchmarkDotNet, vitest, github-action-benchmark or suite history export")

// runs makes runs of a text of another program, or of what Export wrote. The error is errUnknown for any other text.
func (s source) runs() ([]*history.Run, error) {
	head := bytes.TrimSpace(s.Text)
	switch {
	case history.IsExport(head):
		return history.Import(head)
	case bytes.HasPrefix(head, []byte("window.BENCHMARK_DATA")):
		_, data, _ := bytes.Cut(head, []byte("="))
		return s.actions(bytes.TrimRight(data, "; \n"))
	case bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"entries"`)):
		return s.actions(head)
	case bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"groups"`)) &&
		bytes.Contains(head, []byte(`"fullName"`)):
		return s.vitest()
	case bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"HostEnvironmentInfo"`)):
		return s.dotnet()
	case bytes.HasPrefix(head, []byte("[")) && bytes.Contains(head, []byte(`"jmhVersion"`)):
		return s.jmh()
	case bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"benchmarks"`)):
		return s.google()
	case goBenchmark().Match(head):
		return s.goTest()
	case libtestLine().Match(head):
		return s.libtest()
	}
	return nil, errUnknown
}

var goBenchmark = lazy.Regexp(`(?m)^Benchmark\S+\s+\d+\s+\S+ \S+`)

func (s source) run(origin, digest string) *history.Run {
	return &history.Run{Schema: history.Schema, Started: s.Modified.UTC(), Commit: s.Commit,
		Origin: origin, Digest: digest}
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// collected gathers the values of each metric of each case, in the order of their first
// appearance: repetitions of a benchmark are samples.
type collected struct {
	cases  []history.Case // with the names as they were printed
	names  []string       // of the cases, without the number of processors
	values map[[2]string][]float64
	procs  []int // GOMAXPROCS of benchmarks, as their names state it
}

// addValue adds a value of a case, whose name is printed with its number of processors.
func (c *collected) addValue(suite, name, printed string, m history.Metric) {
	if c.values == nil {
		c.values = map[[2]string][]float64{}
	}
	i := slices.IndexFunc(c.cases, func(k history.Case) bool { return k.Name == printed })
	if i < 0 {
		i = len(c.cases)
		c.cases = append(c.cases, history.Case{Suite: suite, Name: printed, Params: paramsIn(name)})
		c.names = append(c.names, name)
	}
	key := [2]string{printed, m.Name}
	if c.values[key] == nil {
		c.cases[i].Metrics = append(c.cases[i].Metrics, m)
	}
	c.values[key] = append(c.values[key], m.Value)
}

// paramsIn returns the parameters in the name of a benchmark: size=1 in Sort/size=1/sorted.
func paramsIn(name string) (params []result.Param) {
	for i, part := range strings.Split(name, "/") {
		key, value, ok := strings.Cut(part, "=")
		if i == 0 || !ok || key == "" {
			continue
		}
		p := result.Param{Name: key, Text: value}
		if x, err := strconv.ParseFloat(value, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
			p.Number = &x
		}
		params = append(params, p)
	}
	return params
}

// ran notes the number of processors in the name of a benchmark. Without one it is 1, as
// package testing prints it.
func (c *collected) ran(name string) {
	n := 1
	if at := procs().FindString(name); at != "" {
		n, _ = strconv.Atoi(at[1:]) // digits; a number that is too large is no number of CPUs
	}
	if !slices.Contains(c.procs, n) {
		c.procs = append(c.procs, n)
	}
}

// cpus is the number of CPUs of the machine, 0 if it is not known: go test -cpu 1,2,4 names
// several numbers, and one processor may be GOMAXPROCS or an index of the name.
func (c *collected) cpus() int {
	if len(c.procs) != 1 || c.procs[0] == 1 {
		return 0
	}
	return c.procs[0]
}

// summed gives each metric the median of its values, and a 99 % interval if they suffice. A case that
// ran with one number of processors has its name without it; go test -cpu 1,2 makes two cases.
func (c *collected) summed() []history.Case {
	for i := range c.cases {
		for j := range c.cases[i].Metrics {
			m := &c.cases[i].Metrics[j]
			values := c.values[[2]string{c.cases[i].Name, m.Name}]
			m.Value, m.N = stats.Median(values), len(values)
			if low, high, err := stats.MedianInterval(values, 0.99); err == nil {
				m.Low, m.High = &low, &high
			}
		}
	}
	seen := map[string]int{}
	for _, name := range c.names {
		seen[name]++
	}
	for i, name := range c.names {
		if seen[name] == 1 {
			c.cases[i].Name = name
		}
	}
	return c.cases
}

// goTest reads the Go benchmark format. Runs with different values of the key commit are
// different runs.
func (s source) goTest() (runs []*history.Run, err error) {
	type group struct {
		run *history.Run
		all collected
	}
	var groups []*group
	reader := benchfmt.NewReader(bytes.NewReader(s.Text), s.File)
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		commit := cmp.Or(r.GetConfig("commit"), s.Commit)
		i := slices.IndexFunc(groups, func(g *group) bool { return g.run.Commit == commit })
		if i < 0 {
			i = len(groups)
			run := s.run("go test", digestOf(append([]byte(commit+"\n"), s.Text...)))
			run.Commit, run.Go = commit, r.GetConfig("toolchain")
			run.Machine = result.Machine{OS: r.GetConfig("goos"), Arch: r.GetConfig("goarch"), CPU: r.GetConfig("cpu")}
			if when, err := time.Parse(time.RFC3339, r.GetConfig("commit-time")); err == nil {
				run.Committed = when.UTC()
				run.Started = run.Committed // the file may have many commits, and was written once
			}
			groups = append(groups, &group{run: run})
		}
		g := groups[i]
		name, full := withoutProcs(r), string(r.Name.Full())
		g.all.ran(full)
		units := make([]string, len(r.Values))
		printed := make([]float64, len(r.Values))
		for k, v := range r.Values {
			units[k], printed[k] = v.Unit, v.Value
			if v.OrigUnit != "" {
				units[k], printed[k] = v.OrigUnit, v.OrigValue
			}
			if units[k] == "ns/op" {
				g.all.addValue(s.Suite, name, full, timeOf(printed[k]*1e-9))
			}
		}
		for _, m := range gotest.Metrics(units) {
			kept := history.Metric{Name: m.Name, Value: printed[slices.Index(units, m.Unit)] * m.Scale}
			if m.Declared != nil {
				kept.Unit, kept.Better = m.Declared.Unit, m.Declared.Better
			} else if known, ok := result.FindMetric(m.Name); ok {
				kept.Unit, kept.Better = known.Unit, known.Direction
			}
			kept.Per = table.PerWhat(&result.Case{Unit: "op"}, m.Name)
			g.all.addValue(s.Suite, name, full, kept)
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	for _, g := range groups {
		g.run.Cases, g.run.Machine.CPUs = g.all.summed(), g.all.cpus()
		runs = append(runs, g.run)
	}
	return runs, nil
}

// withoutProcs is the name of a benchmark without the number of processors.
func withoutProcs(r *benchfmt.Result) string {
	base, parts := r.Name.Parts()
	name := string(base)
	for _, part := range parts {
		if part[0] != '-' {
			name += string(part)
		}
	}
	return name
}

// googleFile is what google/benchmark writes with --benchmark_format=json.
type googleFile struct {
	Context struct {
		Date string `json:"date"`
		CPUs int    `json:"num_cpus"`
	} `json:"context"`
	Benchmarks []struct {
		Name   string  `json:"name"`
		Run    string  `json:"run_name"`
		Kind   string  `json:"run_type"` // iteration or aggregate
		Real   float64 `json:"real_time"`
		CPU    float64 `json:"cpu_time"`
		Unit   string  `json:"time_unit"`
		Items  float64 `json:"items_per_second"`
		Failed bool    `json:"error_occurred"`
	} `json:"benchmarks"`
}

func (s source) google() ([]*history.Run, error) {
	var f googleFile
	if err := json.Unmarshal(s.Text, &f); err != nil {
		return nil, err
	}
	run := s.run("google/benchmark", digestOf(s.Text))
	run.Machine.CPUs = f.Context.CPUs
	if when, err := time.Parse(time.RFC3339, f.Context.Date); err == nil {
		run.Started = when.UTC()
	}
	var all collected
	for _, b := range f.Benchmarks {
		if b.Failed || b.Kind == "aggregate" {
			continue
		}
		_, scale := result.BaseUnit(cmp.Or(b.Unit, "ns"))
		name := cmp.Or(b.Run, b.Name)
		all.addValue(s.Suite, name, name, timeOf(b.Real*scale))
		all.addValue(s.Suite, name, name, history.Metric{Name: "cpu", Unit: "s", Per: "op",
			Better: result.Lower, Value: b.CPU * scale})
		if b.Items > 0 {
			all.addValue(s.Suite, name, name,
				history.Metric{Name: "throughput", Unit: "1/s", Better: result.Higher, Value: b.Items})
		}
	}
	run.Cases = all.summed()
	return []*history.Run{run}, nil
}

// actionsFile is what github-action-benchmark keeps: data.js after the equals sign, or the
// file of external-data-json-path.
type actionsFile struct {
	Repository string `json:"repoUrl"`
	Entries    map[string][]struct {
		Commit struct {
			ID   string `json:"id"`
			Page string `json:"url"`
			Text string `json:"message"`
			By   struct {
				Name string `json:"name"`
			} `json:"author"`
			When time.Time `json:"timestamp"`
		} `json:"commit"`
		Date    int64  `json:"date"` // milliseconds
		Tool    string `json:"tool"`
		Benches []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
			Unit  string  `json:"unit"`
		} `json:"benches"`
	} `json:"entries"`
}

func (s source) actions(text []byte) (runs []*history.Run, err error) {
	var f actionsFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	for _, suite := range slices.Sorted(maps.Keys(f.Entries)) {
		for _, e := range f.Entries[suite] {
			identity := fmt.Sprintf("%s %s %d", suite, e.Commit.ID, e.Date)
			run := s.run(cmp.Or(e.Tool, "github-action-benchmark"), digestOf([]byte(identity)))
			run.Started = time.UnixMilli(e.Date).UTC()
			run.Commit, run.Committed = e.Commit.ID, e.Commit.When.UTC()
			run.Subject, _, _ = strings.Cut(e.Commit.Text, "\n")
			run.Author = e.Commit.By.Name
			run.Page = e.Commit.Page
			if run.Page == "" && f.Repository != "" {
				run.Page = strings.TrimSuffix(f.Repository, "/") + "/commit/" + e.Commit.ID
			}
			var all collected
			for _, b := range e.Benches {
				name, m := actionsMetric(b.Name, b.Unit, b.Value, e.Tool)
				printed := name
				if e.Tool == "go" {
					printed = strings.TrimPrefix(strings.TrimSuffix(b.Name, " - "+b.Unit), "Benchmark")
					all.ran(printed)
				}
				all.addValue(cmp.Or(s.Suite, suite), name, printed, m)
			}
			run.Cases, run.Machine.CPUs = all.summed(), all.cpus()
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// actionsMetric finds the metric of a line. The Go tool appends the unit of all values but
// the first to the name, and counts are units of go test.
func actionsMetric(name, unit string, value float64, tool string) (string, history.Metric) {
	better := result.Lower
	if tool == "customBiggerIsBetter" || strings.Contains(strings.ToLower(unit), "/s") {
		better = result.Higher
	}
	first, _, _ := strings.Cut(unit, "\n")
	first = strings.TrimSuffix(strings.TrimSuffix(first, "/iter"), "/op")
	name = strings.TrimSuffix(name, " - "+unit)
	name = procs().ReplaceAllString(strings.TrimPrefix(name, "Benchmark"), "")
	base, scale := result.BaseUnit(first)
	switch {
	case base == "s" && better == result.Lower:
		return name, history.Metric{Name: "time", Unit: "s", Per: "op", Better: better, Value: value * scale}
	case first == "ops/sec" || first == "ops/s" || first == "iter/sec":
		return name, history.Metric{Name: "throughput", Unit: "1/s", Better: result.Higher, Value: value}
	case first == "B":
		return name, history.Metric{Name: "heap", Unit: "B", Per: "iteration", Better: better, Value: value}
	case first == "allocs":
		return name, history.Metric{Name: "allocs", Per: "iteration", Better: better, Value: value}
	}
	word := strings.Trim(notWord().ReplaceAllString(first, "_"), "_")
	return name, history.Metric{Name: cmp.Or(word, "value"), Unit: base, Better: better, Value: value * scale}
}

var (
	procs   = lazy.Regexp(`-\d+$`)
	notWord = lazy.Regexp(`[^A-Za-z0-9]+`)
)
