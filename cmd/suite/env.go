package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/ci"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/jsondoc"
	"example.com/suite/internal/machine"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/terminal"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/usercache"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/report/table"
	"example.com/suite/runner"
	"example.com/suite/runner/host"
	"example.com/suite/runner/process"
	"github.com/spf13/cobra"
)

// env is the part of the outside world that commands use. Tests replace it.
type env struct {
	stdout      ci.Output
	stderr      io.Writer // guarded as stdout is
	annotations io.Writer // standard error, for the commands of --ci github
	host        []string  // argv that starts a host
	lookup      func(string) (string, bool)
	terminal    terminal.Terminal // of stderr, for progress
	color       bool              // stdout shows colours
	width       int               // columns of stdout; 0: ask output
	output      terminal.Terminal // stdout
	signals     *signals.Signals
	now         func() time.Time
	clock       func() time.Time // of what a run times besides samples, such as starts of hosts; nil: time.Now
}

// printError prints an error on standard error. Problems of a file begin with their place,
// every other error with the name of the program.
func (e env) printError(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			e.printError(one)
		}
		return
	}
	text := "suite: " + err.Error()
	if problems, ok := diag.AsProblems(err); ok {
		text = problems.Error()
	} else if hint := diag.HintOf(err); hint != "" {
		text += "\n\thint: " + hint
	} else if other := (*tree.Error)(nil); errors.As(err, &other) && other.Hint != "" {
		text += "\n\thint: " + other.Hint
	}
	fmt.Fprintln(e.stderr, cleanLines(text))
}

// say prints a line on standard error that belongs to no report.
func (e env) say(format string, args ...any) {
	fmt.Fprintln(e.stderr, "suite: "+clean(fmt.Sprintf(format, args...)))
}

// warn prints warnings about suite files.
func (e env) warn(doubts diag.Problems) {
	for _, d := range doubts {
		e.say("warning: %s: %s (%s)", d.Place, d.Message, d.Hint)
	}
}

// words is standard output for text that people read, spelt in ASCII if the locale has
// nothing else. Text whose spelling is right already is written to stdout.Text, and text for
// programs to stdout.Report.
func (e env) words() io.Writer {
	if terminal.IsASCII(e.variable) {
		return display.Speller(e.stdout.Text())
	}
	return e.stdout.Text()
}

// printPage writes a page for people on standard output. A pipe and a file have room for every line, so that grep finds
// all of it, unless COLUMNS sets a width.
func (e env) printPage(blocks ...page.Block) error {
	o := text.Options{Color: e.color, ASCII: terminal.IsASCII(e.variable), ASCIIFigures: terminal.DrawsASCII(e.variable)}
	if e.output.Columns != nil || e.variable("COLUMNS") != "" {
		o.Width = e.columns()
	}
	return text.Write(e.stdout.Text(), blocks, o)
}

// printLine writes a text that is a page of its own.
func (e env) printLine(text string) error { return e.printPage(page.Paragraph{page.Text(text)}) }

func (e env) printJSON(v any) error {
	return jsondoc.Write(e.stdout.Report("json"), v)
}

func (e env) variable(name string) string {
	if e.lookup == nil {
		return ""
	}
	value, _ := e.lookup(name)
	return value
}

// The day, in UTC, decides whether an entry has expired.
func (e env) today() accept.Day { return accept.DayOf(e.now()) }

// cacheVariable names the environment variable that replaces the user's cache folder.
const cacheVariable = "SUITE_CACHE"

// cache is empty for the user's own cache folder.
func (e env) cache() string {
	folder, _ := e.lookup(cacheVariable)
	return folder
}

// cacheFolder returns the absolute path of a folder in the cache. The folder may not exist.
func (e env) cacheFolder(name string) (string, error) {
	folder, err := usercache.Folder(e.cache())
	return filepath.Join(folder, name), err
}

// orderly is for a command that watches its context and cleans up after it ends.
func (e env) orderly(c *cobra.Command) context.Context {
	e.signals.Orderly()
	return c.Context()
}

// runnerOptions are the options of every measurement: who measures, and with which host.
func (e env) runnerOptions() runner.Options {
	return runner.Options{Host: e.host, HostHash: host.Hash(), Tool: tool(), Machine: machine.Fingerprint(), Now: e.clock}
}

// during returns what shows the progress of the run that r describes, and lets a second signal kill its processes.
func (e env) during(ctx context.Context, quiet bool) func(r *runner.Options) (end func()) {
	return func(r *runner.Options) func() {
		r.Processes = &process.Set{}
		watch := e.watch(quiet)
		r.Observe = watch.Observe
		endSignals := e.signals.During(r.Processes, watch.Announce)
		stop := context.AfterFunc(ctx, func() { watch.Announce(signals.CleaningUp) })
		return func() {
			stop()
			watch.Close()
			endSignals()
		}
	}
}

// read calls do, which reads files that the user names and so may wait for the other end of a
// pipe. The first signal ends the command then, also one that watches its context.
func (e env) read(ctx context.Context, do func() error) error {
	err := e.signals.Await(do)
	if err != signals.ErrWaiting {
		return err
	}
	<-ctx.Done() // the same signal ends it
	return interrupted(ctx)
}

// These options are for a report that is not for a terminal.
func (e env) reportOptions() table.Options {
	return table.Options{Width: e.columns(), Path: ci.InRepository(e.variable)}
}

// clean makes text from outside harmless on a terminal: it returns one line, with control
// characters written as escapes.
func clean(s string) string { return display.Visible(s) }

// cleanLines cleans each line and keeps its indentation by tabs.
func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		text := strings.TrimLeft(line, "\t")
		lines[i] = line[:len(line)-len(text)] + clean(text)
	}
	return strings.Join(lines, "\n")
}
