package table

import (
	"slices"

	"example.com/suite/result"
)

// ToldMetrics gives the metrics of a case that programs are told: those that it has a
// summary of, in the order of the metric table. What says how the measuring went and
// not how the code did is left out, and what says the same as another.
func ToldMetrics(c *result.Case) []result.Metric {
	var out []result.Metric
	for _, m := range c.Table() {
		if c.Summary(m.Name) != nil && !aboutMeasuring[m.Name] && !Repeats(c, m.Name) && !ofTestBinary(c, m) {
			out = append(out, m)
		}
	}
	return out
}

// KnownMetrics are those of numbered with a number: one that is below resolution has none, nor
// has any of a case that could not be measured, whose runs took what they were allowed.
func KnownMetrics(c *result.Case) (out []result.Metric) {
	if c.Status != result.Measured {
		return nil
	}
	for _, m := range ToldMetrics(c) {
		if c.Summary(m.Name).Bound == nil {
			out = append(out, m)
		}
	}
	return out
}

// aboutMeasuring are the metrics of the measurement itself.
var aboutMeasuring = map[string]bool{
	"wait": true, "tree_wait": true, "switches": true, "voluntary": true, "void": true, "exit_code": true, "thread_cpu": true,
}

// Repeats says that a metric is another one in other words: wall where it is the
// clock that time is read from, and operations per second.
func Repeats(c *result.Case, metric string) bool {
	switch metric {
	case "wall":
		return c.Clock == "" || c.Clock == usualClock
	case "throughput":
		return c.RateUnit() == "op" || c.RateUnit() == ""
	}
	return false
}

// PerWork says that a metric is of one unit of work; the others are of a sample, a
// run or an iteration as a whole.
func PerWork(metric string) bool {
	switch metric {
	case "time", "wall", "cpu", "thread_cpu", "ticks", "cycles", "instructions", "branches", "branch_misses", "cache_references",
		"cache_misses", "page_faults", "context_switches", "cpu_migrations", "task_clock":
		return true
	}
	return false
}

// ofTestBinary says that a metric is of the whole process of an existing Go
// benchmark, with its start and its sizing, and not of the benchmark.
func ofTestBinary(c *result.Case, m result.Metric) bool {
	switch m.Name {
	case "time", "throughput", "allocs", "heap":
		return false
	}
	return c.Kind == result.KindGoTest && !IsDeclared(c, m.Name)
}

func IsDeclared(c *result.Case, metric string) bool {
	return slices.ContainsFunc(c.Declared, func(d result.Declared) bool { return d.Name == metric })
}
