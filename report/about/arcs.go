package about

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/flow"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// fewArcs is the number of arcs in an explanation; suite pegs shows all.
const fewArcs = 5

// Arcs lists the arcs with the most time and, if the case got worse, the arcs that took
// longer than in the base.
func Arcs(c *result.Case) []page.Block {
	if c.Pegs == nil {
		return nil
	}
	blocks := sentence("Its pegs were switched on for a separate pass after the samples, so their cost is in " +
		"no sample. An arc is the time from one peg to the next.")
	whole := arcs.Whole(c.Pegs)
	slices.SortStableFunc(whole, func(a, b result.Arc) int { return cmp.Compare(b.Sum, a.Sum) })
	var longest []string
	for i := range whole[:min(len(whole), fewArcs)] {
		longest = append(longest, flow.ArcText(c.Pegs, &whole[i]))
	}
	if rest := len(whole) - fewArcs; rest > 0 {
		longest = append(longest, fmt.Sprintf("and %s more: suite pegs shows them", units.Plural(rest, "arc")))
	}
	blocks = append(blocks, page.Items(longest...))
	if o := c.Comparison("time"); o == nil || o.Change != result.Worse {
		return blocks
	}
	slower := flow.Slower(c).Arcs
	if len(slower) == 0 {
		return blocks
	}
	rests := "by one pass of each, not judged"
	if c.PegPairs != nil {
		rests = flow.PairsText(c)
	}
	blocks = append(blocks, sentence("What took longer than in %s, %s:", c.Pairs.BaseName(), rests)...)
	return append(blocks, page.Items(slower...))
}

// Flows are the pegs of a suite.
func Flows(g *table.Group) []page.Block {
	var all []page.Block
	shown := map[string]bool{}
	for i := range g.Flows {
		f := *g.Flows[i]
		f.Notes = slices.DeleteFunc(slices.Clone(f.Notes), func(l page.Line) bool {
			return l[0].Tone == page.Faint && shown[l.String()]
		})
		for _, l := range f.Notes {
			shown[l.String()] = true // most notes are the same for all cases of one machine
		}
		all = append(all, Flow(&f))
	}
	if g.MoreFlows > 0 {
		all = append(all, page.List{more(units.Plural(g.MoreFlows, "case") + " more with pegs")})
	}
	return titled("where the time goes (pegs: a separate pass, judged only by gates that name arcs)", all...)
}

// Flow shows what the time of a case is spent on, with a row for each arc.
func Flow(f *flow.Flow) page.Section {
	var notes page.Paragraph
	if f.Folded != "" {
		notes = append(notes, page.Toned(page.Faint, "… and "+f.Folded+" (suite pegs RESULT.json shows them)"))
	}
	notes.Add(f.Changes...)
	notes = append(notes, f.Notes...)
	head := f.Case + ": " + f.About
	if len(f.Rows) == 0 {
		return page.Under(head, page.Blocks(notes)...)
	}
	ends := []page.Column{{Head: "from", Code: true, Once: true}, {Head: "to", Code: true}}
	t := &page.Table{Columns: append(ends, numeric(f.Columns)...), Notes: notes}
	for _, r := range f.Rows {
		ends := page.Row{{Text: cmp.Or(r.From, flow.Outermost)}, {Text: r.To}}
		t.Rows = append(t.Rows, append(ends, r.Cells...))
	}
	return page.Under(head, t)
}

// PathSums are the sums of the arcs along a path, case by case, and the names of the cases without
// it. If no case has the path, the error is the one of arcs.Path for the first case.
func PathSums(cases []flow.Pegged, path []string) (blocks []page.Block, err error) {
	sums, err := flow.PathSums(cases, path)
	if err != nil {
		return nil, err
	}
	var without []string
	for i, c := range cases {
		if sums[i] == nil {
			without = append(without, c.Label)
			continue
		}
		head := c.Label + ": " + strings.Join(sums[i].Names, " → ")
		blocks = append(blocks, page.Under(head, pathSum(c.Case.Pegs, sums[i])...))
	}
	if len(without) > 0 {
		blocks = append(blocks, faint("without these arcs: "+units.List(without, number.MostNamed)))
	}
	return blocks, nil
}

// pathSum has a fact for each number. If the sum is not exact, the numbers are bounds.
func pathSum(p *result.Pegs, s *arcs.Sum) []page.Block {
	most := "at most "
	if s.Exact {
		most = ""
	}
	share := ""
	if p.Seconds > 0 {
		share = fmt.Sprintf(", %s of the pass", units.Tenths(s.Total/p.Seconds))
	}
	var facts page.Facts
	add := func(name, text string) { facts = append(facts, [2]string{name, text}) }
	add("count", most+units.Thousands(fmt.Sprint(s.Count)))
	add("total", most+flow.EachTime(s.Total)+share)
	if s.Exact && s.Count > 0 {
		add("mean", flow.EachTime(s.Total/float64(s.Count)))
	}
	if len(s.Arcs) == 1 {
		add("min", flow.EachTime(s.Min))
		add("max", flow.EachTime(s.Max))
		return []page.Block{facts}
	}
	add("min", "at least "+flow.EachTime(s.Min)+" (the sum of the least times of each arc)")
	add("max", "at most "+flow.EachTime(s.Max)+" (the sum of the greatest times of each arc)")
	if s.Exact {
		return []page.Block{facts}
	}
	return []page.Block{facts,
		faint("bounds: points on the path are on other paths as well, and an arc does not record what was before it")}
}
