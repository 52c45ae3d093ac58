package sides

import (
	"math"

	"example.com/suite/result"
)

// Equal code differs in its instructions by a few per mille at most, so a change of 1 % is
// one. If the time changed by less than 3 %, the instructions need to agree more closely to
// count as the same, but no closer than 0.1 %, which is their own noise.
const (
	mostWitnessTolerance  = 0.01
	leastWitnessTolerance = 0.001
)

func witnessTolerance(time *result.Comparison) float64 {
	return min(mostWitnessTolerance, max(leastWitnessTolerance, math.Abs(math.Log(float64(time.Ratio)))/3))
}

// Witness compares the instructions of both sides to find out where a change of the time comes
// from. It returns nil if a side has none.
func (all *Cases) Witness(c *result.Case, time *result.Comparison) *result.Witness {
	if !(time.Ratio > 0) || time.Ratio.IsInfinite() || time.IsBound() {
		return nil
	}
	m, known := c.Metric(result.Instructions)
	if !known {
		return nil
	}
	v, err := all.Versus(all.ByKey[KeyOf(c)], BasisOf(c), m, witnessTolerance(time), RatioAlpha, RatioAlpha)
	if err != nil || v.Why != "" && v.Cause != result.CausePlaces || NotFinite(v.Ratio) || v.Base <= 0 {
		return nil
	}
	w := &result.Witness{
		Source:    result.WitnessCounter,
		Base:      v.Base,
		Candidate: v.Own,
		Ratio:     v.Ratio,
		Tolerance: v.tolerance,
		Change:    v.instructionChange(),
	}
	if m.Counted {
		w.Source = result.WitnessCallgrind
	}
	if v.HasBounds {
		w.Low, w.High = &v.Low, &v.High
	}
	w.Cause = causeOfChange(time, w)
	return w
}

func (v *Versus) instructionChange() result.WitnessChange {
	switch v.Change() {
	case result.Same:
		return result.WitnessSame
	case result.Worse:
		return result.WitnessMore
	case result.Better:
		return result.WitnessFewer
	}
	return result.WitnessUnclear
}

// causeOfChange compares the change of the time with the change of the instructions, as logarithms of
// their ratios.
func causeOfChange(time *result.Comparison, w *result.Witness) result.WitnessCause {
	if time.Change != result.Worse && time.Change != result.Better || w.Change == result.WitnessUnclear {
		return ""
	}
	if w.Change == result.WitnessSame {
		return result.WitnessElsewhere
	}
	whole, part := math.Log(float64(time.Ratio)), math.Log(w.Ratio)
	switch {
	case whole*part < 0:
		return result.WitnessOpposite
	case math.Abs(part) < math.Abs(whole)/2:
		return result.WitnessPartly
	}
	return result.WitnessCode
}
