package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/suite/runner"
	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/jedib0t/go-pretty/v6/text"
)

// watcher shows where a run stands.
type watcher interface {
	observe(runner.Progress)
	announce(string) // from another goroutine
	close()
}

// watch picks a way to show progress: a bar on a terminal that can, lines in a
// log, nothing where it was asked for.
func (e env) watch(quiet bool) watcher {
	switch {
	case quiet:
		return silent{}
	case e.terminal.live:
		return newBar(e.stderr, e.terminal.columns)
	}
	return newLines(e.stderr, time.Tick(every))
}

type silent struct{}

func (silent) observe(runner.Progress) {}
func (silent) announce(string)         {}
func (silent) close()                  {}

// every is how long a log stays quiet between two lines.
const every = 5 * time.Second

// lines writes where a run stands at every tick, also while nothing happens: a
// job that is killed from outside has then said where it hung.
type lines struct {
	w          io.Writer
	mu         sync.Mutex
	at         runner.Progress
	stop, done chan struct{}
}

func newLines(w io.Writer, tick <-chan time.Time) *lines {
	l := &lines{w: w, stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		for {
			select {
			case <-tick:
				l.say()
			case <-l.stop:
				return
			}
		}
	}()
	return l
}

func (l *lines) observe(p runner.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = p
}

func (l *lines) say() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at.Total > 0 {
		fmt.Fprintf(l.w, "suite: %s\n", describe(l.at))
	}
}

func (l *lines) announce(text string) { fmt.Fprintf(l.w, "suite: %s\n", text) }

func (l *lines) close() {
	close(l.stop)
	<-l.done
}

// describe says where a run stands in one line, the name of a case last,
// because it may be long.
func describe(p runner.Progress) string {
	text := fmt.Sprintf("%d of %s", p.Done, count(p.Total, "case"))
	if left := p.Left.Round(time.Second); left > 0 {
		text += fmt.Sprintf(", about %v left", left)
	}
	if p.Open > 0 {
		text += ", " + count(p.Open, "gate") + " open"
	}
	if p.Pairs > 0 {
		text += ", " + count(p.Pairs, "pair") + " taken"
	}
	phase := phases[p.Phase]
	if p.Case != "" {
		phase += " " + clean(p.Case)
	}
	return text + ": " + phase
}

// phases in words.
var phases = map[string]string{"build": "building", "calibrate": "calibrating", "prepare": "preparing", "measure": "measuring"}

// bar is the live display of go-pretty.
type bar struct {
	w       io.Writer
	columns func() int
	writer  progress.Writer
	tracker *progress.Tracker
	done    chan struct{}
}

// refresh is how often the bar is drawn: rarely, for it takes time from what is
// measured.
const refresh = 200 * time.Millisecond

const (
	permille  = 1000 // steps of the bar
	barLength = 20
	barAround = 9 // columns of the percentage, the ends of the bar and the space between
)

func newBar(w io.Writer, columns func() int) *bar {
	b := &bar{w: w, columns: columns, writer: progress.NewWriter(), tracker: &progress.Tracker{Total: permille}, done: make(chan struct{})}
	b.writer.SetOutputWriter(w)
	b.writer.SetTrackerLength(barLength)
	b.writer.SetUpdateFrequency(refresh)
	b.writer.SetStyle(progress.StyleBlocks)
	style := b.writer.Style()
	style.Visibility = progress.StyleVisibility{Percentage: true, Tracker: columns() >= 3*barLength}
	style.Options.PercentFormat, style.Options.Separator = "%3.0f%%", "  "
	b.writer.AppendTracker(b.tracker)
	go func() {
		defer close(b.done)
		b.writer.Render()
	}()
	return b
}

func (b *bar) observe(p runner.Progress) {
	b.say(describe(p))
	b.tracker.SetValue(int64(p.Share * (permille - 1)))
}

func (b *bar) announce(text string) { b.say(text) }

// say keeps a message within one line: a line that wraps could not be taken
// away again.
func (b *bar) say(message string) {
	room := b.columns() - barAround
	if b.writer.Style().Visibility.Tracker {
		room -= barLength
	}
	b.tracker.UpdateMessage(text.Snip(message, max(room, 1), "…"))
}

// close takes the bar away, so that the report begins on a clean line.
func (b *bar) close() {
	b.tracker.UpdateMessage("")
	b.tracker.MarkAsDone()
	b.writer.Stop()
	<-b.done
	fmt.Fprint(b.w, text.CursorUp.Sprint(), text.EraseLine.Sprint()) // go-pretty leaves a line that says done
}
