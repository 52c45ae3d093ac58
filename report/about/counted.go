package about

import (
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// unpaired explains the comparisons of a case that has no pairs: valgrind has counted its instructions.
func unpaired(c *result.Case) (blocks []page.Block) {
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		blocks = append(blocks, page.Section{Head: page.Toned(toneOf(o.Change), o.Metric+": "+said(o)),
			Blocks: page.Blocks(metric(c, o, i == 0)...)})
	}
	if len(blocks) == 0 {
		return sentence("No pair was taken, so the difference is unknown.")
	}
	return blocks
}

// countedRuns explains how instructions were counted and compared, with the number of each run.
func countedRuns(c *result.Case, o *result.Comparison) []page.Block {
	base, own, ok := c.CountedRuns()
	if !ok {
		return sentence("Base %s, this case %s: each is the number of one run that valgrind has executed, so they "+
			"are compared as plain numbers, without regard to how much they vary.",
			units.Format(o.Base, o.Unit), units.Format(o.Candidate, o.Unit))
	}
	lines := page.Paragraph{page.Say("Valgrind has executed %s of each side, of %s, and counted the instructions. No "+
		"clock was read, so the numbers are the same on however busy a machine. They show what the code does: "+
		"nothing of caches, branch prediction, the kernel and waiting.",
		units.Plural(len(own), "run"), units.Plural(int(c.Counted.Iterations), "iteration"))}
	if o.Low != nil && o.High != nil {
		lines.Say("If two sides are equal, every order of their numbers is equally likely. By those orders "+
			"the ratio is %s to %s, with a confidence of %s.",
			number.RatioText(*o.Low, 2), number.RatioText(*o.High, 2), units.Exact(o.Confidence))
	}
	if o.Change == result.Unclear && o.Reason != "" {
		lines.Say("It is unclear because %s.", o.Reason)
	}
	runs := &page.Table{Columns: []page.Column{{Head: "run", Align: page.Right},
		{Head: c.Pairs.BaseName(), Align: page.Right}, {Head: "this case", Align: page.Right}}}
	for i := range own {
		runs.Rows = append(runs.Rows, page.Row{{Text: strconv.Itoa(i + 1)}, {Text: units.Format(base[i], "")},
			{Text: units.Format(own[i], "")}})
	}
	blocks := []page.Block{lines, runs}
	if moved := movedFunctions(c); moved != nil {
		blocks = append(blocks,
			page.Paragraph{page.Say("The functions that differ most, in what they execute themselves, by the last " +
				"run of each side:")}, moved)
	}
	return blocks
}

// movedFunctions lists the functions that differ most, nil if none is known.
func movedFunctions(c *result.Case) page.Block {
	if len(c.Counted.Moved) == 0 {
		return nil
	}
	out := &page.Table{Columns: []page.Column{{Head: "function", Code: true, Cut: true},
		{Head: c.Pairs.BaseName(), Align: page.Right}, {Head: "this case", Align: page.Right}, {Align: page.Right}}}
	for i := range c.Counted.Moved {
		m := &c.Counted.Moved[i]
		out.Rows = append(out.Rows, page.Row{{Text: table.ShortFunction(m.Function)}, {Text: units.Format(m.Base, "")},
			{Text: units.Format(m.Candidate, "")}, {Text: table.MoveOf(m)}})
	}
	return out
}
