package note

import "example.com/suite/result"

// killedRuns counts the runs that were killed, and explains how they count in the
// numbers.
func killedRuns(c *result.Case) result.Sentence {
	n := len(c.Samples.Censored)
	were := "were killed after the timeout of %s, and count as at least %s"
	that := "that"
	if n == 1 {
		were = "was killed after the timeout of %s, and counts as at least %s"
	}
	if first := c.Samples.Censored[0]; at(c.Samples.Columns["time"], first) != at(c.Samples.Columns["wall"], first) {
		that = "the CPU time until then" // the clock that the suite chose
	}
	if s := c.Summary("time"); s != nil && s.Low != nil && s.High == nil {
		were += "; the interval has no upper end"
	}
	return result.Say("%s runs "+were, result.Some(n, c.Samples.Count()), result.Amount(c.Settings.Timeout, "s"), that)
}

func at(column result.Column, row int) float64 {
	if row >= len(column) {
		return 0
	}
	return column[row]
}
