package progress

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
	"example.com/suite/runner"
	"github.com/jedib0t/go-pretty/v6/text"
)

// written receives each text that is written to a terminal.
type written chan string

func (s written) Write(p []byte) (int, error) {
	s <- string(p)
	return len(p), nil
}

// A log gets a line at each tick.
func TestLogSaysWhereARunStands(t *testing.T) {
	log, tick := make(written), make(chan time.Time)
	l := newLines(log, tick)
	l.Observe(runner.Progress{Case: "sort\x1b", Phase: "measure", Done: 1, Total: 3, Left: 7 * time.Second, Open: 1})
	tick <- time.Time{}
	if got, want := <-log, "suite: 1 of 3 cases, about 7 s left, 1 gate open: measuring sort\\x1b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.Observe(runner.Progress{Phase: "build", Total: 1})
	tick <- time.Time{}
	if got, want := <-log, "suite: 0 of 1 case: building\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.Close()
}

// A log of an hour has about a hundred lines, more of them at its start than at its end.
func TestLogOfALongRun(t *testing.T) {
	var log strings.Builder
	l := newLines(&log, nil)
	l.Observe(runner.Progress{Phase: "measure", Total: 3})
	begin := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	count := func(from, to time.Duration) int {
		log.Reset()
		for at := from; at < to; at += every {
			l.say(begin.Add(at))
		}
		return strings.Count(log.String(), "\n")
	}
	if first, rest := count(0, time.Minute), count(time.Minute, time.Hour); first < 11 || rest < 60 || rest > 120 {
		t.Errorf("%d lines in the first minute, %d after it", first, rest)
	}
	l.Close()
}

// paint shows the line on a screen after a text was written to it: \r goes back to the
// start of the line.
func paint(written string) string {
	var line []rune
	at := 0
	for _, r := range written {
		if r == '\r' {
			at = 0
			continue
		}
		for len(line) <= at {
			line = append(line, ' ')
		}
		line[at] = r
		at++
	}
	return strings.TrimRight(string(line), " ")
}

// The live line never wraps, even if a name is long or the window becomes narrower, because
// it could not be removed.
func TestLiveLineFits(t *testing.T) {
	var out strings.Builder
	columns := 0
	l := NewLive(&out, Screen{Columns: func() int { return columns }}, nil)
	for _, columns = range []int{100, 59, 20, 1, 80} {
		for _, name := range []string{strings.Repeat("界", 200), "short"} {
			before := out.Len()
			l.Observe(runner.Progress{Case: name, Phase: "measure", Total: 1, Share: 0.5})
			l.draw()
			drawn := strings.Trim(out.String()[before:], "\r")
			if w := text.StringWidthWithoutEscSequences(drawn); w >= max(columns, 2) || name != "short" && w < columns-3 {
				t.Errorf("%d columns: the line takes %d: %q", columns, w, drawn)
			}
		}
	}
	l.Close()
}

// A shorter line leaves nothing of the longer one before it, and close removes the last.
func TestLiveLineIsReplaced(t *testing.T) {
	var out strings.Builder
	l := NewLive(&out, Screen{Columns: func() int { return 80 }, ASCII: true}, nil)
	l.Observe(runner.Progress{Case: "a-long-name", Phase: "measure", Done: 1, Total: 4, Share: 0.5})
	l.draw()
	if got, want := paint(out.String()), "##########..........  50%  1 of 4 cases: measuring a-long-name"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	l.Observe(runner.Progress{Case: "b", Phase: "measure", Done: 2, Total: 4, Share: 0.5})
	l.draw()
	if got, want := paint(out.String()), "##########..........  50%  2 of 4 cases: measuring b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	n := out.Len()
	l.draw()
	if out.Len() != n {
		t.Error("drawn again without a change")
	}
	l.Announce("cleaning up")
	if got := paint(out.String()); !strings.HasSuffix(got, " 50%  cleaning up") {
		t.Errorf("got %q", got)
	}
	l.Close()
	if got := paint(out.String()); got != "" || !strings.HasSuffix(out.String(), "\r") {
		t.Errorf("%q is left", got)
	}
	if strings.ContainsAny(out.String(), "\x1b\n") {
		t.Errorf("escape sequences or new lines: %q", out.String())
	}
}

