package fill

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/history/chain"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// End is why a fill ended.
type End string

// The ends of a fill.
const (
	Complete    End = "complete"    // nothing is left to be found out
	OverBudget  End = "over-budget" // the time is over
	Interrupted End = "interrupted"
	Stopped     End = "stopped" // by an error
)

// Outcome is what is known when a fill ends.
type Outcome struct {
	End         End
	Line        []tree.Commit
	Comparisons int           // of this fill
	Measured    int           // commits, in this fill
	Took        time.Duration // this fill
	Cases       []Found       // in the order of Options.Cases
}

// Found is what is known of a case.
type Found struct {
	Case
	First, Last tree.Commit // the oldest and the newest commit that is known; equal: none is
	Total       chain.Difference
	Changes     []Change // in the order of commits
	Open        []Change // that may be one, and may be none
	Failed      map[int]string
}

// Change is a difference between a commit and the one before it that is known.
type Change struct {
	Commits    []tree.Commit // one, or several that cannot be told apart; the oldest first
	Before     tree.Commit   // the commit before them
	Difference chain.Difference
	Confirmed  bool
}

func (f *fill) outcome(end End) *Outcome {
	o := &Outcome{End: end, Line: f.Line, Comparisons: f.steps, Measured: len(f.measured), Took: f.Now().Sub(f.began)}
	for _, s := range f.all {
		found := Found{Case: s.Case, Failed: s.failed}
		if s.start >= 0 {
			found.First, found.Last = f.Line[s.oldest()], f.Line[s.start]
			found.Total = s.graph.From(found.First.Hash)[found.Last.Hash]
		}
		for _, l := range s.links {
			c := Change{f.Line[l.older+1 : l.newer+1], f.Line[l.older], l.Difference, isMove(s.confirms[l.pair])}
			switch {
			case s.isChange(l):
				found.Changes = append(found.Changes, c)
			case s.isOpen(l):
				found.Open = append(found.Open, c)
			}
		}
		o.Cases = append(o.Cases, found)
	}
	return o
}

// Known reports whether anything is known of any case.
func (o *Outcome) Known() bool {
	return slices.ContainsFunc(o.Cases, func(f Found) bool { return f.First.Hash != f.Last.Hash })
}

// Page has a row for each case, then the changes, and what is not known.
func (o *Outcome) Page() (blocks []page.Block) {
	newest := o.Line[len(o.Line)-1]
	blocks = append(blocks,
		page.Paragraph{page.Say("%s from %s to %s; %s, %s measured, %s", units.Plural(len(o.Line), "commit"),
			describe(o.Line[0]), describe(newest), units.Plural(o.Comparisons, "comparison"),
			units.Plural(o.Measured, "commit"), units.RoughTime(o.Took.Seconds()))})
	var table *page.Table
	for i, f := range o.Cases {
		if i == 0 || f.Suite != o.Cases[i-1].Suite {
			table = &page.Table{Columns: page.Heads("case", "change", "since", "changes", "undecided")}
			blocks = append(blocks, page.Under(f.Suite, table))
		}
		total, since := "unknown", ""
		if f.First.Hash != f.Last.Hash {
			total, since = differing(f.Total), display.Commit(f.First.Hash)+" "+f.First.Date
		}
		table.Add(f.Name, total, since, fmt.Sprint(len(f.Changes)), fmt.Sprint(len(f.Open)))
	}
	if list := o.changes(); len(list) > 0 {
		blocks = append(blocks, page.Under("changes", list))
	}
	if list := o.failures(); len(list) > 0 {
		blocks = append(blocks, page.Under("not measured", list))
	}
	return blocks
}

func describe(c tree.Commit) string {
	return fmt.Sprintf("%s (%s)", display.Commit(c.Hash), c.Date)
}

// differing writes a difference with its interval; what cannot differ has none.
func differing(d chain.Difference) string {
	if d == (chain.Difference{}) {
		return "none"
	}
	r := d.Factor()
	signed := func(x float64) string { return units.Signed(x-1, units.Tenths) }
	return fmt.Sprintf("%s (%s … %s)", signed(r.Value), signed(r.Low), signed(r.High))
}

