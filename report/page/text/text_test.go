package text

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
	"example.com/suite/report/page/pagetest"
)

func TestEveryBlock(t *testing.T) {
	var b strings.Builder
	for _, o := range []Options{{}, {Width: 80, Color: true}, {Width: 40, All: true}, {Width: 60, ASCII: true}} {
		fmt.Fprintf(&b, "%+v\n\n", o)
		if err := Write(&b, pagetest.Every(), o); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b)
	}
	golden.Check(t, "testdata/every.txt", strings.ReplaceAll(b.String(), "\x1b", "ESC"))
}

// However narrow it is, only what has to stay whole is wider, and nothing controls the terminal.
func TestLinesFitTheTerminal(t *testing.T) {
	for width := 40; width < 120; width++ {
		var b strings.Builder
		if err := Write(&b, pagetest.Every(), Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if w := display.Width(line); w > width || strings.ContainsAny(line, "\x1b\x07\t") || line != strings.TrimRight(line, " ") {
				t.Errorf("%d columns of %d: %q", w, width, line)
			}
		}
	}
}

// The time of the base alone would be taken for the time.
func TestTheBaseDoesNotStayWithoutTheTime(t *testing.T) {
	times := &page.Table{Columns: []page.Column{{Head: "case", Code: true}, {Head: "base", Worth: 67}, {Head: "time", Worth: 100}, {Head: "vs", Worth: 105}}}
	times.Add("sleep", "11.44 ms", "14.02 ms (13.96 … 14.35)", "unclear")
	for width, want := range map[int]string{
		60: "case   base      time                      vs\nsleep  11.44 ms  14.02 ms (13.96 … 14.35)  unclear\n",
		30: "case   vs\nsleep  unclear\nno room in 30 columns for:\nbase, time\n",
	} {
		var b strings.Builder
		if err := Write(&b, []page.Block{times}, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", width, b.String(), want)
		}
	}
}

// Columns are left out only until the last one has room to be broken, and it is if it may not be left out.
func TestColumnsGiveWayToABrokenOne(t *testing.T) {
	clocks := &page.Table{Columns: []page.Column{{Head: "CLOCK"}, {Head: "MEAN", Worth: 10}, {Head: "STEP", Worth: 20}, {Head: "WHAT IT IS"}}}
	clocks.Add("wall", "25.46 ns", "20 ns", "monotonic wall-clock time, without a system call")
	for width, want := range map[int]string{
		50: "CLOCK  MEAN      STEP   WHAT IT IS\nwall   25.46 ns  20 ns  monotonic wall-clock time,\n                        without a system call\n",
		40: "CLOCK  STEP   WHAT IT IS\nwall   20 ns  monotonic wall-clock time,\n              without a system call\nno room in 40 columns for: MEAN\n",
	} {
		var b strings.Builder
		if err := Write(&b, []page.Block{clocks}, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", width, b.String(), want)
		}
	}
}