// The time left follows the pace of the finished cases, and the share never becomes smaller.
func TestPace(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	p := &pace{now: func() time.Time { return now }}
	if at := p.estimate(runner.Progress{Total: 1000, Left: 6 * time.Second}); at.Left != 6*time.Second || at.Share != 0 {
		t.Errorf("%+v", at)
	}
	now = now.Add(10 * time.Second)
	if at := p.estimate(runner.Progress{Total: 1000, Done: 100, Left: time.Second, Share: 1}); at.Left != 90*time.Second || at.Share != 0.1 {
		t.Errorf("%+v", at)
	}
	if at := p.estimate(runner.Progress{Total: 1000, Done: 60, Share: 0.05}); at.Share != 0.1 {
		t.Errorf("%+v goes back", at)
	}
	resumed := &pace{now: func() time.Time { return now }}
	resumed.estimate(runner.Progress{Total: 1000, Done: 900, Share: 0.9})
	now = now.Add(10 * time.Second)
	if at := resumed.estimate(runner.Progress{Total: 1000, Done: 910, Share: 1}); at.Left != 90*time.Second {
		t.Errorf("%+v: what was done before takes no time", at)
	}
}

// The first link may take long, and what it has taken says nothing of what is left.
func TestTheFirstLinkIsNoPartOfThePace(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	p := &pace{now: func() time.Time { return now }}
	first := runner.Progress{Total: 3, Phase: "link", Left: 6 * time.Second}
	for range 10 {
		if at := p.estimate(first); at.Left != first.Left {
			t.Fatalf("%v left, want %v", at.Left, first.Left)
		}
		now = now.Add(5 * time.Second)
	}
	later := runner.Progress{Total: 3, Phase: "link", Spent: 3 * time.Second, Left: 3 * time.Second}
	p.estimate(later)
	now = now.Add(12 * time.Second)
	if at := p.estimate(later); at.Left <= later.Left {
		t.Errorf("%v left, although links take longer than what is measured", at.Left)
	}
}

