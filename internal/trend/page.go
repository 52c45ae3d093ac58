package trend

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/stats/changes"
)

// Page has a row for each series, the worst first, and then the changes that were found. A series in
// which nothing changed is counted, unless all are to be shown.
func Page(all []Series, showAll bool) (blocks []page.Block) {
	shown := slices.DeleteFunc(slices.Clone(all), func(s Series) bool { return !showAll && !s.Notable() })
	if len(all) > 0 {
		blocks = append(blocks, page.Paragraph{page.Text(heading(all))})
	}
	slices.SortStableFunc(shown, func(a, b Series) int { return WorstFirst(&a, &b) })
	var table *page.Table
	for i := range shown {
		s := &shown[i]
		if i == 0 || s.Suite != shown[i-1].Suite {
			table = &page.Table{Columns: page.Heads("case", "latest", "commits", "history", "change")}
			blocks = append(blocks, page.Under(s.Suite, table))
		}
		last := s.Points[len(s.Points)-1]
		total := s.StandingText()
		table.Rows = append(table.Rows, page.Row{{Text: s.Case}, {Text: units.Format(last.Value, s.Unit)},
			{Text: fmt.Sprint(len(s.Points))},
			{Figure: s.values(last.Machine)}, {Text: total}})
	}
	if n := len(all) - len(shown); n > 0 {
		blocks = append(blocks,
			page.Paragraph{page.Say("%s without a change; --all shows them", units.Plural(n, "case"))})
	}
	open, acknowledged := notes(shown)
	if len(open) > 0 {
		blocks = append(blocks, page.Under("changes", open))
	}
	if len(acknowledged) > 0 {
		blocks = append(blocks, page.Under("acknowledged", acknowledged))
	}
	if text := TooShort(all); text != "" {
		blocks = append(blocks, page.Paragraph{page.Say("%s", text)})
	}
	return blocks
}

// TooShort returns why no change can be found in any of the series, "" if one can.
func TooShort(all []Series) string {
	if slices.ContainsFunc(all, func(s Series) bool { return s.canChange() || s.isFilled() }) {
		return ""
	}
	return fmt.Sprintf("no case has %d commits on one machine yet, which a change needs at least", changes.LeastPoints)
}

// canChange reports whether there are enough points of one machine to find a change among them.
func (s Series) canChange() bool {
	for machine := range s.Machines {
		if at, _ := s.ofMachine(machine); len(at) >= changes.LeastPoints {
			return true
		}
	}
	return false
}

// Notable reports whether the level of the series changed, at once or slowly, or may have.
func (s *Series) Notable() bool { return len(s.Changes) > 0 || s.Crept || s.Recent != nil }

func heading(all []Series) string {
	first, last := all[0].Points[0].When, all[0].Points[0].When
	machines, commits := map[string]bool{}, map[string]bool{}
	for i := range all {
		for _, p := range all[i].Points {
			if p.When.Before(first) {
				first = p.When
			}
			if p.When.After(last) {
				last = p.When
			}
			commits[p.Commit] = true
		}
		for _, m := range all[i].Machines {
			machines[m] = true
		}
	}
	const day = "2 Jan 2006"
	text := fmt.Sprintf("%s of %s, %s", all[0].Metric, units.Plural(len(commits), "commit"), first.Format(day))
	if until := last.Format(day); until != first.Format(day) {
		text += " to " + until
	}
	if len(machines) == 1 {
		return text + ", " + all[0].Machines[0]
	}
	return text + fmt.Sprintf(", %d machines, each with levels of its own", len(machines))
}

// Total is the change from the first point to the last, as a share and as text: by the chain of
// ratios if there is one, because no change of the machine affects it; else between the first
// level and the last, or along the slope. The text is empty if nothing changed.
func (s *Series) Total() (change float64, text string) {
	last := len(s.Points) - 1
	switch first := s.levelAt(slices.IndexFunc(s.Points, func(p Point) bool {
		return p.Machine == s.Points[last].Machine
	})); {
	case s.Chained != nil && s.Chained.From == 0:
		return s.Chained.Change, s.Chained.String() + " by ratios"
	case s.Crept:
		return s.Drift.Change, s.Drift.String()
	case len(s.Changes) > 0:
		total := Change{Before: first, After: s.levelAt(last)}
		return total.Relative(), total.Percent()
	case s.Recent != nil:
		return s.Recent.Relative(), "perhaps " + s.Recent.Percent()
	}
	return 0, ""
}

// Standing is what is left of the changes of the newest machine: the relative change of all
// together, without those that people have acknowledged. The call is Same if they cancel out, or
// if there are none, and Unclear if only the newest points differ.
func (s *Series) Standing() (change float64, call result.Change) {
	newest := s.Points[len(s.Points)-1].Machine
	factor := 1.0
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Acknowledged == nil && s.Points[c.At].Machine == newest {
			factor *= 1 + c.Relative()
		}
	}
	if s.Crept {
		factor *= 1 + s.Drift.Change
	}
	change = factor - 1
	if math.IsNaN(change) { // up from 0, and back
		change = 0
	}
	switch {
	case change != 0 && math.Abs(change) >= s.least && s.badness(change) > 0:
		return change, result.Worse
	case change != 0 && math.Abs(change) >= s.least:
		return change, result.Better
	case s.Recent != nil:
		return s.Recent.Relative(), result.Unclear
	}
	return 0, result.Same
}

