package runner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// resumedFrom is a track as an interrupted run would go on with it.
func resumedFrom(tt *testing.T, t *track) *track {
	text, err := json.Marshal(blockOf(&t.own.series, nil, false))
	had := &pastCase{last: new(blockRecord), samples: result.NoSamples()}
	if err == nil {
		err = json.Unmarshal(text, had.last)
	}
	if err != nil {
		tt.Fatal(err)
	}
	again := sized(1, time.Millisecond)
	again.restore(had)
	return again
}

func warning(t *track, code result.WarningCode) string {
	i := slices.IndexFunc(t.result.Warnings, func(w result.Warning) bool { return w.Code == code })
	if i < 0 {
		return ""
	}
	return t.result.Warnings[i].Message
}

func TestWhatIsLeftBehindIsNamedAlsoBehindAnInterrupt(tt *testing.T) {
	t := sized(1, time.Millisecond)
	t.own.series.Leaks(2, []string{"sleep 1000", "cat"})
	t = resumedFrom(tt, t)
	t.own.series.Leaks(6, []string{"cat", "a", "b", "c"})
	t.review().doubtLeft()
	if got, want := warning(t, "leaked"), "it left processes running, which were killed: 8 (sleep 1000; cat; a; b)"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
}

func TestWhatPairsLeaveBehindMayBeOfEitherSide(tt *testing.T) {
	t := sized(1, time.Millisecond)
	t.base = sized(1, time.Millisecond).own
	t.base.target.Tree = "main"
	t.own.series.Leaks(2, []string{"cat"})
	t.review().doubtLeft()
	if got, want := warning(t, "leaked"), "it or its base in main left processes running, which were killed: 2 (cat)"; got != want {
		tt.Errorf("%q, want %q", got, want)
	}
}

func TestFilesAreToldWhereEachRunLeavesOne(tt *testing.T) {
	for _, c := range []struct {
		blocks, runs, files int // of each block
		told                bool
	}{{2, 10, 10, true}, {4, 1, 1, true}, {1, 10, 30, true}, {2, 10, 9, false}, {1, 1, 5, false}, {10, 10, 0, false}} {
		t := sized(1, time.Millisecond)
		for b := range c.blocks {
			r := &wire.Readings{ID: make([]int, c.runs)}
			if c.files > 0 {
				r.Remains = []wire.Remains{{Dir: "/tmp", Count: c.files, Names: []string{fmt.Sprint("a", b), fmt.Sprint("b", b)}}}
			}
			t.own.series.Remain(r)
			t = resumedFrom(tt, t)
		}
		t.review().doubtRemains()
		if got := warning(t, "files"); (got != "") != c.told || c.told && !strings.HasPrefix(got, fmt.Sprintf("%d files appeared in /tmp during %d runs, and stayed: a0, b0, ", c.blocks*c.files, c.blocks*c.runs)) && c.blocks > 1 {
			tt.Errorf("%+v: %q", c, got)
		}
	}
}
