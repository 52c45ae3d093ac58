package main

import (
	"os"
	"time"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/progress"
	"example.com/suite/internal/terminal"
)

// system has the real streams, environment and clock.
func system(host []string) env {
	out := terminal.Of(os.Stdout)
	return env{
		stdout:      ci.NewOutput(os.Stdout, os.Getenv),
		stderr:      ci.Guard(os.Stderr),
		annotations: os.Stderr,
		host:        host,
		lookup:      os.LookupEnv,
		now:         time.Now,
		terminal:    terminal.Of(os.Stderr),
		color:       out.WantsColor(os.Getenv),
		output:      out,
	}
}

// columns asks the terminal at each call, because the window may have become narrower
// during the run.
func (e env) columns() int {
	if e.width > 0 {
		return e.width
	}
	return e.output.Width(e.variable)
}

// watch shows a run's progress on standard error.
func (e env) watch(silently bool) progress.Display {
	return progress.New(e.stderr, e.screen(), silently)
}

// screen describes standard error.
func (e env) screen() progress.Screen {
	return progress.Screen{Live: e.terminal.Live, Columns: e.terminal.Columns, ASCII: terminal.DrawsASCII(e.variable)}
}
