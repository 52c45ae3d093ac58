package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// metricOf is the metric of an event: the kernel writes branch-misses, gates
// branch_misses.
func metricOf(name string) string { return strings.ReplaceAll(name, "-", "_") }

// counters reads the events to count. An empty list counts none, where defaults
// would count some.
func (r *benchReader) counters(n yaml.Node) {
	r.b.counters = nil
	if !r.IsA(n, yaml.List, `"counters"`, "a list of names") {
		return
	}
	for _, item := range n.Items() {
		name, ok := r.Str(item, "a counter")
		switch {
		case !ok:
		case slices.ContainsFunc(r.b.counters, func(c named) bool { return metricOf(c.name) == metricOf(name) }):
			r.Fail(item, "", "counter %s comes twice", diag.Quote(name))
		default:
			r.b.counters = append(r.b.counters, named{name: name, place: item.Place()})
		}
	}
}

// counters are the metrics of what a benchmark counts, in the order of the
// metric table; what is not in it comes last.
func (p *planner) counters(chosen []named) (metrics []string) {
	known := p.catalogue.Counters
	for _, c := range chosen {
		if known != nil && !slices.Contains(known, c.name) {
			p.fail(c.place, nearest(c.name, oneSpelling(known)), "unknown counter %s", diag.Quote(c.name))
		}
		metrics = append(metrics, metricOf(c.name))
	}
	slices.SortStableFunc(metrics, func(a, b string) int { return rank(a) - rank(b) })
	return metrics
}

func rank(metric string) int {
	table := result.Metrics()
	if i := slices.IndexFunc(table, func(m result.Metric) bool { return m.Name == metric }); i >= 0 {
		return i
	}
	return len(table)
}

// oneSpelling drops the second spelling of a name.
func oneSpelling(names []string) (kept []string) {
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[metricOf(name)] {
			seen[metricOf(name)] = true
			kept = append(kept, name)
		}
	}
	return kept
}
