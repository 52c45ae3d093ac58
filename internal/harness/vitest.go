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

// An expression that nothing matches makes vitest print all benchmarks as skipped.
func (vitest) List() Request {
	return Request{Variables: vitestVariables, Args: []string{"--run", "--testNamePattern=(?!)"}}
}

// vitestVariables let nothing but text be printed.
var vitestVariables = []string{"NO_COLOR=1"}

var (
	// vitestGroup matches the head of a table: a project, if there are several, the file and the describes.
	// vitestSkipped matches a row of it.
	vitestGroup   = regexp.MustCompile(`^ ↓ (?:\|[^|]*\| )?(\S.*)$`)
	vitestSkipped = regexp.MustCompile(`^   ↓ (.*) \[skipped\]$`)
	// vitestVersion matches the line that has the first number of its version.
	vitestVersion = regexp.MustCompile(`^ RUN +v(\d+)\.`)
)

func (vitest) Names(out Output) (names []string, err error) {
	group := ""
	for line := range strings.Lines(string(out.Text)) {
		line = strings.TrimRight(line, "\r\n")
		if m := vitestVersion.FindStringSubmatch(line); m != nil && m[1] != "3" && m[1] != "4" {
			return nil, fmt.Errorf("it is vitest %s: suite knows the interface of versions 3 and 4", m[1])
		} else if m := vitestGroup.FindStringSubmatch(line); m != nil {
			group = m[1]
		} else if m := vitestSkipped.FindStringSubmatch(line); m != nil && group != "" {
			names = append(names, group+vitestArrow+m[1])
		}
	}
	return names, nil
}

// Run asks for the benchmarks of a file whose full name matches. In it vitest writes a space for an arrow; an arrow may
// also be in the code's own words.
func (vitest) Run(name string, _ Amount) Request {
	parts := strings.Split(name, vitestArrow)
	full := parts[1:]
	for i := range full {
		full[i] = regexp.QuoteMeta(full[i])
	}
	return Request{Variables: vitestVariables, Results: "--outputJson=", Args: []string{
		"--run", "--testNamePattern=^" + strings.Join(full, "( | > )") + "$", parts[0],
	}}
}

// vitestReport is what it writes. The unit is ms. A benchmark that has thrown has no mean, and nothing tells why.
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

// vitestRunner is a process of vitest that stays. A module of suite's own replaces the runner of vitest's workers, and
// the one that has the benchmark answers the requests.
type vitestRunner struct{ lines }

//go:embed suite_vitest.mjs
var vitestModule string

func (vitestRunner) Module() Module {
	return Module{File: "suite_vitest.mjs", Text: vitestModule, Argument: "--reporter="}
}

func (r vitestRunner) Run(name string, a Amount) Request {
	one := vitest{}.Run(name, a)
	return Request{Args: one.Args, Input: r.lines.Run(name, a).Input,
		Variables: append(slices.Clone(one.Variables), "SUITE_BENCHMARK="+name)}
}
