package runner

import (
	"slices"
	"strings"

	"example.com/suite/result"
	"example.com/suite/timer"
)

// without warns of the counters that were asked for and are missing.
func without(c *result.Case, skipped []timer.Skipped) {
	reasons, names := []string{}, map[string][]string{}
	for _, one := range skipped {
		if names[one.Reason] == nil {
			reasons = append(reasons, one.Reason)
		}
		names[one.Reason] = append(names[one.Reason], one.Name)
	}
	for _, reason := range reasons {
		c.WarnLacking(result.WarnNoCounters, metricsOf(names[reason]), strings.Join(names[reason], ", ")+": "+reason, "")
	}
}

// metricsOf names the metrics that counters fill: branch_misses of branch-misses.
func metricsOf(counters []string) []string {
	metrics := slices.Clone(counters)
	for i := range metrics {
		metrics[i] = strings.ReplaceAll(metrics[i], "-", "_")
	}
	return metrics
}

// userOnly warns of counts that leave out the kernel: they must not be compared with
// the counts of a machine that includes it.
func userOnly(c *result.Case, names []string) {
	if len(names) > 0 {
		c.WarnLacking(result.WarnUserOnly, metricsOf(names), strings.Join(names, ", ")+": without what happened in the kernel, which this system does not let be counted",
			"as root, or with kernel.perf_event_paranoid at 1 or below")
	}
}

// unpinned warns that runs use any CPU although the suite file asks for one CPU.
func unpinned(c *result.Case, why string) {
	if why != "" {
		c.Warn(result.WarnNotPinned, "pin: on: its runs are on any CPU: "+why, "")
	}
}
