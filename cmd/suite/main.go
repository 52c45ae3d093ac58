// Command suite runs benchmark suites that YAML files declare, and tells a CI
// job the truth about them: see `suite --help` and the README.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"example.com/suite/host"
	_ "example.com/suite/suites" // registers the Go benchmarks of suites/
)

// Exit statuses are part of the interface: scripts depend on them. The other
// ones come from result.Outcome.
const (
	exitOK    = 0 // measured; every gate passed
	exitUsage = 2 // bad command line or suite file; nothing was run
	exitFail  = 3 // a report could not be written, or suite itself failed
)

// hostCommand is the hidden subcommand under which suite starts itself as the
// process in which measured code runs.
const hostCommand = "__host"

// env is what a command may use of the world.
type env struct {
	stdout, stderr io.Writer
	host           []string // argv that starts a host
	lookup         func(string) (string, bool)
	terminal       terminal // of stderr, for progress
	color          bool     // stdout shows colours
	width          int      // columns of stdout
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == hostCommand {
		os.Exit(host.Main(host.Real()))
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
	ctx, stop := interruptible()
	defer stop()
	return e.execute(ctx, args)
}

// interrupt is the signal that ended a context.
type interrupt struct{ os.Signal }

func (i interrupt) Error() string { return i.String() }

// interruptible gives a context that the first SIGINT or SIGTERM ends, with the
// signal as its cause; a second one ends the process at once.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s, open := <-signals
		if open {
			signal.Stop(signals)
			cancel(interrupt{s})
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// interruptName is SIGINT or SIGTERM where one of them ended ctx.
func interruptName(ctx context.Context) string {
	i, ok := context.Cause(ctx).(interrupt)
	switch {
	case !ok:
		return ""
	case i.Signal == syscall.SIGTERM:
		return "SIGTERM"
	}
	return "SIGINT"
}
