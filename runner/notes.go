package runner

import (
	"slices"
	"strings"

	"example.com/suite/result"
	"example.com/suite/timer"
)

// notes are the warnings of a side, which reports print as footnotes.
type notes struct{ of *result.Case }

// warn adds a warning.
func (n *notes) warn(code result.WarningCode, message, hint string) {
	n.of.Warnings = append(n.of.Warnings, result.Warning{Code: code, Message: message, Hint: hint})
}

// doubt warns with a sentence that has numbers in it.
func (n *notes) doubt(code result.WarningCode, s result.Sentence, hint string) {
	n.of.Warnings = append(n.of.Warnings, s.Warning(code, hint))
}

// lacks warns that metrics are missing, or are there in part.
func (n *notes) lacks(code result.WarningCode, metrics []string, message, hint string) {
	n.of.Warnings = append(n.of.Warnings, result.Warning{Code: code, Message: message, Hint: hint, Metrics: metrics})
}

// warnOnce warns unless the case has a warning of this code.
func (n *notes) warnOnce(code result.WarningCode, message, hint string) {
	for _, w := range n.of.Warnings {
		if w.Code == code {
			return
		}
	}
	n.warn(code, message, hint)
}

// without warns of the counters that were asked for and are missing.
func (n *notes) without(skipped []timer.Skipped) {
	reasons, names := []string{}, map[string][]string{}
	for _, s := range skipped {
		if names[s.Reason] == nil {
			reasons = append(reasons, s.Reason)
		}
		names[s.Reason] = append(names[s.Reason], s.Name)
	}
	for _, reason := range reasons {
		n.lacks(result.WarnNoCounters, metricsOf(names[reason]), strings.Join(names[reason], ", ")+": "+reason, "")
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
func (n *notes) userOnly(names []string) {
	if len(names) > 0 {
		n.lacks(result.WarnUserOnly, metricsOf(names), strings.Join(names, ", ")+": without what happened in the kernel, which this system does not let be counted",
			"as root, or with kernel.perf_event_paranoid at 1 or below")
	}
}

// unpinned warns that runs use any CPU although the suite file asks for one CPU.
func (n *notes) unpinned(why string) {
	if why != "" {
		n.warn(result.WarnNotPinned, "pin: on: its runs are on any CPU: "+why, "")
	}
}
