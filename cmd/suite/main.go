// Command suite runs benchmark suites that YAML files declare and judges them by
// pass/fail expressions: see `suite --help` and the README.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/orphan"
	"example.com/suite/internal/signals"
	"example.com/suite/report/table"
	"example.com/suite/runner/host"
	"example.com/suite/runner/host/wire"
	_ "example.com/suite/suites" // registers the Go benchmarks of suites/
	"github.com/spf13/cobra"
)

// Exit statuses are part of the interface: scripts depend on them. A run that measured
// ends with the status of its result.Outcome.
const (
	exitOK    = 0 // measured; every gate passed
	exitUsage = 2 // bad command line or suite file; nothing was run
	exitFail  = 3 // a report could not be written, or suite itself failed
	exitUnfit = 4 // identical code is called different on this machine
)

// hostCommand is the hidden argument with which suite starts itself as a host, the
// process in which measured code runs.
const hostCommand = "__host"

// env is the part of the outside world that commands use. Tests replace it.
type env struct {
	stdout, stderr io.Writer
	host           []string // argv that starts a host
	lookup         func(string) (string, bool)
	terminal       terminal   // of stderr, for progress
	color          bool       // stdout shows colours
	width          int        // columns of stdout; 0: ask output
	output         terminal   // stdout
	view           table.View // of the table on stdout
	stamps         bool       // write timestamps in openmetrics and prometheus
	siteAt         string     // where html reports find the pages of suite site; empty: nowhere
	signals        *signals.Signals
	now            func() time.Time
}

// hostMachine is for hosts that suite itself runs. They start commands, and can
// therefore find metrics in output.
func hostMachine() host.Machine {
	m := host.Real()
	m.Extract = openMetric
	return m
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
	return system([]string{self, hostCommand}).run(args)
}

// run executes one command line and returns its exit status. A panic of suite itself is
// reported as an internal error, so that its status is not mistaken for a verdict.
func (e env) run(args []string) (status int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(e.stderr, "suite: internal error: %v\n%s\thint: please report this with the lines above\n", r, debug.Stack())
			status = exitFail
		}
	}()
	orphan.Adopt()
	orphan.Domain(lockFile(e.lookup))
	if e.spelt() {
		e.stderr = display.Speller(e.stderr)
	}
	ctx, s, stop := signals.Listen()
	defer stop()
	e.signals = s
	return e.execute(ctx, args)
}

// orderly is for a command that watches its context and cleans up after it ends.
func (e env) orderly(c *cobra.Command) context.Context {
	e.signals.Orderly()
	return c.Context()
}
