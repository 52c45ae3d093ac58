package gate

import (
	"math"
	"testing"

	"example.com/suite/result"
)

// witnessed is a case whose time and instructions have these ratios to its base, in so many
// pairs. The instructions differ by 0.02 % from pair to pair.
func witnessed(pairs int, time, instructions float64) result.Case {
	c := timed(spread(pairs, pairs, time, 1))
	var base, own []float64
	for i := range pairs {
		noise := 1 + 0.0001*float64(i%5-2)
		base, own = append(base, 4000), append(own, 4000*instructions*noise)
	}
	c.Samples.Columns["instructions"], c.Pairs.Samples.Columns["instructions"] = own, base
	return c
}

func TestInstructionsNameTheCauseOfAChange(t *testing.T) {
	for _, c := range []struct {
		time, instructions float64
		change             result.WitnessChange
		cause              result.WitnessCause
	}{
		{1.11, 1, result.WitnessSame, result.WitnessElsewhere},
		{1.11, 1.004, result.WitnessSame, result.WitnessElsewhere},
		{1.11, 1.12, result.WitnessMore, result.WitnessCode},
		{1.11, 1.06, result.WitnessMore, result.WitnessCode},
		{1.11, 1.02, result.WitnessMore, result.WitnessPartly},
		{1.11, 0.95, result.WitnessFewer, result.WitnessOpposite},
		{0.80, 0.75, result.WitnessFewer, result.WitnessCode},
		{0.80, 1, result.WitnessSame, result.WitnessElsewhere},
		{0.80, 1.05, result.WitnessMore, result.WitnessOpposite},
		{1.00, 1.05, result.WitnessMore, ""},            // the time is the same
		{1.00, 1, result.WitnessSame, ""},               // to within 0.1 %
		{1.11, 1.01, result.WitnessUnclear, ""},         // exactly at the limit
		{1.032, 1.008, result.WitnessSame, "elsewhere"}, // a third of the time's change is 1 %
		{1.032, 1.0125, result.WitnessMore, "partly"},   // and so less than half of it
		{1.032, 1.0195, result.WitnessMore, result.WitnessCode},
	} {
		got, _ := with(t, witnessed(100, c.time, c.instructions), "not worse(time, 3%)")
		o := got.Comparison("time")
		if o == nil || o.Witness == nil {
			t.Errorf("time %g, instructions %g: %+v", c.time, c.instructions, o)
			continue
		}
		w := o.Witness
		if w.Change != c.change || w.Cause != c.cause || w.Source != result.WitnessCounter {
			t.Errorf("time %g (%s), instructions %g: %s, cause %q; want %s, %q", c.time, o.Change, c.instructions, w.Change, w.Cause, c.change, c.cause)
		}
		if math.Abs(w.Ratio/c.instructions-1) > 1e-3 || w.Low == nil || *w.Low > w.Ratio || *w.High < w.Ratio || w.Base != 4000 {
			t.Errorf("%+v", w)
		}
	}
}

// With fewer pairs than a verdict takes nothing is named.
func TestFewPairsNameNoCause(t *testing.T) {
	got, _ := with(t, witnessed(5, 1.5, 1))
	if w := got.Comparison("time").Witness; w == nil || w.Change != result.WitnessUnclear || w.Cause != "" || w.Low != nil {
		t.Errorf("%+v", w)
	}
}

func TestWithoutInstructionsThereIsNoWitness(t *testing.T) {
	for what, spoil := range map[string]func(c *result.Case){
		"neither side": func(c *result.Case) {
			delete(c.Samples.Columns, "instructions")
			delete(c.Pairs.Samples.Columns, "instructions")
		},
		"the base alone": func(c *result.Case) { delete(c.Samples.Columns, "instructions") },
		"the case alone": func(c *result.Case) { delete(c.Pairs.Samples.Columns, "instructions") },
		"a base of zero": func(c *result.Case) { fill(c.Pairs.Samples.Columns["instructions"], 0) },
	} {
		c := witnessed(100, 1.11, 1)
		spoil(&c)
		if got, _ := with(t, c); got.Comparison("time").Witness != nil {
			t.Errorf("%s: %+v", what, got.Comparison("time").Witness)
		}
	}
}

// Instructions differ so little from run to run that the fewest pairs decide a gate on them,
// while the time is still open.
func TestAGateOnInstructionsIsDecidedByNinePairs(t *testing.T) {
	for pairs, want := range map[int][2]int{8: {1, 0}, 9: {0, 1}} {
		for _, ratio := range []float64{1, 1.05} {
			c := ofCommand(witnessed(pairs, 1, ratio))
			s := source(&c, "not worse(instructions, 1%)")
			s.Base, s.Metrics = "b", []string{"instructions"}
			set := compile(t, []Source{s}, map[string][]string{"s": {"b", "c"}})
			if open, decided := set.Watch().Open(&c); [2]int{open, decided} != want {
				t.Errorf("%d pairs, ratio %g: %d open, %d decided; want %v", pairs, ratio, open, decided, want)
			}
		}
	}
}

// Instructions of one simulated run each are compared as plain numbers, and marked so.
func TestSimulatedInstructionsArePointValues(t *testing.T) {
	for expr, want := range map[string]result.Verdict{
		"not worse(instructions, 1%)":  result.Fail,
		"not worse(instructions, 6%)":  result.Pass,
		"ratio(instructions) < 1.06":   result.Pass,
		"instructions.median < 5000":   result.Pass,
		"instructions.median < 4000":   result.Fail,
		"base.instructions.max < 4001": result.Pass,
	} {
		c := timed(spread(100, 100, 1.11, 1))
		c.Settings.Callgrind = true
		c = exact(c, "instructions", 4200)
		base := exact(baseOf(c), "instructions", 4000)
		s := source(&c, expr)
		s.Base, s.Metrics, s.Callgrind = "b", []string{"instructions"}, true
		set := compile(t, []Source{s}, map[string][]string{"s": {"b", "c"}})
		cases := []result.Case{c, base}
		set.Assess(nil).Judge(cases)
		if g := cases[0].Gates[0]; g.Verdict != want || g.Form != result.FormPoint {
			t.Errorf("%s: %s by %s: %s", expr, g.Verdict, g.Form, g.Reason)
		}
		w := cases[0].Comparison("time").Witness
		if w == nil || w.Source != result.WitnessCallgrind || w.Change != result.WitnessMore || w.Cause != result.WitnessPartly || w.Low != nil || w.Base != 4000 || w.Candidate != 4200 {
			t.Errorf("%+v", w)
		}
	}
}
