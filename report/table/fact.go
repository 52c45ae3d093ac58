package table

import (
	"fmt"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

func declaredFacts(c *result.Case) (fs []Fact) {
	for _, d := range c.Declared {
		if s := number.MeasuredSummary(c, d.Name); s != nil {
			fs = append(fs, Fact{"metric." + d.Name, units.Format(s.Median, s.Unit)})
		}
	}
	return fs
}

// versusFacts are the numbers of all comparisons of a case, for formats that keep
// facts with a verdict.
func versusFacts(c *result.Case) []Fact {
	fs := counterpartFacts(c)
	if c.Pairs == nil {
		return fs
	}
	fs = append(fs, Fact{"base", c.Pairs.BaseName()})
	for i := range c.Comparisons {
		o := &c.Comparisons[i]
		fs = append(fs, Fact{o.Metric + ".verdict", string(o.Change)})
		if !o.IsBound() {
			fs = append(fs, Fact{o.Metric + ".ratio", plainRatio(float64(o.Ratio))})
		}
		if o.Low != nil {
			fs = append(fs, Fact{o.Metric + ".ratio.low", plainRatio(*o.Low)})
		}
		if o.High != nil {
			fs = append(fs, Fact{o.Metric + ".ratio.high", plainRatio(*o.High)})
		}
		fs = append(fs, Fact{o.Metric + ".pairs", fmt.Sprint(o.Pairs)},
			Fact{o.Metric + ".pairs.used", fmt.Sprint(o.Used)})
		if o.Blocks > 0 {
			fs = append(fs, Fact{o.Metric + ".blocks", fmt.Sprint(o.Blocks)})
		}
		if o.Launches > 0 {
			fs = append(fs, Fact{o.Metric + ".launches", fmt.Sprint(o.Launches)})
		}
		if o.Layouts > 0 {
			fs = append(fs, Fact{o.Metric + ".layouts", fmt.Sprint(o.Layouts)})
		}
		fs = append(fs, witnessFacts(o)...)
	}
	return fs
}

func plainRatio(x float64) string {
	if x > 1e9 { // the base is almost 0
		return fmt.Sprintf("%.4g", x)
	}
	return fmt.Sprintf("%.4f", x)
}

func counterpartFacts(c *result.Case) (fs []Fact) {
	p := c.Counterpart
	if p == nil {
		return nil
	}
	fs = append(fs, Fact{"counterpart", string(p.State)})
	if p.Name != "" {
		fs = append(fs, Fact{"counterpart.name", p.Name})
	}
	if p.Reason != "" {
		fs = append(fs, Fact{"counterpart.reason", p.Reason})
	}
	return fs
}

// witnessFacts are the instructions of a comparison, for formats that keep facts with a verdict.
func witnessFacts(o *result.Comparison) []Fact {
	w := o.Witness
	if w == nil {
		return nil
	}
	fs := []Fact{{o.Metric + ".instructions", string(w.Change)},
		{o.Metric + ".instructions.ratio", strconv.FormatFloat(w.Ratio, 'f', 4, 64)},
		{o.Metric + ".instructions.source", string(w.Source)}}
	if w.Cause != "" {
		fs = append(fs, Fact{o.Metric + ".instructions.cause", string(w.Cause)})
	}
	return fs
}

// Fact is a name with its value.
type Fact struct{ Name, Value string }

// Facts are the parameters of a case and whatever else its numbers depend on.
func Facts(c *result.Case) []Fact {
	fs := []Fact{{"kind", string(c.Kind)}, {"unit", number.WorkUnit(c)}}
	for _, p := range c.Params {
		fs = append(fs, Fact{"param." + p.Name, p.Text})
	}
	if c.Clock != "" && c.Clock != usualClock {
		fs = append(fs, Fact{"clock", c.Clock})
	}
	if c.Counter != "" {
		fs = append(fs, Fact{"counter", c.Counter})
	}
	if n := c.Samples.Count(); n > 0 {
		fs = append(fs, Fact{"samples", strconv.Itoa(n)}, Fact{"iterations", strconv.FormatInt(c.Iterations, 10)})
	}
	if n := len(c.Samples.Censored); n > 0 {
		fs = append(fs, Fact{"killed", strconv.Itoa(n)})
	}
	fs = append(fs, declaredFacts(c)...)
	if c.Void > 0 {
		fs = append(fs, Fact{"void", strconv.FormatInt(c.Void, 10)})
	}
	return fs
}

// usualClock is the clock that reports do not mention.
const usualClock = "wall"
