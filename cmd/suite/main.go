// Command suite runs benchmark suites that YAML files declare, and tells a CI
// job the truth about them: see `suite --help` and the README.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/orphan"
	"example.com/suite/report/table"
	"example.com/suite/runner/host"
	_ "example.com/suite/suites" // registers the Go benchmarks of suites/
)

// Exit statuses are part of the interface: scripts depend on them. The other
// ones come from result.Outcome.
const (
	exitOK    = 0 // measured; every gate passed
	exitUsage = 2 // bad command line or suite file; nothing was run
	exitFail  = 3 // a report could not be written, or suite itself failed
	exitUnfit = 4 // identical code is called different on this machine
)

// hostCommand is the hidden subcommand under which suite starts itself as the
// process in which measured code runs.
const hostCommand = "__host"

// env is what a command may use of the world.
type env struct {
	stdout, stderr io.Writer
	host           []string // argv that starts a host
	lookup         func(string) (string, bool)
	terminal       terminal   // of stderr, for progress
	color          bool       // stdout shows colours
	width          int        // columns of stdout; 0: those of output
	output         terminal   // stdout
	view           table.View // what the reader chose about the table on stdout
	stamps         bool       // openmetrics and prometheus have timestamps
	signals        *signals
	now            func() time.Time
}

// hostMachine is what hosts of suite itself measure with: it starts the commands.
func hostMachine() host.Machine {
	m := host.Real()
	m.Extract = find
	return m
}

// find opens what finds the number of a metric: hosts import no package for it.
func find(m host.Metric) (func([]byte) (float64, error), error) {
	return extract.Open(extract.Rule{Regex: m.Regex, JSON: m.JSON, Bench: m.Bench, Of: m.Of})
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == hostCommand {
		os.Exit(host.Main(hostMachine()))
	}
	os.Exit(run(os.Args[1:]))
}

// run is main without the exit, on the real world.
func run(args []string) int {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return system([]string{self, hostCommand}).run(args)
}

// run executes one command line and gives its exit status. A panic of suite
// itself is said to be one and is never mistaken for a verdict.
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
	ctx, s, stop := listen()
	defer stop()
	e.signals = s
	return e.execute(ctx, args)
}
