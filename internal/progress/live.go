package progress

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

// refresh is the time between two drawings of the line. It is long, because drawing takes
// time from what is measured.
const refresh = 200 * time.Millisecond

// Live keeps one line up to date, with a bar for all cases and the progress of the run. It
// returns to the start of the line and overwrites it, which also works on consoles without
// escape sequences.
type Live struct {
	w         io.Writer
	screen    Screen
	mu        sync.Mutex
	at        runner.Progress
	pace      pace
	announced string // shown in the place of the progress
	drawn     string
	ticking   *ticking
}

// NewLive makes a display that is drawn at each tick.
func NewLive(w io.Writer, on Screen, tick <-chan time.Time) *Live {
	l := &Live{w: w, screen: on, pace: pace{now: time.Now}}
	l.ticking = onTick(tick, func(time.Time) { l.draw() })
	return l
}

// Observe shows the progress at the next tick, and the first one at once.
func (l *Live) Observe(p runner.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	isFirst := l.at.Total == 0
	l.at = p
	l.pace.estimate(p)
	l.announced = ""
	if isFirst { // without waiting for a tick
		l.write(l.line())
	}
}

// Finished writes a line above the live one, which stays on the screen. It leaves out the
// last cases, which the report shows below the same lines.
func (l *Live) Finished(c Case) {
	if c.IsLast {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	line := display.Shown(c.Text, l.screen.ASCII)
	drawn := l.drawn
	l.write("")
	fmt.Fprintln(l.w, line)
	l.write(drawn)
}

// Announce shows a text until the next progress is observed.
func (l *Live) Announce(text string) {
	l.mu.Lock()
	l.announced = text
	l.mu.Unlock()
	l.draw()
}

// Close removes the line, so that the report begins on an empty one.
func (l *Live) Close() {
	l.ticking.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write("")
}

func (l *Live) draw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line := l.line(); line != l.drawn {
		l.write(line)
	}
}

// write replaces the line. It overwrites the rest of the old one with spaces, but not
// beyond the width of the screen: a line that wraps cannot be removed.
func (l *Live) write(line string) {
	if line == l.drawn {
		return
	}
	left := min(text.StringWidthWithoutEscSequences(l.drawn),
		l.screen.Columns()-1) - text.StringWidthWithoutEscSequences(line)
	blank := strings.Repeat(" ", max(0, left))
	fmt.Fprint(l.w, "\r", line, blank)
	if line == "" {
		fmt.Fprint(l.w, "\r")
	}
	l.drawn = line
}

const (
	barLength  = 20
	leastOfBar = 60 // columns; in fewer there is only room for the words
)

// The last column of the screen is left to the cursor.
func (l *Live) line() string {
	if l.at.Total == 0 && l.announced == "" {
		return ""
	}
	columns := l.screen.Columns()
	at := l.pace.estimate(l.at) // again: time has passed
	message := l.announced
	if message == "" {
		message = describe(at)
	}
	cut := "…"
	if l.screen.ASCII {
		cut = "~"
	}
	line := fmt.Sprintf("%3.0f%%  %s", 100*at.Share, display.Shown(message, l.screen.ASCII))
	if columns >= leastOfBar {
		line = l.bar(at.Share) + " " + line
	}
	return text.Snip(line, max(columns-1, 1), cut)
}

// The bar shows the share of the run that is done.
func (l *Live) bar(share float64) string {
	full, rest := "█", "░"
	if l.screen.ASCII {
		full, rest = "#", "."
	}
	n := min(max(int(share*barLength), 0), barLength)
	return strings.Repeat(full, n) + strings.Repeat(rest, barLength-n)
}
