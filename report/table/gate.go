package table

import (
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/column"
	"example.com/suite/report/flow"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Gate is one gate of one case.
type Gate struct {
	Label   string // of its case
	Suite   string
	ID      string
	Expr    string
	Place   string // file:line:col
	File    string
	Line    int
	Verdict string // as in the document
	Fatal   bool   // it makes the run fail
	Warn    bool   // it can only warn
	Form    string // exact, pairs, interval, point or unpaired
	Point   bool   // decided on point values alone
	// Unpaired is set if the gate compares with a saved result.
	Unpaired bool
	Reason   string
	// Uncompared is why its case is not comparable with its counterpart, empty if it is.
	Uncompared string
	Values     []string // time.median = 2.13 ms, 99% in 2.08 ms to 2.19 ms
	Mark       page.Span
	Term       string // accepted until 2026-12-31, or expired; empty if nobody accepted it
	Why        string // the reason of the acceptance, and its place in the file
	Sides      *Sides // metrics that may explain it; nil if there are none to show
	// where the change of the time comes from, as instructions show it; empty if that is not known
	Witness string
	Arcs    flow.Rise    // arcs of pegs that took longer than in the base
	Case    *result.Case // whose profiles may explain it; nil if the gate needs no explanation, or another one has it
	To      string       // where a page has its line in the suite file
}

func gate(label string, c *result.Case, g *result.Gate) Gate {
	out := Gate{
		Label: label, ID: g.ID, Expr: g.Expr, Place: g.Place.String(), File: g.Place.File, Line: g.Place.Line,
		Verdict: string(g.Verdict), Warn: g.Severity == "warn", Form: string(g.Form), Point: g.Form == result.FormPoint,
		Unpaired: g.Form == result.FormUnpaired,
		Reason:   g.Reason, Mark: column.MarkOf(g), Term: acceptedText(g.Accepted), Why: acceptedWhy(g.Accepted),
	}
	out.Fatal = !out.Warn && !g.IsAccepted() && (g.Verdict == result.Fail || g.Verdict == result.Error ||
		g.Verdict == result.Inconclusive && g.OnInconclusive == "fail")
	if g.Cause == result.CauseNotComparable && c.Counterpart != nil {
		out.Uncompared = c.Counterpart.Reason
	}
	for _, v := range g.Values {
		out.Values = append(out.Values, ValueText(v))
	}
	return out
}

// mostConfidence is the highest confidence that is written, in percent: a higher one must not be
// rounded to certainty.
const mostConfidence = 99.99

// ValueText is a part of an expression with its value and interval.
func ValueText(v result.Value) string {
	text := v.Text + " = " + units.Format(v.Value, v.Unit)
	if v.Note != "" {
		text += " (" + v.Note + ")"
	}
	switch {
	case v.Low == nil:
		return text
	case v.High == nil:
		text += ", " + units.Format(*v.Low, v.Unit) + " or more"
	default:
		text += ", " + units.Format(*v.Low, v.Unit) + " to " + units.Format(*v.High, v.Unit)
	}
	if v.Confidence > 0 {
		text += " (" + strconv.FormatFloat(min(100*v.Confidence, mostConfidence), 'g', 4, 64) + "%)"
	}
	return text
}

// acceptedText is the term of an acceptance, "accepted until 2026-12-31", or that it
// has expired. It is empty if a is nil.
func acceptedText(a *result.Accepted) string {
	switch {
	case a == nil:
		return ""
	case a.Expired:
		return "its acceptance expired on " + a.Until
	}
	return "accepted until " + a.Until
}

// acceptedWhy is the reason of an acceptance, who accepted it, and its place in the
// suite file.
func acceptedWhy(a *result.Accepted) string {
	if a == nil {
		return ""
	}
	text := "accepted: " + a.Reason + " ("
	if a.At != "" {
		text += a.At + ", "
	}
	return text + a.Place.String() + ")"
}

// AcceptedLines describes an acceptance: its term, then its reason.
func AcceptedLines(a *result.Accepted) []string {
	return NotEmpty([]string{acceptedText(a), acceptedWhy(a)})
}

// A comparison with a saved result is unpaired. Every report shows that at its gates,
// in the heading of its column and in a note.

// Remark follows the verdict of a gate that was decided on point values or unpaired;
// else it is empty.
func (g *Gate) Remark() string {
	switch {
	case g.Point:
		return " (point)"
	case g.Unpaired:
		return " (unpaired)"
	}
	return ""
}

// TripwireNote explains the sign.
const TripwireNote = "unpaired: against a saved result, measured at another time, so changes of the machine are in " +
	"the difference: a tripwire without a promised certainty"
