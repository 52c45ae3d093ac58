// Command suite runs benchmark suites that YAML files declare and judges them by
// pass/fail expressions: see `suite --help` and the README.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"example.com/suite/internal/display"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/orphan"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/terminal"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	_ "example.com/suite/suites" // registers the Go benchmarks of suites/
)

// hostCommand is the hidden argument with which suite starts itself as a host, the
// process in which measured code runs.
const hostCommand = "__host"

// hostMachine is for hosts that suite itself runs. They start commands, and can
// therefore find metrics in output.
func hostMachine() host.Machine {
	m := host.Real()
	m.Extract = openMetric
	m.Harness = findHarness
	return m
}

// findHarness is passed in as openMetric is.
func findHarness(name, benchmark string, stays bool) (host.Harness, bool) {
	row, found := harness.Find(name)
	if stays {
		row = row.Staying()
	}
	if !found {
		return host.Harness{}, false
	}
	run := func(a host.Amount, results string) (args, env []string, input string) {
		r := row.Run(benchmark, harness.Amount(a))
		args, env = r.With(results)
		return args, env, r.Input
	}
	time := func(out []byte, results string, a host.Amount) (perIteration float64, own bool, err error) {
		perIteration, err = row.Time(harness.Output{Text: out, Results: results}, benchmark, harness.Amount(a))
		var reported *harness.Failure
		return perIteration, errors.As(err, &reported), err
	}
	h := host.Harness{Run: run, Time: time, Slow: row.Slow}
	if responder, ok := row.Harness.(harness.Responder); ok {
		h.List = row.List().Input
		h.Answered = func(out []byte) (times int, isListed bool) { return responder.Answered(out, benchmark) }
	}
	if marking, ok := row.Harness.(harness.Marking); ok {
		h.Count = func(a host.Amount) (args, env []string, input string) {
			r := marking.Count(benchmark, harness.Amount(a))
			args, env = r.With("")
			return args, env, r.Input
		}
	}
	return h, true
}

// openMetric is passed in, so that hosts with packages of users need not import the
// parsers of output.
func openMetric(m wire.Metric) (func([]byte) (float64, error), error) {
	return extract.Open(extract.Rule{Regex: m.Regex, JSON: m.JSON, Bench: m.Bench, Of: m.Of})
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == hostCommand {
		os.Exit(host.Main(hostMachine()))
	}
	os.Exit(run(os.Args[1:]))
}

// run executes one command line with the real streams and clock, and returns its exit
// status.
func run(args []string) int {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return runCommandLine(system([]string{self, hostCommand}), args)
}

// runCommandLine executes one command line and returns its exit status. A panic of suite itself is
// reported as an internal error, so that its status is not mistaken for a verdict.
func runCommandLine(e env, args []string) (status int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(e.stderr, "suite: internal error: %v\n%s\thint: please report this with the lines above\n",
				r, debug.Stack())
			status = exitFail
		}
	}()
	orphan.Adopt()
	orphan.Domain(lockFile(e.lookup))
	if terminal.IsASCII(e.variable) {
		e.stderr, e.annotations = display.Speller(e.stderr), display.Speller(e.annotations)
	}
	ctx, s, stop := signals.Listen()
	defer stop()
	e.signals = s
	return execute(ctx, e, args)
}
