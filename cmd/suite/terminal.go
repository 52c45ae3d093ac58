package main

import (
	"os"
	"strconv"
	"time"

	"golang.org/x/term"
)

// terminal says how much a stream can show.
type terminal struct {
	live    bool       // it can move its cursor
	columns func() int // nil: it is no terminal
}

const reportWidth = 100 // columns of a report that no terminal limits

// system is the real world.
func system(host []string) env {
	out := look(os.Stdout)
	return env{stdout: os.Stdout, stderr: os.Stderr, host: host, lookup: os.LookupEnv, now: time.Now,
		terminal: look(os.Stderr), color: wantsColor(os.LookupEnv, out.live), output: out}
}

// columns of standard output, asked for when something is written: the window may have
// been made narrower while the run went on.
func (e env) columns() int {
	if e.width > 0 {
		return e.width
	}
	return width(e.variable, e.output)
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

// Columns that a report may have: below leastColumns the numbers go.
const leastColumns, mostColumns = 60, 1000

// width of a report: that in COLUMNS, which a shell keeps to itself unless somebody
// exports it; else that of the terminal, but no wider than one reads.
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

// wantsColor follows NO_COLOR (https://no-color.org: set and not empty),
// FORCE_COLOR and the terminal, in that order.
func wantsColor(lookup func(string) (string, bool), live bool) bool {
	if v, _ := lookup("NO_COLOR"); v != "" {
		return false
	}
	if v, _ := lookup("FORCE_COLOR"); v != "" && v != "0" {
		return true
	}
	return live
}
