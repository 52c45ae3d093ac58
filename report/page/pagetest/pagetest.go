// Package pagetest has a page of every block, for tests of writers.
package pagetest

import (
	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
)

// Every has each block, and texts that a suite file or a program may contain.
func Every() []page.Block {
	runs := &page.Table{
		Columns: []page.Column{{Head: "COMMIT"}, {Head: "SUBJECT", Cut: true},
			{Head: "TIME", Align: page.Right, Worth: 90},
			{Head: "SHAPE", Worth: 50}, {Head: "NOTE", Worth: 1}},
		Rows: []page.Row{
			{{Text: "3f2a91c0", Notes: []int{1}, To: "#sort"},
				{Text: "décode\tnumbers without a copy of the text, in half of the time"},
				{Text: "9.1 µs", Tone: page.Good},
				{Figure: []float64{1, 1, 2, 4}}, {Text: "short"}},
			{{Text: "עברית"}, {Text: "\x1b[31mred"}, {Text: "10.25 µs", Tone: page.Bad}, {}, {Text: "日本"}},
		},
		Notes: []page.Line{page.Toned(page.Faint, "¹ the machine was busy")},
		Tones: []page.Tone{page.Bad, page.Plain}, Kinds: map[page.Tone]string{page.Bad: "slower",
			page.Plain: "un<changed>"},
	}
	sizes := &page.Table{
		Columns: []page.Column{{Head: "case", Code: true}, {Head: "gates", Worth: 110},
			{Head: "time", Align: page.Right, Worth: 100}, {Head: "vs base", Worth: 95},
			{Head: "size", Align: page.Right, Worth: 10}, {Head: "drawing", Worth: 4}},
		Rows: []page.Row{
			{{Text: "codec/json/small", Notes: []int{1, 3}},
				{Marks: []page.Span{{Text: "✓", Tone: page.Good, Means: "pass"},
					{Text: "✗", Tone: page.Bad, Means: "fail"}}},
				{Number: "2.31", Unit: "µs", Spread: "± 1.0%"},
				{Number: "+7.2%", Spread: "(+6.1% … +8.3%)", Word: "worse", Tone: page.Bad},
				{Number: "1.5", From: "1.25", Unit: "KiB"}, {Bars: []int{1, 0, 9, 2}}},
			{{Text: "codec/json/a name that is longer than most names are"}, {}, {Number: "< 12", Unit: "ns"},
				{Marks: []page.Span{{Text: "not compared", Tone: page.Doubtful}}}, {Number: "10", Unit: "B"}},
			{{Text: "codec/json/broken"}, {Marks: []page.Span{{Text: "!"}}}, {Text: "crash", Tone: page.Bad}},
		},
	}
	arcs := &page.Table{
		Caption: page.Text("arcs, in the order of time"),
		Columns: []page.Column{{Head: "from", Once: true}, {Head: "to", Code: true}, {Head: "note|s"}},
	}
	arcs.Add("parse", "check", "a|b`c")
	arcs.Add("parse", "print", "<b>@all</b>")
	arcs.Add("check", "print", "an [item] of #1")
	settings := &page.Table{Columns: page.Heads("", "", "")}
	settings.Add("description", "a text that has the columns of both, and is longer than each of them alone")
	settings.Add("samples", "20", "default")
	settings.Add("warmup", "", "suite.yaml:3:5")
	return []page.Block{
		page.Paragraph{page.Say("every block, each %s", "once"), page.Text("a second line of the paragraph")},
		page.Section{
			ID:   "sort",
			Head: page.Text("sort: a section whose heading is too long for a narrow terminal"),
			Blocks: []page.Block{
				page.List{
					{
						Mark: page.Span{Text: "✗", Tone: page.Bad},
						Lines: []page.Line{
							page.Text("sort/1e6: time < 10 ms, which is an item with a mark"),
							page.Toned(page.Faint, "its detail"),
						},
						Blocks: []page.Block{page.Source("panic: oh"),
							page.Paragraph{page.Text("what to try about it, and why")}},
					},
					{Lines: []page.Line{
						page.Text("an item without a mark, to be wrapped; try ").With("suite run --only " +
							"'sort/*' suite.yaml"),
						page.Text("its detail"),
					}},
				},
				page.Section{Head: page.Line{{Text: "inner "}, {Text: "doubtful", Tone: page.Doubtful}},
					Blocks: []page.Block{
						page.Facts{{"governor", "performance on 2 CPUs, which is said at some length"},
							{"turbo", "off"}},
					}},
			},
		},
		page.Brief{"AMD EPYC", "2 CPUs", "linux/amd64", "load 0.31 0.20 0.11"},
		page.List{{
			Mark:    page.Span{Text: "FAIL:", Tone: page.Bad},
			Lines:   []page.Line{page.Text("one is slower, and two is slower, and three is slower")},
			Shorter: []page.Line{page.Text("one is slower, and 2 others"), page.Text("3 are slower")},
		}},
		runs,
		sizes,
		settings,
		page.Figure{
			Caption: page.Text("time of 30 commits"),
			Values: []float64{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 1, 1,
				1, 1, 1, 1, 1, 1, 1, 1},
		},
		page.Bars{Caption: page.Text("each pair: case ÷ base, less one"), Rows: []page.Bar{
			{Label: "below 0%", Notes: []string{"← limit −3.0%"}},
			{Label: "0% to +3.0%", Count: 1},
			{Label: "+3.0% and above", Count: 90, Notes: []string{"← median"}, Limit: "+3.0% tolerance"},
		}},
		page.Fold{
			Summary: page.Text("2 cases without a change"),
			Blocks:  []page.Block{page.Paragraph{page.Text("parse"), page.Text("print")}},
		},
		page.Fold{
			Summary: page.Line{{Text: "open"}, {Text: " at once", Tone: page.Faint},
				{Text: " ✗", Tone: page.Bad, Means: "fail"}},
			Tone: page.Bad,
			Open: true,
			ID:   "case-1",
			Blocks: []page.Block{
				picture("first"), picture("second"), arcs, settings,
				page.Under("beside", picture("third"), page.Items("what is next to it")),
				page.Folded("in a fold", page.Source("```\ncode")),
			},
		},
		page.Listing{{Text: "suite: sort", ID: "file-1-1"},
			{Text: "  expect: </code>", Tone: page.Bad, ID: "file-1-2"}},
		page.List{{Mark: page.Span{Text: "¹"},
			Lines: []page.Line{page.Text("a footnote"), page.Toned(page.Faint, "hint: none")},
			ID:    page.NoteID(1)},
			{Mark: page.Span{Text: "³"}, Lines: []page.Line{page.Text("another")}, ID: page.NoteID(3)}},
		page.Paragraph{{{Text: "links: "}, {Text: "a section", To: "#sort"}, {Text: ", "},
			{Text: "a page", To: "case/a.html?b&c"}, {Text: ", "}, {Text: "the web", To: "https://example.com/a"},
			{Text: "; none: "}, {Text: "a script", To: "javascript:alert(1)"}, {Text: ", "},
			{Text: "a password", To: "https://me:secret@example.com/"}}},
		page.Source("\x1b[1mpanic\x1b[0m: index out of range\n\tsort.go:12, at a place with a very long name\x07"),
	}
}

// picture is a drawing that stretches.
func picture(title string) page.Drawing {
	return page.Drawing{Drawing: &drawing.Drawing{
		Width:   100,
		Height:  20,
		Left:    10,
		Right:   90,
		Title:   title,
		Desc:    "two <dots>",
		Caption: "how to read it",
		Marks: []drawing.Mark{{Role: drawing.Axis, Path: "M10 10H90"},
			{Role: drawing.CaseDot, Path: "M20 5h0", Tip: "1 ms"}, {Role: drawing.CaseDot, Path: "M30 5h0"}},
		Labels: []drawing.Label{{X: 50, Y: 18, Anchor: drawing.Middle, Role: drawing.Strong,
			Text: "1 ms", Aside: "and more",
			Spare: true}},
		Sheet: &drawing.Sheet{Head: []string{"at"}, Rows: [][]string{{"1 ms"}}},
	}}
}