// StandingText is the total change as Total writes it or, if people have acknowledged changes, what
// is left without them, and how many they are.
func (s *Series) StandingText() string {
	_, text := s.Total()
	n := s.CountAcknowledged()
	if n == 0 {
		return text
	}
	if change, call := s.Standing(); call == result.Worse || call == result.Better {
		return fmt.Sprintf("%s, and %d acknowledged", signed(change), n)
	}
	return text + ", acknowledged"
}

// CountAcknowledged counts the changes that people have acknowledged.
func (s *Series) CountAcknowledged() (n int) {
	for i := range s.Changes {
		if s.Changes[i].Acknowledged != nil {
			n++
		}
	}
	return n
}

// String writes a change and its interval: +10.2% (+8.1% … +12.3%).
func (d *Drift) String() string {
	signed := func(x float64) string { return units.Signed(x, units.Tenths) }
	return fmt.Sprintf("%s (%s … %s)", signed(d.Change), signed(d.Low), signed(d.High))
}

// group is the changes of one commit that the same commit is the last before, and that are open, or
// acknowledged for one reason.
type group struct {
	at, last     *Point
	acknowledged *Acknowledged // nil: open
	changes      []in
}

// in is a change of a series.
type in struct {
	*Series
	*Change
}

// groups returns the changes of all series by commit, the changes of the first series first.
func groups(all []Series) (groups []*group) {
	type key struct{ at, last, reason string }
	known := map[key]*group{}
	for i := range all {
		s := &all[i]
		for j := range s.Changes {
			c := &s.Changes[j]
			k := key{at: s.Points[c.At].Commit, last: s.Points[c.Last].Commit}
			if c.Acknowledged != nil {
				k.reason = c.Acknowledged.Reason
			}
			g := known[k]
			if g == nil || k.at == "" {
				g = &group{at: &s.Points[c.At], last: &s.Points[c.Last], acknowledged: c.Acknowledged}
				known[k] = g
				groups = append(groups, g)
			}
			g.changes = append(g.changes, in{s, c})
		}
	}
	return groups
}

// item names the commit once, and each case that changed there.
func (g *group) item() page.Item {
	before := "the last commit before it is " + g.last.dated()
	first := g.changes[0]
	item := page.Item{Lines: []page.Line{
		page.Say("%s: %s at %s", first.Case, first.Direction(), g.at.name()),
		page.Say("%s; %s", first.levels(first.Change), before),
	}}
	if len(g.changes) > 1 {
		item.Lines = []page.Line{page.Say("%s at %s", units.Plural(len(g.changes), "case"), g.at.name()),
			page.Text(before)}
		for _, c := range g.changes {
			item.Lines = append(item.Lines, page.Say("%s: %s, %s", c.Case, c.Direction(), c.levels(c.Change)))
		}
	}
	if g.acknowledged != nil {
		item.Lines = append(item.Lines, page.Text(g.acknowledged.String()))
	}
	return item
}

// String is the reason, with its place: acknowledged: bought by safer checks (2026-06-01 by ada, accept.yaml:3:3).
func (a *Acknowledged) String() string {
	origin := a.Place.String()
	if a.At != "" {
		origin = a.At + ", " + origin
	}
	return fmt.Sprintf("acknowledged: %s (%s)", a.Reason, origin)
}

// notes describes the changes of all series, by commit, and then each series that may have changed or
// crept. Changes that people have acknowledged are apart.
func notes(all []Series) (open, acknowledged page.List) {
	for _, g := range groups(all) {
		if g.acknowledged == nil {
			open = append(open, g.item())
		} else {
			acknowledged = append(acknowledged, g.item())
		}
	}
	for i := range all {
		s := &all[i]
		if s.Recent != nil {
			open = append(open, page.Item{Lines: []page.Line{
				page.Say("%s: perhaps %s", s.Case, s.RecentText()),
				page.Text(s.levels(&s.Recent.Change)),
			}})
		}
		if s.Crept {
			open = append(open,
				page.Item{Lines: []page.Line{page.Say("%s: %s slowly, from %s to %s: no single commit explains it",
					s.Case, s.Drift, s.Points[s.Drift.From].dated(), s.Points[s.Drift.To].dated())}})
		}
	}
	return open, acknowledged
}

// Direction is the size of a change and whether it is good: +5.0% worse.
func (c *Change) Direction() string {
	direction := "better"
	if c.Worse {
		direction = "worse"
	}
	if c.Before == 0 {
		return c.Percent() + ", " + direction
	}
	return c.Percent() + " " + direction
}

// RecentText describes the difference at the end of the points. There has to be one.
func (s *Series) RecentText() string {
	r := s.Recent
	return fmt.Sprintf("%s at %s: too few points after it to tell (%d of %d needed)", r.Direction(),
		s.Points[r.At].name(), r.Points, r.Needed)
}

// levels are the levels before and after a change.
func (s *Series) levels(c *Change) string {
	text := units.Format(c.Before, s.Unit) + " → " + units.Format(c.After, s.Unit)
	if c.Paired {
		text += " by ratios of pairs"
	}
	return text
}

// dated is the commit with its date.
func (p *Point) dated() string {
	when := p.When.Format("2 Jan 2006")
	if p.Commit == "" {
		return "the run of " + when
	}
	return display.Commit(p.Commit) + " (" + when + ")"
}

// name is the commit with its date, author and subject.
func (p *Point) name() string {
	if p.Commit == "" {
		return p.dated()
	}
	when := p.When.Format("2 Jan 2006")
	text := display.Commit(p.Commit) + " (" + when
	for _, part := range []string{p.Author, p.Subject} {
		if part != "" {
			text += ", " + display.Shorten(part, 50)
		}
	}
	return text + ")"
}
