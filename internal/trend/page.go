package trend

import (
	"fmt"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
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
		_, total := s.Total()
		table.Rows = append(table.Rows, page.Row{{Text: s.Case}, {Text: units.Format(last.Value, s.Unit)}, {Text: fmt.Sprint(len(s.Points))},
			{Figure: s.values(last.Machine)}, {Text: total}})
	}
	if n := len(all) - len(shown); n > 0 {
		blocks = append(blocks, page.Paragraph{page.Say("%s without a change; --all shows them", units.Plural(n, "case"))})
	}
	if list := notes(shown); len(list) > 0 {
		blocks = append(blocks, page.Under("changes", list))
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
	switch first := s.levelAt(slices.IndexFunc(s.Points, func(p Point) bool { return p.Machine == s.Points[last].Machine })); {
	case s.Chained != nil && s.Chained.From == 0:
		return s.Chained.Change, s.Chained.String() + " by ratios"
	case s.Crept:
		return s.Drift.Change, s.Drift.String()
	case len(s.Changes) > 0 && first != 0:
		change = s.levelAt(last)/first - 1
		return change, units.Signed(change, units.Tenths)
	case s.Recent != nil:
		return s.Recent.Relative(), "perhaps " + units.Signed(s.Recent.Relative(), units.Tenths)
	}
	return 0, ""
}

// String writes a change and its interval: +10.2% (+8.1% … +12.3%).
func (d *Drift) String() string {
	signed := func(x float64) string { return units.Signed(x, units.Tenths) }
	return fmt.Sprintf("%s (%s … %s)", signed(d.Change), signed(d.Low), signed(d.High))
}

// notes describes each change of each series, and each series that crept.
func notes(all []Series) (list page.List) {
	for i := range all {
		s := &all[i]
		for _, c := range s.Changes {
			list = append(list, page.Item{Lines: []page.Line{
				page.Say("%s: %s at %s", s.Case, c.Direction(), s.Points[c.At].name()),
				page.Say("%s; the last commit before it is %s", s.levels(&c), s.Points[c.Last].name()),
			}})
		}
		if s.Recent != nil {
			list = append(list, page.Item{Lines: []page.Line{page.Say("%s: perhaps %s", s.Case, s.RecentText()), page.Text(s.levels(&s.Recent.Change))}})
		}
		if s.Crept {
			list = append(list, page.Item{Lines: []page.Line{page.Say("%s: %s slowly, from %s to %s: no single commit explains it",
				s.Case, s.Drift, s.Points[s.Drift.From].name(), s.Points[s.Drift.To].name())}})
		}
	}
	return list
}

// Direction is the size of a change and whether it is good: +5.0% worse.
func (c *Change) Direction() string {
	direction := "better"
	if c.Worse {
		direction = "worse"
	}
	return units.Signed(c.Relative(), units.Tenths) + " " + direction
}

// RecentText describes the difference at the end of the points. There has to be one.
func (s *Series) RecentText() string {
	r := s.Recent
	return fmt.Sprintf("%s at %s: too few points after it to tell (%d of %d needed)", r.Direction(), s.Points[r.At].name(), r.Points, r.Needed)
}

// levels are the levels before and after a change.
func (s *Series) levels(c *Change) string {
	text := units.Format(c.Before, s.Unit) + " → " + units.Format(c.After, s.Unit)
	if c.Paired {
		text += " by ratios of pairs"
	}
	return text
}

// name is the commit with its date, author and subject.
func (p *Point) name() string {
	when := p.When.Format("2 Jan 2006")
	if p.Commit == "" {
		return "the run of " + when
	}
	text := display.Commit(p.Commit) + " (" + when
	for _, part := range []string{p.Author, p.Subject} {
		if part != "" {
			text += ", " + display.Shorten(part, 50)
		}
	}
	return text + ")"
}
