// Package progress shows how far a run is while it is measured: as a bar on a terminal, as
// lines in a log. It estimates the time left. What is shown never touches a result.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/runner"
)

// Display shows the progress of a run.
type Display interface {
	Observe(runner.Progress)
	Finished(Case)
	// Announce shows a text. Any goroutine may call it.
	Announce(string)
	Close()
}

// Case is a case that has finished.
type Case struct {
	Text     string // one line
	IsFailed bool   // it could not be measured
	IsLast   bool   // the report follows at once
}

// Screen describes the stream that progress is written to.
type Screen struct {
	Live    bool       // it can move its cursor
	Columns func() int // called at each drawing, because the window may be resized; nil if the stream is no terminal
	ASCII   bool
}

// New chooses a display on w: a bar on a screen that can move its cursor, otherwise
// lines, and nothing if silently.
func New(w io.Writer, on Screen, silently bool) Display {
	switch {
	case silently:
		return silent{}
	case on.Live:
		return NewLive(w, on, time.Tick(refresh))
	}
	return newLines(w, time.Tick(every))
}

type silent struct{}

func (silent) Observe(runner.Progress) {}
func (silent) Finished(Case)           {}
func (silent) Announce(string)         {}
func (silent) Close()                  {}

// every is the shortest time between two lines of a log.
const every = 5 * time.Second

// quietShare is the share of the time so far that must pass before the next line: a log of
// an hour has a hundred lines and not 720.
const quietShare = 1.0 / 20

// lines writes the progress of a run at ticks, even if nothing has changed: the log of a
// job that hangs and is killed then shows where it hung. A case that could not be measured
// has its line at once, because a reader may want to cancel the job. What finished after the
// last tick is in a last line, which is the only one of a short run.
type lines struct {
	w           io.Writer
	mu          sync.Mutex
	at          runner.Progress
	cases       []string // that have finished since the last line, without failed ones
	finished    int      // cases of the run
	failed      int      // of them
	covered     int      // cases that had finished at the last line
	pace        pace
	began, last time.Time // of the ticks
	ticking     *ticking
}

func newLines(w io.Writer, tick <-chan time.Time) *lines {
	l := &lines{w: w, pace: pace{now: time.Now}}
	l.ticking = onTick(tick, l.say)
	return l
}

// ticking is a goroutine that calls a function at each tick.
type ticking struct{ stop, done chan struct{} }

func onTick(tick <-chan time.Time, do func(now time.Time)) *ticking {
	t := &ticking{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(t.done)
		for {
			select {
			case now := <-tick:
				do(now)
			case <-t.stop:
				return
			}
		}
	}()
	return t
}

// end ends the goroutine, and waits until the call of the last tick has returned.
func (t *ticking) end() {
	close(t.stop)
	<-t.done
}

func (l *lines) Observe(p runner.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = p
	l.pace.estimate(p)
}

func (l *lines) say(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.began.IsZero() {
		l.began = now
	}
	isDue := now.Sub(l.last) >= time.Duration(quietShare*float64(now.Sub(l.began)))
	if isDue && l.at.Total > 0 {
		l.last = now
		l.listFinished()
		l.covered = l.finished
		l.list(describe(l.pace.estimate(l.at)))
	}
}

func (l *lines) Finished(c Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.finished++
	if c.IsFailed {
		l.failed++
		l.list(c.Text)
		return
	}
	l.cases = append(l.cases, c.Text)
}

func (l *lines) list(text string) { fmt.Fprintf(l.w, "suite: %s\n", display.Shown(text, false)) }

// mostListed is the number of finished cases that one line of a log is preceded by.
const mostListed = 16

func (l *lines) listFinished() {
	for _, text := range l.cases[:min(len(l.cases), mostListed)] {
		l.list(text)
	}
	if rest := len(l.cases) - mostListed; rest > 0 {
		fmt.Fprintf(l.w, "suite: and %s\n", units.Plural(rest, "more case"))
	}
	l.cases = nil
}

func (l *lines) Announce(text string) { fmt.Fprintf(l.w, "suite: %s\n", text) }

func (l *lines) Close() {
	l.ticking.end()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.finished == l.covered {
		return
	}
	if !l.last.IsZero() { // the report that follows lists the cases of a short run
		l.listFinished()
	}
	fmt.Fprintf(l.w, "suite: %s\n", l.summary())
}

func (l *lines) summary() string {
	text := units.Plural(l.finished, "case") + " finished"
	if l.failed > 0 {
		text += fmt.Sprintf(", %d could not be measured", l.failed)
	}
	return text
}

// describe shows the progress of a run in one line. The name of the case is last,
// because it may be long.
func describe(p runner.Progress) string {
	text := fmt.Sprintf("%d of %s", p.Done, units.Plural(p.Total, "case"))
	if left := p.Left.Round(time.Second); left > 0 {
		text += ", about " + units.RoughTime(left.Seconds()) + " left"
	}
	if p.Open > 0 {
		text += ", " + units.Plural(p.Open, "gate") + " open"
	}
	switch {
	case p.Pairs > 0 && p.Needed > p.Pairs:
		text += fmt.Sprintf(", %d of about %s", p.Pairs, units.Plural(p.Needed, "pair"))
	case p.Pairs > 0:
		text += ", " + units.Plural(p.Pairs, "pair") + " taken"
	}
	phase := phases[p.Phase]
	if p.Case != "" {
		phase += " " + p.Case
	}
	return text + ": " + phase
}

// phases are the names of phases in the line.
var phases = map[string]string{"build": "building", "link": "linking", "calibrate": "calibrating",
	"prepare": "preparing", "measure": "measuring", "count": "counting", "service": "starting the service of"}
