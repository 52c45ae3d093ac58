package selfcheck

import (
	"fmt"
	"io"
	"math"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/jsondoc"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
)

// Page has the tables, the verdict last.
func (r *Report) Page() []page.Block {
	blocks := []page.Block{page.Paragraph{page.Say("selfcheck: %d comparisons in %s",
		len(r.Comparisons), units.Format(r.Seconds, "s"))}}
	if len(r.Comparisons) > 0 {
		blocks = append(blocks, page.Under("FALSE ALARMS: identical code against itself", r.alarms()))
		if len(r.Suites) > 0 {
			blocks = append(blocks,
				page.Under(fmt.Sprintf("SUITES of %d such gates at tolerance 0%%, which share %s",
					gates, units.Rough(defaults.Family)),
					r.suites()))
		}
		if len(r.Power) > 0 {
			blocks = append(blocks,
				page.Under(fmt.Sprintf("POWER: more work, as one of %d gates at tolerance 0%%", gates), r.power()))
		}
		blocks = append(blocks, page.Under("FLOOR: the smallest difference that this many pairs can show", r.floors()))
	}
	if len(r.Failures) > 0 {
		blocks = append(blocks, page.Under("NOT MEASURED", page.Items(r.Failures...)))
	}
	return append(blocks, page.Paragraph{page.Text(r.line())})
}

func (r *Report) line() string {
	if r.Interrupted != "" {
		return fmt.Sprintf("INTERRUPTED: %s after %d comparisons; of these: %s", r.Interrupted,
			len(r.Comparisons), r.Text)
	}
	return r.Text
}

func (r *Report) alarms() *page.Table {
	t := &page.Table{Columns: page.Heads("", "tolerance", "compared", "worse", "better", "same", "unclear",
		"in fixed order")}
	note := func(format string, args ...any) { t.Notes = append(t.Notes, page.Say(format, args...)) }
	note("Allowed are %s worse and %s better. In brackets the %s interval of the chance.",
		units.Rough(single), units.Rough(single), units.Rough(confidence))
	for _, a := range r.Alarms {
		ordered := "–"
		if a.Ordered != nil {
			ordered = fmt.Sprint(a.Ordered.Hits)
		}
		t.Add(a.Kind, units.Rough(a.Tolerance), fmt.Sprint(a.Comparisons), a.Worse.String(), a.Better.String(),
			fmt.Sprint(a.Same), fmt.Sprint(a.Unclear), ordered)
		if a.Tolerance == 0 {
			note("%s", proof(a.Kind, "an alarm", a.Comparisons, worst(a.Worse, a.Better), a.Alpha))
		}
	}
	note("In fixed order: called different, had the base gone first in each of the same pairs.")
	return t
}

// proof returns what n comparisons show about a promise, and what they do not, in words.
func proof(what, event string, n int, seen Rate, promised float64) string {
	switch {
	case seen.Low > promised:
		return fmt.Sprintf("%s: MORE than promised: the chance of %s is at least %s, not %s.",
			what, event, units.Rough(seen.Low), units.Rough(promised))
	case seen.High <= promised:
		return fmt.Sprintf("%s: shown here, the chance of %s is at most %s.", what, event, units.Rough(promised))
	}
	return fmt.Sprintf("%s: %d show no more than at most %s; to show %s takes %d without one alarm.",
		what, n, units.Rough(seen.High), units.Rough(promised), trials(promised))
}

// worst is the rate of the side with more alarms.
func worst(a, b Rate) Rate {
	if b.Hits > a.Hits {
		return b
	}
	return a
}

// trials without a hit bring the upper end of the interval down to p.
func trials(p float64) int {
	return int(math.Ceil(math.Log((1-confidence)/2) / math.Log1p(-p)))
}

func (r *Report) suites() *page.Table {
	t := &page.Table{Columns: page.Heads("", "suites", "red")}
	for _, s := range r.Suites {
		t.Add(s.Kind, fmt.Sprint(s.Suites), s.Red.String())
		t.Notes = append(t.Notes, page.Text(proof(s.Kind, "a red suite", s.Suites, s.Red, s.Family)))
	}
	return t
}

func (r *Report) power() *page.Table {
	t := &page.Table{Columns: page.Heads("injected", "compared", "found", "measured", "pairs, median and p90",
		"time, median and p90")}
	for _, p := range r.Power {
		t.Add("+"+units.Rough(p.Injected), fmt.Sprint(p.Comparisons), p.Found.String(),
			units.Signed(p.Ratio-1, units.Rough), fmt.Sprintf("%.0f, %.0f", p.Pairs.Median, p.Pairs.P90),
			units.Format(p.Seconds.Median, "s")+", "+units.Format(p.Seconds.P90, "s"))
	}
	return t
}

func (r *Report) floors() *page.Table {
	t := &page.Table{
		Columns: page.Heads("", "pairs", "time", "interval", "smallest difference"),
		Notes: []page.Line{page.Text("Smallest difference: 19 of 20 A/A comparisons would have shown it. More " +
			"pairs show smaller ones.")},
	}
	for _, f := range r.Floors {
		t.Add(f.Work, fmt.Sprintf("%.0f", f.Pairs), units.Format(f.Seconds, "s"),
			plusMinus(f.HalfWidth), known(f.Smallest))
	}
	return t
}

// String is the number, with the interval of its chance.
func (r Rate) String() string {
	return fmt.Sprintf("%d (%s…%s)", r.Hits, units.Rough(r.Low), units.Rough(r.High))
}

func plusMinus(x *float64) string {
	if x == nil {
		return "none"
	}
	return "± " + units.Rough(*x)
}

func known(x *float64) string {
	if x == nil {
		return "none"
	}
	return units.Rough(*x)
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error { return jsondoc.Write(w, r) }
