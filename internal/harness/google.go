package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// google is google-benchmark. It is told a time and chooses the iterations itself: versions before
// 1.8 cannot be told their number.
type google struct{}

func (google) List() Request { return Request{Args: []string{"--benchmark_list_tests=true"}} }

func (google) Names(out Output) (names []string, err error) {
	for line := range strings.Lines(string(out.Text)) {
		if name := strings.TrimRight(line, "\r\n"); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// Without --benchmark_repetitions the environment could ask for several runs of each benchmark.
func (google) Run(name string, a Amount) Request {
	return Request{Args: []string{
		"--benchmark_filter=^" + regexp.QuoteMeta(name) + "$",
		"--benchmark_min_time=" + strconv.FormatFloat(a.Seconds, 'f', -1, 64),
		"--benchmark_repetitions=1",
		"--benchmark_format=json",
	}}
}

// googleRun is a row of its results.
type googleRun struct {
	Name       string  `json:"name"`
	RunName    string  `json:"run_name"`
	RunType    string  `json:"run_type"` // iteration, or aggregate for means and the like
	Family     int     `json:"family_index"`
	Instance   int     `json:"per_family_instance_index"`
	Iterations float64 `json:"iterations"`
	Time       float64 `json:"real_time"` // of one iteration
	Unit       string  `json:"time_unit"`
	Failed     bool    `json:"error_occurred"`
	Error      string  `json:"error_message"`
	Skipped    bool    `json:"skipped"` // since 1.8
	Why        string  `json:"skip_message"`
}

var googleUnits = map[string]float64{"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}

// A benchmark whose code asks for repetitions has a row for each of them: their mean is the time.
func (google) Time(o Output, name string, _ Amount) (float64, error) {
	out := o.Text
	if len(bytes.TrimSpace(out)) == 0 {
		return 0, fmt.Errorf("no benchmark %s was run: the program has none of this name now", quote(name))
	}
	runs, err := googleRuns(out)
	if err != nil {
		return 0, err
	}
	var first *googleRun
	sum, n := 0.0, 0.0
	for i := range runs {
		r := &runs[i]
		if r.RunName != name && r.Name != name || r.RunType == "aggregate" {
			continue
		}
		if first == nil {
			first = r
		}
		switch {
		case r.Failed:
			return 0, &Failure{Benchmark: name, Message: r.Error}
		case r.Skipped:
			return 0, &Failure{Benchmark: name, Message: r.Why, Skipped: true}
		case r.Family != first.Family || r.Instance != first.Instance:
			return 0, fmt.Errorf("several benchmarks have the name %s, and it cannot tell them apart", quote(name))
		case googleUnits[r.Unit] == 0:
			return 0, fmt.Errorf("the time of %s has the unknown unit %s", quote(name), quote(r.Unit))
		}
		sum, n = sum+r.Time*googleUnits[r.Unit], n+1
	}
	if first == nil {
		return 0, errNoTime(out, name)
	}
	return perIteration(name, sum/n*first.Iterations, first.Iterations)
}

// googleRuns reads its results, which begin at the first line that is a brace: what the program
// itself prints before does not matter.
func googleRuns(out []byte) ([]googleRun, error) {
	at := regexp.MustCompile(`(?m)^\{\r?$`).FindIndex(out)
	if at == nil {
		return nil, errors.New("it printed no JSON on standard output, where its results are expected")
	}
	var doc struct {
		Benchmarks []googleRun `json:"benchmarks"`
	}
	if err := json.NewDecoder(bytes.NewReader(out[at[0]:])).Decode(&doc); err != nil {
		return nil, errors.New("the JSON that it printed is torn: does the benchmark print on standard output, or " +
			"did it end early?")
	}
	return doc.Benchmarks, nil
}