// changes has the changes of all cases by commit, the oldest first.
func (o *Outcome) changes() (list page.List) {
	for _, commit := range o.Line {
		for _, f := range o.Cases {
			for _, c := range f.Changes {
				last := c.Commits[len(c.Commits)-1]
				if last.Hash != commit.Hash {
					continue
				}
				lines := page.Paragraph{page.Say("%s: %s at %s", f.Name, differing(c.Difference), o.name(&c))}
				lines.Say("%s", c.standing())
				list = append(list, page.Item{Lines: lines})
			}
		}
	}
	return list
}

// name is the commit of a change, or the commits that cannot be told apart.
func (o *Outcome) name(c *Change) string {
	last := c.Commits[len(c.Commits)-1]
	if len(c.Commits) > 1 {
		return fmt.Sprintf("one of %s from %s to %s", units.Plural(len(c.Commits), "commit"),
			describe(c.Commits[0]), describe(last))
	}
	return fmt.Sprintf("%s (%s, %s, %s)", display.Commit(last.Hash), last.Date, last.Author,
		display.Shorten(last.Subject, 60))
}

// standing is how well a change is known.
func (c *Change) standing() string {
	text := "not confirmed by pairs of its own"
	switch {
	case c.Confirmed:
		text = "confirmed by pairs of its own"
	case len(c.Commits) > 1:
		text = "not narrowed down"
	}
	return text + "; the commit before is " + describe(c.Before)
}

// failures has the commits that could not be measured, by their reason.
func (o *Outcome) failures() (list page.List) {
	commits := map[string][]tree.Commit{}
	var reasons []string
	for i, commit := range o.Line {
		for _, f := range o.Cases {
			reason := f.Failed[i]
			if reason == "" || slices.ContainsFunc(commits[reason], func(c tree.Commit) bool {
				return c.Hash == commit.Hash
			}) {
				continue
			}
			if commits[reason] == nil {
				reasons = append(reasons, reason)
			}
			commits[reason] = append(commits[reason], commit)
		}
	}
	for _, reason := range reasons {
		which := commits[reason]
		text := describe(which[0])
		if len(which) > 1 {
			text = fmt.Sprintf("%s from %s to %s", units.Plural(len(which), "commit"), text,
				describe(which[len(which)-1]))
		}
		list = append(list, page.Item{Lines: []page.Line{page.Say("%s: %s", text, reason)}})
	}
	return list
}

// Line describes a comparison that is over in one line.
func (s *Step) Line() string {
	text := fmt.Sprintf("comparison %d: %s with %s: ", s.Number, display.Commit(s.Candidate.Hash),
		display.Commit(s.Base.Hash))
	measured := 0
	if s.Run != nil {
		for i := range s.Run.Cases {
			if s.Run.Cases[i].Same == "" {
				measured++
			}
		}
	}
	var parts []string
	if s.Same > 0 {
		parts = append(parts, units.Plural(s.Same, "case")+" cannot differ")
	}
	if measured > 0 {
		parts = append(parts, units.Plural(measured, "case")+" measured"+s.largest())
	}
	if len(s.Unable) > 0 {
		parts = append(parts, fmt.Sprintf("%s not comparable (%s)",
			units.Plural(len(s.Unable), "case"), s.Unable[0].Reason))
	}
	return text + strings.Join(parts, ", ")
}

// largest is the largest difference that a comparison has shown; "" if it has shown none.
func (s *Step) largest() string {
	name, most := "", 0.0
	for i := range s.Run.Cases {
		c := &s.Run.Cases[i]
		for _, m := range c.Metrics {
			r := m.Ratio
			if r == nil || r.Value == nil || r.Call != result.Worse && r.Call != result.Better ||
				m.Name != "time" && m.Name != result.Instructions {
				continue
			}
			if change := math.Abs(math.Log(*r.Value)); change > most {
				name, most = c.Name+" "+units.Signed(*r.Value-1, units.Tenths), change
			}
		}
	}
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}
