package selfcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/units"
)

// WriteText writes the report as tables, in lines of at most 100 columns, the
// verdict last.
func WriteText(w io.Writer, r *Report) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "selfcheck: %d comparisons in %s\n", len(r.Comparisons), units.Format(r.Seconds, "s"))
	if len(r.Comparisons) > 0 {
		r.alarmRows(out)
		r.suiteRows(out)
		r.powerRows(out)
		r.floorRows(out)
	}
	for i, f := range r.Failures {
		if i == 0 {
			fmt.Fprint(out, "\nNOT MEASURED\n")
		}
		fmt.Fprintf(out, "  %s\n", f)
	}
	fmt.Fprintf(out, "\n%s\n", r.line())
	return out.Flush()
}

func (r *Report) line() string {
	if r.Interrupted != "" {
		return fmt.Sprintf("INTERRUPTED: %s after %d comparisons; of these: %s", r.Interrupted, len(r.Comparisons), r.Text)
	}
	return r.Text
}

func table(out io.Writer, head string, rows func(io.Writer)) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, head)
	rows(w)
	w.Flush()
}

func (r *Report) alarmRows(out io.Writer) {
	fmt.Fprint(out, "\nFALSE ALARMS: identical code against itself\n")
	table(out, "  \ttolerance\tcompared\tworse\tbetter\tsame\tunclear\tin fixed order", func(w io.Writer) {
		for _, a := range r.Alarms {
			ordered := "–"
			if a.Ordered != nil {
				ordered = fmt.Sprint(a.Ordered.Hits)
			}
			fmt.Fprintf(w, "  %s\t%s\t%d\t%s\t%s\t%d\t%d\t%s\n", a.Kind, units.Rough(a.Tolerance), a.Comparisons, a.Worse, a.Better, a.Same, a.Unclear, ordered)
		}
	})
	fmt.Fprintf(out, "  Allowed are %s worse and %s better. In brackets the %s interval of the chance.\n", units.Rough(single), units.Rough(single), units.Rough(confidence))
	for _, a := range r.Alarms {
		if a.Tolerance == 0 {
			fmt.Fprintf(out, "  %s\n", proof(a.Kind, "an alarm", a.Comparisons, worst(a.Worse, a.Better), a.Alpha))
		}
	}
	fmt.Fprint(out, "  In fixed order: called different, had the base gone first in each of the same pairs.\n")
}

// proof returns what n comparisons show about a promise, and what they do not, in words.
func proof(what, event string, n int, seen Rate, promised float64) string {
	switch {
	case seen.Low > promised:
		return fmt.Sprintf("%s: MORE than promised: the chance of %s is at least %s, not %s.", what, event, units.Rough(seen.Low), units.Rough(promised))
	case seen.High <= promised:
		return fmt.Sprintf("%s: shown here, the chance of %s is at most %s.", what, event, units.Rough(promised))
	}
	return fmt.Sprintf("%s: %d show no more than at most %s; to show %s takes %d without one alarm.", what, n, units.Rough(seen.High), units.Rough(promised), trials(promised))
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

func (r *Report) suiteRows(out io.Writer) {
	if len(r.Suites) == 0 {
		return
	}
	fmt.Fprintf(out, "\nSUITES of %d such gates at tolerance 0%%, which share %s\n", gates, units.Rough(defaults.Family))
	table(out, "  \tsuites\tred", func(w io.Writer) {
		for _, s := range r.Suites {
			fmt.Fprintf(w, "  %s\t%d\t%s\n", s.Kind, s.Suites, s.Red)
		}
	})
	for _, s := range r.Suites {
		fmt.Fprintf(out, "  %s\n", proof(s.Kind, "a red suite", s.Suites, s.Red, s.Family))
	}
}

func (r *Report) powerRows(out io.Writer) {
	if len(r.Power) == 0 {
		return
	}
	fmt.Fprintf(out, "\nPOWER: more work, as one of %d gates at tolerance 0%%\n", gates)
	table(out, "  injected\tcompared\tfound\tmeasured\tpairs, median and p90\ttime, median and p90", func(w io.Writer) {
		for _, p := range r.Power {
			fmt.Fprintf(w, "  +%s\t%d\t%s\t%s\t%.0f, %.0f\t%s, %s\n", units.Rough(p.Injected), p.Comparisons, p.Found, change(p.Ratio-1),
				p.Pairs.Median, p.Pairs.P90, units.Format(p.Seconds.Median, "s"), units.Format(p.Seconds.P90, "s"))
		}
	})
}

func (r *Report) floorRows(out io.Writer) {
	fmt.Fprint(out, "\nFLOOR: the smallest difference that this many pairs can show\n")
	table(out, "  \tpairs\ttime\tinterval\tsmallest difference", func(w io.Writer) {
		for _, f := range r.Floors {
			fmt.Fprintf(w, "  %s\t%.0f\t%s\t%s\t%s\n", f.Work, f.Pairs, units.Format(f.Seconds, "s"), plusMinus(f.HalfWidth), known(f.Smallest))
		}
	})
	fmt.Fprint(out, "  Smallest difference: 19 of 20 A/A comparisons would have shown it. More pairs show smaller ones.\n")
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

func change(x float64) string { return fmt.Sprintf("%+.2g%%", 100*x) }

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
