package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/runner"
	"github.com/jedib0t/go-pretty/v6/text"
)

// refresh is how often the line is drawn: rarely, for it takes time from what is
// measured.
const refresh = 200 * time.Millisecond

// screen is what a live line is drawn on.
type screen struct {
	columns func() int // asked at each drawing, for the window may be dragged
	ascii   bool
}

func screenOf(e env) screen { return screen{e.terminal.columns, e.wantsASCII()} }

// live keeps one line up to date: a bar over all cases, and where the run stands. It
// goes back to the start of the line and writes over it, which consoles without escape
// sequences can, too.
type live struct {
	w       io.Writer
	screen  screen
	mu      sync.Mutex
	at      runner.Progress
	pace    pace
	told    string // instead of where the run stands
	drawn   string
	ticking *ticking
}

func newLive(w io.Writer, on screen, tick <-chan time.Time) *live {
	l := &live{w: w, screen: on, pace: pace{now: time.Now}}
	l.ticking = onTick(tick, func(time.Time) { l.draw() })
	return l
}

func (l *live) observe(p runner.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.at.Total == 0
	if l.at, l.told = l.pace.of(p), ""; first { // nobody has to wait for a sign of life
		l.write(l.line())
	}
}

// announce keeps its text on the screen until the run goes on.
func (l *live) announce(text string) {
	l.mu.Lock()
	l.told = text
	l.mu.Unlock()
	l.draw()
}

// close takes the line away, so that the report begins on a clean one.
func (l *live) close() {
	l.ticking.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write("")
}

func (l *live) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line := l.line(); line != l.drawn {
		l.write(line)
	}
}

// write replaces the line. What was there is written over with spaces, as far as it
// still fits: a line that wraps could not be taken away again.
func (l *live) write(line string) {
	if line == l.drawn {
		return
	}
	left := min(text.StringWidthWithoutEscSequences(l.drawn), l.screen.columns()-1) - text.StringWidthWithoutEscSequences(line)
	blank := strings.Repeat(" ", max(0, left))
	fmt.Fprint(l.w, "\r", line, blank)
	if line == "" {
		fmt.Fprint(l.w, "\r")
	}
	l.drawn = line
}

const (
	barLength  = 20
	leastOfBar = 60 // columns: with fewer the words need the room
)

// line has no more columns than the screen but one, in which the cursor stands.
func (l *live) line() string {
	if l.at.Total == 0 && l.told == "" {
		return ""
	}
	columns, message := l.screen.columns(), l.told
	if message == "" {
		message = describe(l.at)
	}
	cut := "…"
	if l.screen.ascii {
		message, cut = display.Spell(message), "~"
	}
	line := fmt.Sprintf("%3.0f%%  %s", 100*l.at.Share, message)
	if columns >= leastOfBar {
		line = l.bar() + " " + line
	}
	return text.Snip(line, max(columns-1, 1), cut)
}

// bar is the share of the cases that are done.
func (l *live) bar() string {
	full, rest := "█", "░"
	if l.screen.ascii {
		full, rest = "#", "."
	}
	n := min(max(int(l.at.Share*barLength), 0), barLength)
	return strings.Repeat(full, n) + strings.Repeat(rest, barLength-n)
}
