package main

import (
	"strings"
	"testing"
	"time"

	"example.com/suite/runner"
	"github.com/jedib0t/go-pretty/v6/text"
)

// screen hands on what is written to a terminal.
type screen chan string

func (s screen) Write(p []byte) (int, error) {
	s <- string(p)
	return len(p), nil
}

// A log gets a line at every tick.
func TestLogSaysWhereARunStands(t *testing.T) {
	log, tick := make(screen), make(chan time.Time)
	l := newLines(log, tick)
	l.observe(runner.Progress{Case: "sort\x1b", Phase: "measure", Done: 1, Total: 3, Left: 7 * time.Second, Open: 1})
	tick <- time.Time{}
	if got, want := <-log, "suite: 1 of 3 cases, about 7s left, 1 gate open: measuring sort\\x1b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.observe(runner.Progress{Phase: "build", Total: 1})
	tick <- time.Time{}
	if got, want := <-log, "suite: 0 of 1 case: building\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.close()
}

// The live line never wraps, however long a name is: it could not be erased.
func TestBarFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{20, 59, 100} {
		s := make(screen, 1000)
		b := newBar(s, func() int { return columns })
		b.observe(runner.Progress{Case: strings.Repeat("界", 200), Phase: "measure", Total: 1, Share: 0.5})
		drawn := strings.TrimSuffix(<-s, "\n")
		b.close()
		if w := text.StringWidthWithoutEscSequences(drawn); w >= columns || w < columns-3 {
			t.Errorf("%d columns: the line takes %d: %q", columns, w, drawn)
		}
	}
}
