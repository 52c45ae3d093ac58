package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// lines is the protocol for programs that have no harness, or one that suite does not know. A
// program reads requests from standard input, a line each, until its end, and answers each with a line of
// JSON on standard output. All its other lines are ignored.
//
//	list            {"benchmarks": ["parse/small", "parse/large"]}
//	run 100 parse/small   {"name": "parse/small", "iterations": 100, "seconds": 0.0123}
//
// A benchmark that fails answers {"name": "parse/small", "error": "no input file"}, and one that skips itself the same
// with "skipped".
type lines struct{}

// answer is a line of the program.
type answer struct {
	Benchmarks []string `json:"benchmarks"`
	Name       *string  `json:"name"`
	Iterations *float64 `json:"iterations"`
	Seconds    *float64 `json:"seconds"`
	Error      *string  `json:"error"`
	Skipped    *string  `json:"skipped"`
}

// Locate and Program know programs that cargo builds of a crate that speaks the protocol.
func (lines) Locate(argv []string) []string { return criterion{}.Locate(argv) }

func (lines) Program(argv []string, out []byte) (program []string, dir string, err error) {
	return criterion{}.Program(argv, out)
}

func (lines) List() Request { return Request{Input: "list\n"} }

func (lines) Run(name string, a Amount) Request {
	return Request{Input: strings.Repeat(fmt.Sprintf("run %d %s\n", a.Iterations, name), 1+a.Warmups)}
}

func (lines) Names(out Output) (names []string, err error) {
	found := false
	for _, a := range answers(out.Text) {
		names, found = append(names, a.Benchmarks...), found || a.Benchmarks != nil
	}
	switch {
	case !found && len(bytes.TrimSpace(out.Text)) == 0:
		return nil, errors.New("it printed nothing on standard output")
	case !found:
		return nil, errors.New(`no line that it printed on standard output is {"benchmarks": ["NAME", …]}`)
	}
	return names, nil
}

// Time takes the last answer. Those before it are of the warm-up.
func (lines) Time(o Output, name string, a Amount) (float64, error) {
	out := o.Text
	mine, n := answer{}, 0
	for _, one := range answers(out) {
		if one.Name == nil || *one.Name != name {
			continue
		}
		switch {
		case one.Error != nil:
			return 0, &Failure{Benchmark: name, Message: *one.Error}
		case one.Skipped != nil:
			return 0, &Failure{Benchmark: name, Message: *one.Skipped, Skipped: true}
		}
		mine, n = one, n+1
	}
	switch asked := 1 + a.Warmups; {
	case n == 0:
		return 0, errNoTime(out, name)
	case n != asked:
		return 0, fmt.Errorf("it answered %s for %s, and was asked %s", times(n), quote(name), times(asked))
	case mine.Iterations == nil, mine.Seconds == nil:
		return 0, fmt.Errorf("its answer for %s lacks iterations or seconds", quote(name))
	}
	return perIteration(name, *mine.Seconds, *mine.Iterations)
}

// Answered counts every answer of the benchmark, that it failed included.
func (lines) Answered(text []byte, name string) (times int, isListed bool) {
	for _, a := range answers(text) {
		isListed = isListed || a.Benchmarks != nil
		if a.Name != nil && *a.Name == name {
			times++
		}
	}
	return times, isListed
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// answers are the lines that are JSON objects.
func answers(out []byte) (all []answer) {
	for line := range bytes.Lines(out) {
		var a answer
		if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, &a) == nil {
			all = append(all, a)
		}
	}
	return all
}
