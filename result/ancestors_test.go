package result_test

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/result"
)

// What micro-bench asserts of its results, and more: docs/evidence/ancestors.md.
func TestImpossibleNumbersAreRefused(t *testing.T) {
	less, share := -1.0, 1.5
	for want, spoil := range map[string]func(c *result.Case, s *result.Summary){
		"the median is not finite":       func(_ *result.Case, s *result.Summary) { s.Median = math.Inf(1) },
		"the median is not between":      func(_ *result.Case, s *result.Summary) { s.Max = s.Median / 2 },
		"a deviation is negative":        func(_ *result.Case, s *result.Summary) { s.StdDev = -1 },
		"the interval is upside down":    func(_ *result.Case, s *result.Summary) { high := s.Median + 1; s.Low, s.High = &high, &less },
		"n or blocks are negative":       func(_ *result.Case, s *result.Summary) { s.N = -1 },
		"void or retried are negative":   func(c *result.Case, _ *result.Summary) { c.Void = -1 },
		"stolen is not between":          func(c *result.Case, _ *result.Summary) { c.Stolen = &share },
		"multiplexed is not between":     func(c *result.Case, _ *result.Summary) { c.Multiplexed = &less },
		"has a number that is not":       func(c *result.Case, _ *result.Summary) { c.Samples.Columns["time"][0] = math.Inf(1) },
		"iterations or launches are neg": func(c *result.Case, _ *result.Summary) { c.Iterations = -1 },
	} {
		doc := read(t, recorded(t)["verdicts.json"])
		if err := doc.Validate(); err != nil {
			t.Fatal(err)
		}
		c := &doc.Cases[0]
		spoil(c, c.Summary("time"))
		if err := doc.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not said: %v", want, err)
		}
	}
}
