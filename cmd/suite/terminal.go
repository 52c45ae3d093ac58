package main

import (
	"os"
	"strconv"
	"time"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/progress"
	"golang.org/x/term"
)

// terminal describes what a stream can show.
type terminal struct {
	live    bool       // it can move its cursor
	columns func() int // nil if the stream is no terminal
}

const reportWidth = 100 // columns of a report that is not for a terminal

// system has the real streams, environment and clock.
func system(host []string) env {
	out := look(os.Stdout)
	return env{
		stdout:      ci.NewOutput(os.Stdout, os.Getenv),
		stderr:      ci.Guard(os.Stderr),
		annotations: os.Stderr,
		host:        host,
		lookup:      os.LookupEnv,
		now:         time.Now,
		terminal:    look(os.Stderr),
		color:       wantsColor(os.LookupEnv, out.live),
		output:      out,
	}
}

// columns asks the terminal at each call, because the window may have become narrower
// during the run.
func (e env) columns() int {
	if e.width > 0 {
		return e.width
	}
	return width(e.variable, e.output)
}

// watch shows a run's progress on standard error.
func (e env) watch(silently bool) progress.Display {
	return progress.New(e.stderr, e.screen(), silently)
}

// screen describes standard error.
func (e env) screen() progress.Screen {
	return progress.Screen{Live: e.terminal.live, Columns: e.terminal.columns, ASCII: e.wantsASCII()}
}

func look(f *os.File) terminal {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return terminal{}
	}
	return terminal{live: os.Getenv("TERM") != "dumb" && os.Getenv("CI") == "", columns: func() int {
		columns, _, err := term.GetSize(fd)
		if err != nil || columns <= 0 {
			return reportWidth
		}
		return columns
	}}
}

// The width of a report in columns: a narrower one than leastColumns has no room for
// numbers.
const leastColumns, mostColumns = 40, 1000

// width is the columns of a report: COLUMNS if it is exported (by default a shell does
// not), otherwise the terminal's width, but at most reportWidth, because long lines are
// hard to read.
func width(variable func(string) string, t terminal) int {
	text := variable("COLUMNS")
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(max(n, leastColumns), mostColumns)
	}
	if t.columns == nil {
		return reportWidth
	}
	return min(max(t.columns(), leastColumns), reportWidth)
}

// wantsColor reports whether to write colours. NO_COLOR decides if it is set and not empty
// (https://no-color.org), then FORCE_COLOR, then whether the stream is a terminal.
func wantsColor(lookup func(string) (string, bool), live bool) bool {
	if v, _ := lookup("NO_COLOR"); v != "" {
		return false
	}
	if v, _ := lookup("FORCE_COLOR"); v != "" && v != "0" {
		return true
	}
	return live
}
