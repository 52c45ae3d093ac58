package table

import (
	"math"

	"example.com/suite/report/number"
	"example.com/suite/result"
)

// WitnessText explains the change of a comparison by its instructions. It is empty if the
// comparison has none, or if they explain nothing.
func WitnessText(o *result.Comparison) string {
	w := o.Witness
	if w == nil {
		return ""
	}
	if w.Cause == "" {
		if o.Change != result.Unclear || w.Change == result.WitnessUnclear {
			return ""
		}
		does := map[result.WitnessChange]string{result.WitnessSame: "the same", result.WitnessMore: "more",
			result.WitnessFewer: "less"}[w.Change]
		return instructionChange(w) + ": the code does " + does + ", whatever the time is"
	}
	what := "more"
	if w.Change == result.WitnessFewer {
		what = "less"
	}
	switch w.Cause {
	case result.WitnessElsewhere:
		return instructionChange(w) + ": layout, memory or neighbours"
	case result.WitnessPartly:
		return instructionChange(w) + ": the code does " + what + ", which is less than half of the change of the time"
	case result.WitnessOpposite:
		return instructionChange(w) + ": the code does " + what + ", and the time moved the other way"
	}
	return instructionChange(w) + ": the code does " + what
}

// instructionChange is how the instructions of a case differ from its base's, and how they were
// counted unless that was in the pairs: "instructions the same", "instructions +12.0% (counted by valgrind)".
func instructionChange(w *result.Witness) string {
	text := "instructions " + changeOf(w)
	if w.Source == result.WitnessCallgrind {
		text += " (counted by valgrind)"
	}
	return text
}

func changeOf(w *result.Witness) string {
	if w.Change == result.WitnessSame {
		return "the same"
	}
	decimals := 1
	if math.Abs(w.Ratio-1) < 0.01 {
		decimals = 2
	}
	return number.RatioText(w.Ratio, decimals)
}
