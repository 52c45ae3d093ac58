package selfcheck

import (
	"math"

	"example.com/suite/result"
)

// Comparison is one comparison with its verdict under each setting. The error is 1 %
// each way unless a field states another.
type Comparison struct {
	Round    string        `json:"round"` // name of the suite of A/A gates that it is part of
	Kind     string        `json:"kind"`  // functions or commands
	Work     string        `json:"work"`  // arithmetic, memory or command
	Injected float64       `json:"injected"`
	Pairs    int           `json:"pairs"`             // taken
	Used     int           `json:"used"`              // of the pairs taken; the others were set aside
	Blocks   int           `json:"set_ups,omitempty"` // of functions: the number of observations
	Seconds  float64       `json:"seconds"`           // setup and warm-up of both sides included
	Ratio    float64       `json:"ratio"`             // as measured
	Low      *float64      `json:"low,omitempty"`     // of the ratio, at the error of one of four gates
	High     *float64      `json:"high,omitempty"`    // absent: too few pairs for an interval
	Change   result.Change `json:"verdict"`           // at tolerance 0
	Tolerant result.Change `json:"verdict_3"`         // at tolerance 3 %
	// at tolerance 0, as one of the gates that share the error of a suite
	Shared result.Change `json:"verdict_shared"`
	// of A/A pairs, had the base always gone first; empty for others
	BaseFirst result.Change `json:"verdict_ordered,omitempty"`
}

func newComparison(r role, c *result.Case, at map[setting][]result.Comparison, i int) Comparison {
	one := at[shared][i]
	out := Comparison{
		Round:    r.round,
		Kind:     r.kind,
		Work:     r.work,
		Injected: float64(r.more) / steps,
		Pairs:    one.Pairs,
		Used:     one.Used,
		Blocks:   one.Blocks,
		Seconds:  c.Seconds,
		Ratio:    float64(one.Ratio),
		Low:      one.Low,
		High:     one.High,
		Change:   at[alone][i].Change,
		Tolerant: at[tolerant][i].Change,
		Shared:   one.Change,
	}
	if r.more == 0 {
		out.BaseFirst = at[fixed][i].Change
	}
	return out
}

func (c *Comparison) isAA() bool { return c.Injected == 0 }

// halfWidth returns half the width of the ratio's interval, +Inf without one.
func (c *Comparison) halfWidth() float64 {
	if c.Low == nil {
		return math.Inf(1)
	}
	return (*c.High - *c.Low) / 2
}

// smallestShown returns the smallest change, up or down, that an A/A comparison would have shown.
// Code that takes 1+x times as long multiplies each ratio, and so the interval, by 1+x:
// the interval is above 1 from x = 1/low − 1 on. Likewise it is below 1 for code that is
// faster by a factor above high.
func (c *Comparison) smallestShown() float64 {
	if c.Low == nil {
		return math.Inf(1)
	}
	return max(1 / *c.Low, *c.High) - 1
}
