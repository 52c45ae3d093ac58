package harness

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// vitest is the bench mode of Vitest, a test framework of JavaScript. How long a benchmark runs is in its code: without
// options 500 ms, after a warm-up of 100 ms.
//
// The name of a benchmark is what vitest prints: the file, the describes around it, and its own name, with arrows
// between.
type vitest struct{}

// vitestArrow is between the parts of a name.
const vitestArrow = " > "

// vitestVariables let nothing but text be printed.
var vitestVariables = []string{"NO_COLOR=1"}

//go:embed suite_vitest.mjs
var vitestModule string

func (vitest) Module() Module {
	return Module{File: "suite_vitest.mjs", Text: vitestModule, Argument: "--reporter="}
}

// List lets the module list the benchmarks that the code does not skip, and run none.
func (vitest) List() Request {
	return Request{Variables: vitestVariables, Args: []string{"--run"}, Loads: true}
}

// Names also has the files that cannot be loaded: what is in them is not known, so each is a benchmark that fails.
// Its name has no arrow.
func (vitest) Names(out Output) ([]string, error) { return lines{}.Names(out) }

// Run asks for the benchmarks of a file whose full name matches. In it vitest writes a space for an arrow; an arrow
// may also be in the code's own words. Of a file that cannot be loaded the module prints why, in addition to what
// vitest prints.
func (vitest) Run(name string, _ Amount) Request {
	parts := strings.Split(name, vitestArrow)
	if len(parts) == 1 {
		return Request{Variables: vitestVariables, Args: []string{"--reporter=default", "--run", name}, Loads: true}
	}
	full := parts[1:]
	for i := range full {
		full[i] = regexp.QuoteMeta(full[i])
	}
	return Request{Variables: vitestVariables, Results: "--outputJson=", Args: []string{
		"--run", "--testNamePattern=^" + strings.Join(full, "( | > )") + "$", parts[0],
	}}
}

// vitestReport is what it writes. The unit is ms. A benchmark that has thrown has no mean, and nothing explains why.
type vitestReport struct {
	Files []struct {
		Groups []struct {
			Name       string `json:"fullName"`
			Benchmarks []struct {
				Name   string   `json:"name"`
				Mean   *float64 `json:"mean"`
				Median float64  `json:"median"`
			} `json:"benchmarks"`
		} `json:"groups"`
	} `json:"files"`
}

// VitestTime is the time of an iteration in the unit of the results, ms. That is the median, which other work on the
// machine moves little, unless it is so short that the clock's step shows: each call is timed by itself, in steps of 10
// ns or more.
func VitestTime(mean, median float64) float64 {
	const shortest = 1e-3 // ms
	if median < shortest {
		return mean
	}
	return median
}

// Time takes the one benchmark of its name.
func (vitest) Time(out Output, name string, _ Amount) (float64, error) {
	if !strings.Contains(name, vitestArrow) { // such a file is listed only if that is so
		return 0, notLoaded(out, name)
	}
	var report vitestReport
	switch err := readJSON(out.Results, &report); {
	case errors.Is(err, fs.ErrNotExist):
		return 0, errors.New("it wrote no results to the file of --outputJson")
	case err != nil:
		return 0, err
	}
	var times []float64
	for _, f := range report.Files {
		for _, g := range f.Groups {
			for _, b := range g.Benchmarks {
				switch {
				case g.Name+vitestArrow+b.Name != name:
				case b.Mean == nil:
					return 0, &Failure{Benchmark: name,
						Message: "vitest has no time of it and does not say why; its function throws, or ends " +
							"the process"}
				default:
					times = append(times, VitestTime(*b.Mean, b.Median))
				}
			}
		}
	}
	switch {
	case len(times) == 0:
		return 0, fmt.Errorf("its results do not have %s: is it skipped, or has its process ended?", quote(name))
	case len(times) > 1:
		return 0, fmt.Errorf("several benchmarks have the name %s, and it cannot tell them apart", quote(name))
	}
	return perIteration(name, times[0]/1000, 1)
}

// notLoaded is why a file cannot be loaded.
func notLoaded(out Output, name string) error {
	const message = "vitest cannot load the file"
	var own *Failure
	if _, err := (lines{}).Time(out, name, Amount{}); errors.As(err, &own) {
		return &Failure{Benchmark: name, Message: message + ": " + own.Message}
	}
	return &Failure{Benchmark: name, Message: message}
}

// vitestRunner is a process of vitest that stays. The module replaces the runner of vitest's workers, and the one
// that has the benchmark answers the requests.
type vitestRunner struct{ lines }

func (vitestRunner) Module() Module { return vitest{}.Module() }

func (r vitestRunner) Run(name string, a Amount) Request {
	request := vitest{}.Run(name, a)
	request.Variables = append(slices.Clone(request.Variables), "SUITE_BENCHMARK="+name)
	request.Input, request.Results, request.Loads = r.lines.Run(name, a).Input, "", true
	return request
}