// Each phase of a run has a word in the line.
func TestPhasesHaveNames(t *testing.T) {
	files, err := filepath.Glob("../../runner/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	said := 0
	for _, file := range files {
		text := testfile.Read(t, file)
		for _, m := range regexp.MustCompile(`\.progress\(.*, "(\w+)"\)`).FindAllSubmatch(text, -1) {
			said++
			if phases[string(m[1])] == "" {
				t.Errorf("%s: phase %q has no name", file, m[1])
			}
		}
	}
	if said == 0 {
		t.Error("the runner reports no phase in this way")
	}
}

// The share is below 100 % while cases are open, however long the run takes.
func TestShareOfAnOpenRun(t *testing.T) {
	p := &pace{now: time.Now}
	if at := p.estimate(runner.Progress{Total: 6, Done: 4, Share: 1}); at.Share != 0.99 {
		t.Errorf("%g with 4 of 6 cases done", at.Share)
	}
	if at := p.estimate(runner.Progress{Total: 6, Done: 6, Share: 1}); at.Share != 1 {
		t.Errorf("%g with all cases done", at.Share)
	}
}

// While a gate is open, the line has the number of pairs that its verdict may take.
func TestProgressCountsPairs(t *testing.T) {
	for want, p := range map[string]runner.Progress{
		"0 of 1 case, 1 gate open, 30 of about 240 pairs: measuring": {Open: 1, Pairs: 30, Needed: 240},
		"0 of 1 case, 1 gate open, 240 pairs taken: measuring":       {Open: 1, Pairs: 240, Needed: 240},
		"0 of 1 case, 1 pair taken: measuring":                       {Pairs: 1},
	} {
		p.Total, p.Phase = 1, "measure"
		if got := describe(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Finished cases stand in a log before the next line of progress, each once. Very many are
// counted.
func TestLogListsFinishedCases(t *testing.T) {
	var log strings.Builder
	l := newLines(&log, nil)
	defer l.Close()
	begin := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	at := func(passed time.Duration) string {
		log.Reset()
		l.say(begin.Add(passed))
		return log.String()
	}
	l.Finished(Case{Text: "a\x1b: 1 ns"})
	if got := at(0); got != "" {
		t.Errorf("%q before the run is known", got)
	}
	l.Observe(runner.Progress{Phase: "measure", Done: 1, Total: 20})
	const progress = "suite: 1 of 20 cases: measuring\n"
	if got, want := at(every), "suite: a\\x1b: 1 ns\n"+progress; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := at(2 * every); got != progress {
		t.Errorf("listed twice: %q", got)
	}
	for i := range mostListed + 2 {
		l.Finished(Case{Text: string(rune('b' + i))})
	}
	got := strings.Split(at(3*every), "\n")
	if len(got) != mostListed+3 || got[0] != "suite: b" || got[mostListed-1] != "suite: q" || got[mostListed] != "suite: and 2 more cases" {
		t.Errorf("%q", got)
	}
}

// Each finished case is in a log: one that could not be measured at once, the others at the
// next tick, and those after the last tick at the end.
func TestLogAccountsForEveryCase(t *testing.T) {
	begin := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	fine, broken := Case{Text: "a: 1 ns"}, Case{Text: "b\x1b: could not be measured: exit status 3", IsFailed: true}
	const brokenLine, progress = "suite: b\\x1b: could not be measured: exit status 3\n", "suite: 0 of 9 cases: measuring\n"
	for name, c := range map[string]struct {
		before, after []Case // the tick, if there is one
		isTicked      bool
		want          string
	}{
		"nothing":                    {want: ""},
		"a short run":                {after: []Case{fine, fine}, want: "suite: 2 cases finished\n"},
		"one case":                   {after: []Case{{Text: "a: 1 ns", IsLast: true}}, want: "suite: 1 case finished\n"},
		"a short run that fails":     {after: []Case{broken, fine}, want: brokenLine + "suite: 2 cases finished, 1 could not be measured\n"},
		"after a tick":               {[]Case{fine, broken}, []Case{fine}, true, brokenLine + "suite: a: 1 ns\n" + progress + "suite: a: 1 ns\nsuite: 3 cases finished, 1 could not be measured\n"},
		"a failure after a tick":     {[]Case{fine}, []Case{broken}, true, "suite: a: 1 ns\n" + progress + brokenLine + "suite: 2 cases finished, 1 could not be measured\n"},
		"nothing after a tick":       {[]Case{fine, broken}, nil, true, brokenLine + "suite: a: 1 ns\n" + progress},
		"no case, as in a selfcheck": {nil, nil, true, progress},
	} {
		var log strings.Builder
		l := newLines(&log, nil)
		l.Observe(runner.Progress{Phase: "measure", Total: 9})
		for _, done := range c.before {
			l.Finished(done)
			if done.IsFailed && log.String() != brokenLine {
				t.Errorf("%s: %q before the tick", name, log.String())
			}
		}
		if c.isTicked {
			l.say(begin)
		}
		for _, done := range c.after {
			l.Finished(done)
		}
		l.Close()
		if log.String() != c.want {
			t.Errorf("%s: got %q, want %q", name, log.String(), c.want)
		}
	}
}

// A finished case stays on the screen above the live line.
func TestFinishedCaseStaysOnTheScreen(t *testing.T) {
	var out strings.Builder
	l := NewLive(&out, Screen{Columns: func() int { return 80 }, ASCII: true}, nil)
	l.Finished(Case{Text: "early: 1 ns"})
	l.Observe(runner.Progress{Case: "b", Phase: "measure", Done: 1, Total: 4, Share: 0.25})
	l.Finished(Case{Text: "a: 2 µs"})
	l.Finished(Case{Text: "in the report at once", IsLast: true})
	var screen []string
	for _, line := range strings.Split(out.String(), "\n") {
		screen = append(screen, paint(line))
	}
	want := []string{"early: 1 ns", "a: 2 us", "#####...............  25%  1 of 4 cases: measuring b"}
	if strings.Join(screen, "\n") != strings.Join(want, "\n") {
		t.Errorf("the screen shows %q, want %q", screen, want)
	}
	l.Close()
}
