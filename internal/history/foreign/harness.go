package foreign

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/harness"
	"example.com/suite/internal/history"
	"example.com/suite/internal/lazy"
	"example.com/suite/result"
	"github.com/go-json-experiment/json"
)

// timeOf is the time of an iteration, in s.
func timeOf(seconds float64) history.Metric {
	return history.Metric{Name: "time", Unit: "s", Per: "op", Better: result.Lower, Value: seconds}
}

// jmhResult is an element of what JMH writes with -rf json. Each fork has a list of numbers, one for each iteration.
type jmhResult struct {
	Name   string            `json:"benchmark"`
	Params map[string]string `json:"params"`
	Score  struct {
		Value float64     `json:"score"`
		Unit  string      `json:"scoreUnit"` // us/op, or ops/ms
		Raw   [][]float64 `json:"rawData"`   // absent if JMH has kept a histogram of single calls instead
	} `json:"primaryMetric"`
}

// jmh reads the JSON of JMH. Parameters are parts of the name: Parser.parse/size=10.
func (s source) jmh() ([]*history.Run, error) {
	var results []jmhResult
	if err := json.Unmarshal(s.Text, &results); err != nil {
		return nil, err
	}
	var all collected
	for _, r := range results {
		name := r.Name
		for _, key := range slices.Sorted(maps.Keys(r.Params)) {
			name += "/" + key + "=" + r.Params[key]
		}
		values := slices.Concat(r.Score.Raw...)
		if len(values) == 0 {
			values = []float64{r.Score.Value}
		}
		for _, x := range values {
			all.addValue(s.Suite, name, name, jmhMetric(r.Score.Unit, x))
		}
	}
	run := s.run("JMH", digestOf(s.Text))
	run.Cases = all.summed()
	return []*history.Run{run}, nil
}

// jmhMetric is a score of JMH: a time, of the modes avgt, sample and ss, or a rate, of the mode thrpt.
func jmhMetric(unit string, score float64) history.Metric {
	if per, isRate := strings.CutPrefix(unit, "ops/"); isRate {
		_, scale := result.BaseUnit(per)
		return history.Metric{Name: "throughput", Unit: "1/s", Better: result.Higher, Value: score / scale}
	}
	_, scale := result.BaseUnit(strings.TrimSuffix(unit, "/op"))
	return timeOf(score * scale)
}

// dotnetFile is what BenchmarkDotNet writes with its exporter json full.
type dotnetFile struct {
	Title string // ends with the local time of the start: -20200529-125817
	Host  struct {
		CPU  string `json:"ProcessorName"`
		CPUs int    `json:"LogicalCoreCount"`
		Arch string `json:"Architecture"`
	} `json:"HostEnvironmentInfo"`
	Benchmarks []struct {
		Name       string `json:"FullName"`
		Statistics struct {
			Values []float64 `json:"OriginalValues"` // ns of an operation, one for each iteration
		}
		Memory struct {
			Bytes *float64 `json:"BytesAllocatedPerOperation"`
		}
	}
}

// dotnet reads the JSON of BenchmarkDotNet. A benchmark that failed has no values.
func (s source) dotnet() ([]*history.Run, error) {
	var f dotnetFile
	if err := json.Unmarshal(s.Text, &f); err != nil {
		return nil, err
	}
	run := s.run("BenchmarkDotNet", digestOf(s.Text))
	run.Machine = result.Machine{CPU: f.Host.CPU, CPUs: f.Host.CPUs, Arch: cmp.Or(dotnetArch[f.Host.Arch], f.Host.Arch)}
	const stamp = "20060102-150405"
	if when, err := time.Parse(stamp, f.Title[max(len(f.Title)-len(stamp), 0):]); err == nil {
		run.Started = when
	}
	var all collected
	for _, b := range f.Benchmarks {
		for _, ns := range b.Statistics.Values {
			all.addValue(s.Suite, b.Name, b.Name, timeOf(ns*1e-9))
		}
		if b.Memory.Bytes != nil && len(b.Statistics.Values) > 0 {
			all.addValue(s.Suite, b.Name, b.Name, history.Metric{Name: "heap", Unit: "B", Per: "iteration",
				Better: result.Lower, Value: *b.Memory.Bytes})
		}
	}
	run.Cases = all.summed()
	return []*history.Run{run}, nil
}

// dotnetArch are Go's names of processors.
var dotnetArch = map[string]string{"X64": "amd64", "X86": "386", "Arm64": "arm64", "Arm": "arm"}

// vitestFile is what vitest writes with bench --outputJson.
type vitestFile struct {
	Files []struct {
		Groups []struct {
			Name       string `json:"fullName"`
			Benchmarks []struct {
				Name   string   `json:"name"`
				Mean   *float64 `json:"mean"` // ms; absent if the benchmark has thrown
				Median float64  `json:"median"`
			} `json:"benchmarks"`
		} `json:"groups"`
	} `json:"files"`
}

// vitest reads the JSON of vitest. Names and times are the same as of harness: vitest, so that its series continue
// these.
func (s source) vitest() ([]*history.Run, error) {
	var f vitestFile
	if err := json.Unmarshal(s.Text, &f); err != nil {
		return nil, err
	}
	var all collected
	for _, file := range f.Files {
		for _, g := range file.Groups {
			for _, b := range g.Benchmarks {
				if name := g.Name + " > " + b.Name; b.Mean != nil {
					all.addValue(s.Suite, name, name, timeOf(harness.VitestTime(*b.Mean, b.Median)*1e-3))
				}
			}
		}
	}
	run := s.run("vitest", digestOf(s.Text))
	run.Cases = all.summed()
	return []*history.Run{run}, nil
}

// libtestLine matches what cargo bench prints of a benchmark of the feature test: its median. Since Rust 1.81 it has
// decimals.
var libtestLine = lazy.Regexp(`(?m)^test (\S.*?) +\.\.\. bench: +([0-9,]+(?:\.[0-9]+)?) ns/iter \(\+/- [0-9,.]+\)`)

// libtest reads the output of cargo bench. A benchmark that comes again is another sample.
func (s source) libtest() ([]*history.Run, error) {
	var all collected
	for _, m := range libtestLine().FindAllStringSubmatch(string(s.Text), -1) {
		ns, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
		if err != nil {
			return nil, err
		}
		all.addValue(s.Suite, m[1], m[1], timeOf(ns*1e-9))
	}
	run := s.run("cargo bench", digestOf(s.Text))
	run.Cases = all.summed()
	return []*history.Run{run}, nil
}
