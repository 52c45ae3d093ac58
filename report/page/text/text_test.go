package text

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
)

// every has each block, and texts that a suite file or a program may contain.
func every() []page.Block {
	runs := &page.Table{
		Columns: []page.Column{{Head: "COMMIT"}, {Head: "SUBJECT", Cut: true}, {Head: "TIME", Align: page.Right, Worth: 90}, {Head: "SHAPE", Worth: 50}, {Head: "NOTE", Worth: 1}},
		Rows: []page.Row{
			{{Text: "3f2a91c0", Notes: []int{1}}, {Text: "décode\tnumbers without a copy of the text, in half of the time"}, {Text: "9.1 µs", Tone: page.Good}, {Figure: []float64{1, 1, 2, 4}}, {Text: "short"}},
			{{Text: "עברית"}, {Text: "\x1b[31mred"}, {Text: "10.25 µs", Tone: page.Bad}, {}, {Text: "日本"}},
		},
		Notes: []page.Line{page.Toned(page.Faint, "¹ the machine was busy")},
	}
	sizes := &page.Table{
		Columns: []page.Column{{Head: "case", Code: true}, {Head: "gates", Worth: 110}, {Head: "time", Align: page.Right, Worth: 100}, {Head: "vs base", Worth: 95}, {Head: "size", Align: page.Right, Worth: 10}, {Head: "drawing", Worth: 4}},
		Rows: []page.Row{
			{{Text: "codec/json/small", Notes: []int{1, 3}}, {Marks: []page.Span{{Text: "✓", Tone: page.Good}, {Text: "✗", Tone: page.Bad}}}, {Number: "2.31", Unit: "µs", Spread: "± 1.0%"}, {Number: "+7.2%", Spread: "(+6.1% … +8.3%)", Word: "worse", Tone: page.Bad}, {Number: "1.5", From: "1.25", Unit: "KiB"}, {Figure: []float64{1, 2}}},
			{{Text: "codec/json/a name that is longer than most names are"}, {}, {Number: "< 12", Unit: "ns"}, {Marks: []page.Span{{Text: "not compared", Tone: page.Doubtful}}}, {Number: "10", Unit: "B"}},
			{{Text: "codec/json/broken"}, {Marks: []page.Span{{Text: "!"}}}, {Text: "crash", Tone: page.Bad}},
		},
	}
	settings := &page.Table{Columns: page.Heads("", "", "")}
	settings.Add("description", "a text that has the columns of both, and is longer than each of them alone")
	settings.Add("samples", "20", "default")
	settings.Add("warmup", "", "suite.yaml:3:5")
	return []page.Block{
		page.Paragraph{page.Say("every block, each %s", "once"), page.Text("a second line of the paragraph")},
		page.Section{Head: page.Text("sort: a section whose heading is too long for a narrow terminal"), Blocks: []page.Block{
			page.List{
				{Mark: page.Span{Text: "✗", Tone: page.Bad}, Lines: []page.Line{page.Text("sort/1e6: time < 10 ms, which is an item with a mark"), page.Toned(page.Faint, "its detail")},
					Blocks: []page.Block{page.Source("panic: oh"), page.Paragraph{page.Text("what to try about it, and why")}}},
				{Lines: []page.Line{page.Text("an item without a mark, to be wrapped; try ").With("suite run --only 'sort/*' suite.yaml"), page.Text("its detail")}},
			},
			page.Section{Head: page.Line{{Text: "inner "}, {Text: "doubtful", Tone: page.Doubtful}}, Blocks: []page.Block{
				page.Facts{{"governor", "performance on 2 CPUs, which is said at some length"}, {"turbo", "off"}},
			}},
		}},
		page.Brief{"AMD EPYC", "2 CPUs", "linux/amd64", "load 0.31 0.20 0.11"},
		page.List{{Mark: page.Span{Text: "FAIL:", Tone: page.Bad}, Lines: []page.Line{page.Text("one is slower, and two is slower, and three is slower")},
			Shorter: []page.Line{page.Text("one is slower, and 2 others"), page.Text("3 are slower")}}},
		runs,
		sizes,
		settings,
		page.Figure{Caption: page.Text("time of 30 commits"), Values: []float64{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		page.Bars{Caption: page.Text("each pair: case ÷ base, less one"), Rows: []page.Bar{
			{Label: "below 0%", Notes: []string{"← limit −3.0%"}},
			{Label: "0% to +3.0%", Count: 1},
			{Label: "+3.0% and above", Count: 90, Notes: []string{"← median"}, Limit: "+3.0% tolerance"},
		}},
		page.Fold{Summary: page.Text("2 cases without a change"), Blocks: []page.Block{page.Paragraph{page.Text("parse"), page.Text("print")}}},
		page.Source("\x1b[1mpanic\x1b[0m: index out of range\n\tsort.go:12, at a place with a very long name\x07"),
	}
}

func TestEveryBlock(t *testing.T) {
	var b strings.Builder
	for _, o := range []Options{{}, {Width: 80, Color: true}, {Width: 40, All: true}, {Width: 60, ASCII: true}} {
		fmt.Fprintf(&b, "%+v\n\n", o)
		if err := Write(&b, every(), o); err != nil {
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
		if err := Write(&b, every(), Options{Width: width}); err != nil {
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
