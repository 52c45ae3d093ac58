package about

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// witnessed explains what the instructions of both sides show about a change of the time.
func witnessed(c *result.Case, o *result.Comparison) page.Paragraph {
	w := o.Witness
	switch {
	case o.Metric != "time":
		return nil
	case w == nil && c.Pairs.NoInstructions != "":
		return page.Paragraph{page.Say("Instructions were not counted in the pairs, so they do not show "+
			"whether the code does more: %s.", c.Pairs.NoInstructions)}
	case w == nil:
		return nil
	}
	unit := number.WorkUnit(c)
	lines := page.Paragraph{page.Say("Instructions per %s: %s here and %s in %s%s.",
		unit, units.Format(w.Candidate, ""), units.Format(w.Base, ""), c.Pairs.BaseName(), witnessRange(c, w))}
	if w.Source == result.WitnessCallgrind {
		lines.Say("Valgrind has counted them. It knows no caches and no branch prediction, and runs threads " +
			"one after the other, so it shows what the code does and not how long that takes.")
	}
	if c.Counted != nil && c.Counted.Unplaced {
		lines.Say("All runs have functions and data at the same places, which may be why they differ, and too few " +
			"were counted at other places.")
	}
	meaning := map[result.WitnessCause]string{
		result.WitnessElsewhere: "The code does the same work, and the time changed: look at the layout of " +
			"code and data, at memory and caches, at other programs and at waiting.",
		result.WitnessCode: "The instructions moved with the time: the code itself does more or less than before.",
		result.WitnessPartly: "The instructions moved with the time, by less than half as much: the code " +
			"does more or less than before, and something else changed as well, such as its memory accesses.",
		result.WitnessOpposite: "The instructions moved against the time: the code does more in less time, or " +
			"less in more time, so what it does takes another time than before.",
	}[w.Cause]
	if meaning != "" {
		lines.Say("%s", meaning)
	}
	return lines
}

// witnessRange is the verdict on the instructions, and the interval of their change.
func witnessRange(c *result.Case, w *result.Witness) string {
	text := ", " + string(w.Change)
	switch w.Change {
	case result.WitnessSame:
		text += fmt.Sprintf(" to within %s", shareText(w.Tolerance))
	case result.WitnessUnclear:
		runs := ""
		if c.Counted != nil {
			runs = " by " + units.Plural(len(c.Counted.Runs), "run") + " of each side"
		}
		text = fmt.Sprintf(", not shown%s to be the same to within %s, nor to differ by more", runs,
			shareText(w.Tolerance))
	}
	if w.Low != nil && w.High != nil {
		text += fmt.Sprintf(" (99%% interval %s … %s)", number.RatioText(*w.Low, 2), number.RatioText(*w.High, 2))
	}
	return text
}
