package result

import "math"

// ErrorOf returns by how much a number of a metric may be wrong, in the unit of the metric,
// however many samples there are: a step of the clock or counter, and the part of a reading
// that overlaps with the body. It is 0 for metrics without such an error, for commands, and
// in documents of earlier versions.
func (c *Case) ErrorOf(metric string) float64 {
	switch metric {
	case "time", "wall":
		return c.ClockError
	case "ticks", "cycles":
		return c.CountError
	}
	return 0
}

// Widen adds the error of a metric to an interval of its values. Rates have the error of
// their times.
func (c *Case) Widen(metric string, low, high float64) (float64, float64) {
	e := c.ErrorOf(metric)
	switch {
	case metric == "throughput" && c.ClockError > 0:
		slowest, fastest := 1/low+c.ClockError, 1/high-c.ClockError
		if fastest <= 0 {
			return 1 / slowest, math.Inf(1)
		}
		return 1 / slowest, 1 / fastest
	case e > 0:
		return max(low-e, 0), high + e
	}
	return low, high
}
