package push

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/flat/flattest"
	"example.com/suite/internal/history"
)

// fake is a store in memory.
type fake struct {
	rows   int
	broken bool
	pushed func(n int) (added bool) // after each run; nil: it is added
	runs   int
	closed *bool
}

func (f *fake) String() string { return "fake" }
func (f *fake) Close() error   { *f.closed = true; return nil }
func (f *fake) Lacking(_ context.Context, runs []*history.Run) ([]*history.Run, error) {
	return runs, nil
}
func (f *fake) Push(ctx context.Context, rows []flat.Row) (added bool, err error) {
	if f.broken {
		return false, errors.New("it is\nfull")
	}
	f.rows += len(rows)
	f.runs++
	if f.pushed == nil {
		return true, nil
	}
	return f.pushed(f.runs), ctx.Err()
}

// What is reported is what the store has added: another program may have sent the same run since
// the store was asked for it.
func TestOnlyWhatTheStoreAddedIsCounted(t *testing.T) {
	f := &fake{pushed: func(n int) bool { return n != 2 }}
	if done, err := Runs(t.Context(), f, flattest.Runs(t)); done != "pushed 2 runs to fake; 1 already there" || err != nil {
		t.Errorf("%q, %v", done, err)
	}
}

// An interrupt during the second run of three lets it finish, and its error names two.
func TestInterruptNamesWhatArrived(t *testing.T) {
	const first, second, third = "the run of 2026-11-01 12:00:00 at 1111111111", "the run of 2026-11-02 12:00:00 at 2222222222", "the run of 2026-11-03 12:00:00"
	for during, want := range map[int]string{
		0: "interrupted; 0 of 3 runs were pushed (none), and not " + first + ", " + second + ", " + third,
		2: "interrupted; 2 of 3 runs were pushed (" + first + ", " + second + "), and not " + third,
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		f := &fake{pushed: func(n int) bool {
			if n == during {
				interrupt()
			}
			return true
		}}
		if during == 0 {
			interrupt()
		}
		if done, err := Runs(ctx, f, flattest.Runs(t)); done != "" || err == nil || err.Error() != want || f.runs != during {
			t.Errorf("%q, %v after %d runs; want %s", done, err, f.runs, want)
		}
		interrupt()
	}
}

// A store that hangs after an interrupt is left in the end.
func TestLingering(t *testing.T) {
	for after, ends := range map[time.Duration]bool{time.Nanosecond: true, time.Hour: false} {
		ctx, interrupt := context.WithCancel(t.Context())
		late, end := lingering(ctx, after)
		interrupt()
		if ends {
			<-late.Done()
		} else if err := late.Err(); err != nil {
			t.Errorf("%s after an interrupt: %v", after, err)
		}
		end()
	}
}

func TestProgram(t *testing.T) {
	var export strings.Builder
	var entries []history.Entry
	for _, run := range flattest.Runs(t) {
		entries = append(entries, history.Entry{Run: *run})
	}
	if err := history.Export(&export, entries); err != nil {
		t.Fatal(err)
	}
	const places = "postgres://HOST/DATABASE, clickhouse+http://HOST:8123/DATABASE, pushgateway+http://HOST:9091, otlp+http://HOST:4318 or parquet:FOLDER; github or gitlab for a comment"
	for _, c := range []struct {
		args, stdin string
		status      int
		want        string
	}{
		{"fake:x", export.String(), 0, "suite: pushed 3 runs to fake"},
		{"broken:x", export.String(), 3, `suite: it is\nfull; 0 of 3 runs were pushed (none), and not the run of 2026-11-01 12:00:00 at 1111111111, the run of 2026-11-02 12:00:00 at 2222222222, the run of 2026-11-03 12:00:00`},
		{"wrong:x", "", 2, "suite: the name is wrong\n\thint: use another"},
		{"fake:x", "hello", 3, "suite: standard input: not written by suite history export"},
		{"", "", 2, "usage: suite history export | suite-push URL\n       suite report --out comment=- | suite-push github|gitlab\nsuite push URL runs it, and docs/stores.md describes it."},
		{"--help", "", 2, "usage: suite history export | suite-push URL\n       suite report --out comment=- | suite-push github|gitlab\nsuite push URL runs it, and docs/stores.md describes it."},
		{"forge:x", "a report\n", 0, "suite: forge:x: a report"},
		{"forge", "", 3, "suite: it is closed"},
		{"mysql://host", "", 2, "suite: no store has a URL that begins with \"mysql:\"\n\thint: " + places},
		{"http://host", "", 2, "suite: no store has a URL that begins with \"http:\"\n\thint: put the kind of the store before it: clickhouse+http://, pushgateway+http:// or otlp+http://"},
		{"file:///x.prom", "", 2, "suite: no store has a URL that begins with \"file:\"\n\thint: suite report --out prometheus=FILE writes a file for the textfile collector"},
	} {
		var stderr strings.Builder
		closed := false
		p := Program{Args: strings.Fields(c.args), Stdin: strings.NewReader(c.stdin), Stderr: &stderr, Kinds: map[string]Opener{
			"fake":   func(context.Context, string) (Store, error) { return &fake{closed: &closed}, nil },
			"broken": func(context.Context, string) (Store, error) { return &fake{closed: &closed, broken: true}, nil },
			"wrong":  func(context.Context, string) (Store, error) { return nil, Usage("the name is wrong", "use another") },
		}, Comments: map[string]Poster{"forge": func(_ context.Context, to, text string) (string, error) {
			if text == "" {
				return "", errors.New("it is closed")
			}
			return to + ": " + text, nil
		}}}
		if got := p.Run(t.Context()); got != c.status || stderr.String() != c.want+"\n" {
			t.Errorf("%s: status %d, want %d; got\n%s\nwant\n%s", c.args, got, c.status, stderr.String(), c.want)
		}
		if closed != (c.args == "fake:x" || c.args == "broken:x") {
			t.Errorf("%s: closed is %t", c.args, closed)
		}
	}
}
