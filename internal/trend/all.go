package trend

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
)

// UsualMetric is the metric that is shown if nobody names one: time, unless only other metrics were measured.
func UsualMetric(entries []history.Entry) string {
	metrics := MetricsOf(entries)
	if len(metrics) == 0 || slices.Contains(metrics, "time") {
		return "time"
	}
	return metrics[0]
}

// OfAll returns the series of all metrics of a history but wall time and throughput, which repeat the time. The metric
// of o is of no account.
func OfAll(entries []history.Entry, o Options) (all []Series) {
	for _, metric := range MetricsOf(entries) {
		if metric == "throughput" || metric == "wall" {
			continue
		}
		o.Metric = metric
		all = append(all, Of(entries, o)...)
	}
	return all
}

// NoSeries explains why a history, which place names, has nothing to show of a metric in the cases that patterns match,
// or in any case if there are no patterns.
func NoSeries(patterns []string, metric, place string) error {
	if len(patterns) > 0 {
		return diag.Hinted(fmt.Sprintf("no case of %s matches %s and has metric %q",
			place, strings.Join(patterns, " or "), metric),
			"suite history show lists cases and metrics")
	}
	return diag.Hinted(fmt.Sprintf("no case of %s has metric %q at a commit", place, metric),
		"suite history show lists metrics; runs of a changed work tree are left out")
}
