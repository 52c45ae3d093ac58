package probe

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"example.com/suite/internal/units"
	"example.com/suite/timer"
)

const width = 100 // columns

const unreadable = "not readable here"

// Text writes the result of a probe in lines of at most 100 columns, the measurements
// first and the advice last.
func Text(w io.Writer, r *Result) error {
	out := bufio.NewWriter(w)
	timersText(out, r.Timers)
	rows(out, "\nPROCESSOR TIME", r.processorRows())
	rows(out, "\nSPEED", r.speedRows())
	rows(out, "\nSETTINGS", r.Settings.rows())
	sentences(out, "\nWHAT TO EXPECT", r.Expect)
	if len(r.Change) == 0 && r.Precision != nil {
		sentences(out, "\nWHAT TO CHANGE", []string{"Nothing: this machine is steady."})
	} else {
		sentences(out, "\nWHAT TO CHANGE", r.Change)
	}
	return out.Flush()
}

func timersText(out io.Writer, all []Timer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TIMER\tKIND\tREADING\tSTEP\tRUNS AT")
	for _, t := range all {
		if t.Works {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", t.Name, t.Kind, t.cost(), t.step(), t.rate())
		}
	}
	w.Flush()
	for _, t := range all {
		if !t.Works {
			wrap(out, fmt.Sprintf("%s (%s) not here: %s", t.Name, t.Kind, line(t.Reason)), "", "  ")
		}
	}
}

// The cost is a dash if the clock is too coarse to show it.
func (t *Timer) cost() string {
	if t.Cost == 0 {
		return "–"
	}
	return units.ShortTime(t.Cost) + " ± " + units.ShortTime(t.Error)
}

func (t *Timer) step() string {
	switch {
	case t.Resolution == 0:
		return "–"
	case t.Kind == timer.KindCycle:
		return units.Short(t.Resolution, "") + " " + string(t.Unit)
	}
	return units.ShortTime(t.Resolution)
}

func (t *Timer) rate() string {
	if t.Frequency == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f GHz", t.Frequency/1e9)
}

func (r *Result) processorRows() [][2]string {
	p := r.Processor
	disturbed := optional(p.Disturbed)
	if p.Switches != nil && p.Disturbed != nil {
		disturbed = fmt.Sprintf("%s (%d involuntary switches in %s)", disturbed, *p.Switches, units.ShortTime(r.Duration))
	}
	return [][2]string{
		{"given to other machines (steal)", optional(p.Steal)},
		{"used by other processes", optional(p.Others)},
		{"waiting for a CPU", optional(p.Waited)},
		{"samples of 1 ms disturbed", disturbed},
		{"stalled without a switch", optional(p.Stalled)},
	}
}

func (r *Result) speedRows() [][2]string {
	f := r.Speed
	if f == nil {
		return [][2]string{{"chain of operations", "not measured: interrupted"}}
	}
	trend := "no trend"
	if f.Trend {
		trend = "a trend"
	}
	return [][2]string{
		{"one multiply and add in a chain", units.ShortTime(f.Operation)},
		{"medians of 10 samples", fmt.Sprintf("%s to %s around it, nine in ten of %d", units.Signed(f.Low, units.Brief), units.Signed(f.High, units.Brief), f.Blocks)},
		{"drift of the time", fmt.Sprintf("%s over %s, %s", units.Signed(f.Drift, units.Brief), units.ShortTime(r.Duration), trend)},
	}
}

func (s Settings) rows() [][2]string {
	var governors []string
	for _, name := range slices.Sorted(maps.Keys(s.Governors)) {
		governors = append(governors, fmt.Sprintf("%s on %d CPUs", line(name), s.Governors[name]))
	}
	governor := strings.Join(governors, ", ")
	if governor == "" {
		governor = unreadable
	}
	return [][2]string{{"governor", governor}, {"turbo", onOff(s.Turbo)}, {"SMT", onOff(s.SMT)}}
}

func onOff(x *bool) string {
	switch {
	case x == nil:
		return unreadable
	case *x:
		return "on"
	}
	return "off"
}

func optional(x *float64) string {
	if x == nil {
		return unreadable
	}
	return units.Brief(*x)
}

// rows writes a title and, for each row, its name, padded, and its value.
func rows(out io.Writer, title string, all [][2]string) {
	const column = 34
	fmt.Fprintln(out, title)
	for _, row := range all {
		name := fmt.Sprintf("  %-*s", column, row[0])
		wrap(out, row[1], name, strings.Repeat(" ", column+2))
	}
}

func sentences(out io.Writer, title string, all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(out, title)
	for _, s := range all {
		wrap(out, line(s), "  ", "    ")
	}
}

// wrap writes text in lines of at most 100 columns, broken between words. A longer
// word stays whole.
func wrap(out io.Writer, text, first, rest string) {
	at := first
	for i, word := range strings.Fields(text) {
		if i > 0 && utf8.RuneCountInString(at)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(out, at)
			at = rest + word
			continue
		}
		if i > 0 {
			at += " "
		}
		at += word
	}
	fmt.Fprintln(out, at)
}

// line replaces everything in s that is not printable by spaces, so that text from the
// system cannot control the terminal.
func line(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
