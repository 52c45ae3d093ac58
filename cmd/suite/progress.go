package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/runner"
)

// watcher shows where a run stands.
type watcher interface {
	observe(runner.Progress)
	announce(string) // from another goroutine
	close()
}

// watch picks a way to show progress: a bar on a terminal that can, lines in a
// log, nothing where it was asked for.
func (e env) watch(silently bool) watcher {
	switch {
	case silently:
		return silent{}
	case e.terminal.live:
		return newLive(e.stderr, screenOf(e), time.Tick(refresh))
	}
	return newLines(e.stderr, time.Tick(every))
}

type silent struct{}

func (silent) observe(runner.Progress) {}
func (silent) announce(string)         {}
func (silent) close()                  {}

// every is how long a log stays quiet between two lines, at least.
const every = 5 * time.Second

// quiet is the share of the time until now that a log stays quiet: an hour has a hundred
// lines and not 720.
const quiet = 1.0 / 20

// lines writes where a run stands at a tick, also while nothing happens: a job that
// is killed from outside has then said where it hung.
type lines struct {
	w           io.Writer
	mu          sync.Mutex
	at          runner.Progress
	pace        pace
	began, last time.Time // of the ticks
	ticking     *ticking
}

func newLines(w io.Writer, tick <-chan time.Time) *lines {
	l := &lines{w: w, pace: pace{now: time.Now}}
	l.ticking = onTick(tick, l.say)
	return l
}

// ticking is what happens at each tick.
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

// end waits for what a tick has begun.
func (t *ticking) end() {
	close(t.stop)
	<-t.done
}

func (l *lines) observe(p runner.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = l.pace.of(p)
}

func (l *lines) say(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.began.IsZero() {
		l.began = now
	}
	if due := now.Sub(l.last) >= time.Duration(quiet*float64(now.Sub(l.began))); due && l.at.Total > 0 {
		l.last = now
		fmt.Fprintf(l.w, "suite: %s\n", describe(l.at))
	}
}

func (l *lines) announce(text string) { fmt.Fprintf(l.w, "suite: %s\n", text) }

func (l *lines) close() {
	l.ticking.end()
}

// describe says where a run stands in one line, the name of a case last,
// because it may be long.
func describe(p runner.Progress) string {
	text := fmt.Sprintf("%d of %s", p.Done, units.Plural(p.Total, "case"))
	if left := p.Left.Round(time.Second); left > 0 {
		text += fmt.Sprintf(", about %v left", left)
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
		phase += " " + clean(p.Case)
	}
	return text + ": " + phase
}

// phases in words.
var phases = map[string]string{"build": "building", "calibrate": "calibrating", "prepare": "preparing", "measure": "measuring"}
