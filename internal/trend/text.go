package trend

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/stats"
	"example.com/suite/stats/changes"
)

// TextOptions are about the layout of text.
type TextOptions struct {
	ASCII bool
	All   bool // also series in which nothing changed
}

// Text writes a line for each series, the worst first, with the changes that were found below them.
func Text(w io.Writer, all []Series, o TextOptions) error {
	out := bufio.NewWriter(w)
	shown := slices.DeleteFunc(slices.Clone(all), func(s Series) bool { return !o.All && !s.Notable() })
	if len(all) > 0 {
		fmt.Fprintln(out, heading(all))
	}
	slices.SortStableFunc(shown, func(a, b Series) int { return WorstFirst(&a, &b) })
	suite := ""
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i := range shown {
		s := &shown[i]
		if s.Suite != suite {
			table.Flush()
			suite = s.Suite
			fmt.Fprintf(out, "\n%s\n", display.Visible(suite))
			fmt.Fprintf(table, "  case\tlatest\tcommits\thistory\tchange\n")
		}
		last := s.Points[len(s.Points)-1]
		_, total := s.Total()
		fmt.Fprintf(table, "  %s\t%s\t%d\t%s\t%s\n", display.Visible(s.Case), units.Format(last.Value, s.Unit), len(s.Points), s.sketch(o.ASCII), total)
	}
	table.Flush()
	if n := len(all) - len(shown); n > 0 {
		fmt.Fprintf(out, "\n%s without a change; --all shows them\n", units.Plural(n, "case"))
	}
	if lines := notes(shown); len(lines) > 0 {
		fmt.Fprintf(out, "\nchanges\n%s", strings.Join(lines, ""))
	}
	if !slices.ContainsFunc(all, Series.canChange) {
		fmt.Fprintf(out, "\nno case has %d commits on one machine yet, which a change needs at least\n", changes.LeastPoints)
	}
	return out.Flush()
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
		return text + ", " + display.Visible(all[0].Machines[0])
	}
	return text + fmt.Sprintf(", %d machines, each with levels of its own", len(machines))
}

// sketchWidth is the number of columns of a sketch.
const sketchWidth = 24

// sketch draws the points of the newest machine, as medians of neighbours.
func (s *Series) sketch(ascii bool) string {
	_, values := s.ofMachine(s.Points[len(s.Points)-1].Machine)
	columns := min(sketchWidth, len(values))
	heights := make([]float64, columns)
	for i := range heights {
		heights[i] = stats.Median(values[i*len(values)/columns : (i+1)*len(values)/columns])
	}
	low, high := slices.Min(heights), slices.Max(heights)
	blocks := []rune("▁▂▃▄▅▆▇█")
	middle := stats.Median(heights)
	reach := math.Max(high-low, math.Abs(middle)*0.05) // noise of 1 % is not drawn from bottom to top
	var b strings.Builder
	for _, h := range heights {
		level := int(math.Round((h - (low+high)/2) / reach * float64(len(blocks)-1)))
		b.WriteRune(blocks[max(0, min(len(blocks)-1, level+len(blocks)/2))])
	}
	if ascii {
		return display.Spell(b.String())
	}
	return b.String()
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
func notes(all []Series) (lines []string) {
	for i := range all {
		s := &all[i]
		name := display.Visible(s.Case)
		for _, c := range s.Changes {
			lines = append(lines, fmt.Sprintf("  %s: %s at %s\n      %s; the last commit before it is %s\n",
				name, c.Direction(), s.Points[c.At].name(), s.levels(&c), s.Points[c.Last].name()))
		}
		if s.Recent != nil {
			lines = append(lines, fmt.Sprintf("  %s: perhaps %s\n      %s\n", name, s.RecentText(), s.levels(&s.Recent.Change)))
		}
		if s.Crept {
			lines = append(lines, fmt.Sprintf("  %s: %s slowly, from %s to %s: no single commit explains it\n",
				name, s.Drift, s.Points[s.Drift.From].name(), s.Points[s.Drift.To].name()))
		}
	}
	return lines
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
	return units.Format(c.Before, s.Unit) + " → " + units.Format(c.After, s.Unit)
}

// name is the commit with its date and subject.
func (p *Point) name() string {
	when := p.When.Format("2 Jan 2006")
	if p.Commit == "" {
		return "the run of " + when
	}
	text := display.Commit(p.Commit) + " (" + when
	if p.Subject != "" {
		text += ", " + display.Shorten(display.Visible(p.Subject), 50)
	}
	return text + ")"
}
