package flow

import (
	"fmt"
	"math"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

func passPairs(c *result.Case) string {
	return units.Plural(len(c.PegPairs.Base), "pair") + " of passes"
}

// PairsText is what differences of arcs rest on.
func PairsText(c *result.Case) string {
	return fmt.Sprintf("by %s with pegs, each in new processes or setups; all intervals together are right in "+
		"%s of cases",
		passPairs(c), units.Exact(arcs.Confidence))
}

// shownRisen are the arcs that are shown to take longer.
func shownRisen(c *result.Case, differences []arcs.Difference) (all []riser) {
	for _, d := range differences {
		if d.IsShown && d.Median > 0 {
			all = append(all, riser{d.Kind, d.Share, func() string { return differenceText(c, &d) }})
		}
	}
	return all
}

// differenceText describes an arc that takes longer:
// arc parse → check: +667 ns an iteration (+610 … +720 ns), 640 ns in the base; 93% of the difference.
func differenceText(c *result.Case, d *arcs.Difference) string {
	text := fmt.Sprintf("%s: %s %s %s, ", arcName(d.From, d.To, d.Kind), signedTime(d.Median), turn(c), boundsText(d))
	if d.Base == 0 {
		text += "new"
	} else {
		text += EachTime(d.Base) + " in the base"
	}
	if math.IsNaN(d.Share) {
		return text
	}
	return text + "; " + partOf(d.Share)
}

func boundsText(d *arcs.Difference) string {
	if !d.IsBounded {
		return ""
	}
	return fmt.Sprintf("(%s … %s)", signedTime(d.Low), signedTime(d.High))
}

// signedTime is a difference of times with its sign.
func signedTime(seconds float64) string {
	if seconds < 0 {
		return "−" + EachTime(-seconds)
	}
	return "+" + EachTime(seconds)
}

// pairedChanges is NewChanges for a case with pairs of passes.
func pairedChanges(c Pegged, base string) Flow {
	all, whole := arcs.Differences(c.Case)
	out := Flow{
		Case: c.Label,
		About: fmt.Sprintf("%s %s here, %s in %s (medians of %s)",
			EachTime(whole.Candidate), turn(c.Case), EachTime(whole.Base), base, passPairs(c.Case)),
	}
	t := newChangeTable(len(all))
	t.difference = make([]page.Cell, len(all))
	for i := range all {
		d := &all[i]
		if d.Base > 0 {
			t.base.Put(i, number.Value{X: d.Base}, units.Time)
		}
		if d.Candidate > 0 {
			t.here.Put(i, number.Value{X: d.Candidate}, units.Time)
		}
		t.change[i] = differenceCell(d)
		if !d.IsShown {
			t.difference[i] = page.Cell{Text: "not shown", Tone: page.Faint}
			continue
		}
		t.difference[i] = page.Cell{Text: signedTime(d.Low) + " … " + signedTime(d.High)}
		if whole.IsShown && !math.IsNaN(d.Share) {
			t.share[i] = page.Cell{Number: signed(d.Share), Key: d.Share}
		}
	}
	t.fill(&out, func(i int) Row {
		return Row{From: all[i].From, To: all[i].To, Kind: string(all[i].Kind)}
	})
	out.Notes = append(out.Notes, page.Toned(page.Faint, PairsText(c.Case)))
	return out
}

func differenceCell(d *arcs.Difference) page.Cell {
	switch {
	case d.Base <= 0 && d.Candidate <= 0:
		return page.Cell{Text: dash, Tone: page.Faint}
	case d.Base <= 0:
		return page.Cell{Text: "new"}
	case d.Candidate <= 0:
		return page.Cell{Text: "gone"}
	}
	return page.Cell{Number: number.RatioText(d.Candidate/d.Base, 1), Key: d.Candidate / d.Base}
}
