package progress

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/suite/runner"
)

// Progress is a bar on a terminal with a cursor, lines anywhere else, and nothing if quiet.
func TestProgressFitsWhereItIsShown(t *testing.T) {
	terminal := Screen{Live: true, Columns: func() int { return 80 }}
	for _, c := range []struct {
		screen Screen
		quiet  bool
		want   string
	}{
		{terminal, false, "live"}, {Screen{}, false, "lines"}, {Screen{Columns: terminal.Columns}, false, "lines"},
		{terminal, true, "silent"}, {Screen{}, true, "silent"},
	} {
		w := New(io.Discard, c.screen, c.quiet)
		got := "silent"
		switch w.(type) {
		case *Live:
			got = "live"
		case *lines:
			got = "lines"
		}
		w.Close()
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c, got, c.want)
		}
	}
}

// The live line has a bar for all cases, the time left, the open gates and the case.
func TestLiveLineSaysEverything(t *testing.T) {
	var out strings.Builder
	l := NewLive(&out, Screen{Columns: func() int { return 100 }}, nil)
	l.Observe(runner.Progress{Case: "sort a big file", Phase: "measure", Done: 3, Total: 4, Share: 0.75, Left: 90 * time.Second, Open: 2})
	if got, want := paint(out.String()), "███████████████░░░░░  75%  3 of 4 cases, about 90 s left, 2 gates open: measuring sort a big file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.Close()
}

// A log has at most one line per tick, however much happens between two ticks.
func TestLogIsQuietBetweenTicks(t *testing.T) {
	if every < 2*time.Second {
		t.Errorf("a line every %v", every)
	}
	var log strings.Builder
	l := newLines(&log, nil)
	begin := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for tick := range 3 {
		for done := range 1000 {
			l.Observe(runner.Progress{Case: "a", Phase: "measure", Done: done, Total: 1000})
		}
		if got := strings.Count(log.String(), "\n"); got != tick {
			t.Errorf("%d lines before tick %d", got, tick+1)
		}
		l.say(begin.Add(time.Duration(tick) * every))
	}
	l.Close()
}
