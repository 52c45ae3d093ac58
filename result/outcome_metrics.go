package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// settling counts the gates of one metric that compare and may fail the run. A decided
// counter does not decide a time, so each metric that a suite compares is counted by itself.
type settling struct {
	metric  string
	settled map[string]int // decided gates by what they decided: worse, better, same, unaffected, passed or failed
	open    int            // gates that were not decided
	awaited bool           // one of them has no on_inconclusive: list
}

// unsettled is a gate that compares, may fail the run and was not decided.
type unsettled struct {
	name    string
	metrics []string
}

// settle counts a gate that compares. Skipped gates are left out, because they have no base.
func (t *tally) settle(c *Case, name string, g *Gate) {
	if !g.Compares || g.Severity == "warn" || g.Verdict == NotJudged || g.Verdict == Error {
		return
	}
	metrics := g.compared()
	for _, metric := range metrics {
		m := t.metric(metric)
		if g.Verdict == Inconclusive {
			m.open++
			m.awaited = m.awaited || g.OnInconclusive != "list"
			continue
		}
		m.settled[c.decided(metric, g)]++
	}
	if g.Verdict == Inconclusive {
		t.unsettled = append(t.unsettled, unsettled{name, metrics})
	} else {
		t.settled++
	}
}

// compared lists the metrics that a gate compares with a base, each once. A document of an
// earlier version does not list them, and all of its gates are of one metric without a name.
func (g *Gate) compared() (metrics []string) {
	for _, r := range g.Reads {
		if (r.Of == OfRatio || r.Of == OfBase || r.Of == OfMean) && !slices.Contains(metrics, r.Metric) {
			metrics = append(metrics, r.Metric)
		}
	}
	if metrics == nil {
		return []string{""}
	}
	return metrics
}

// decided is what a gate has decided about a metric, in one word.
func (c *Case) decided(metric string, g *Gate) string {
	if g.Cause == CauseUnaffected {
		return "unaffected"
	}
	if o := c.Comparison(metric); o != nil && o.Change != Unclear {
		return string(o.Change)
	}
	if g.Verdict == Pass {
		return "passed"
	}
	return "failed"
}

// metric returns the counts of a metric, which are kept in the order of names.
func (t *tally) metric(name string) *settling {
	at, there := slices.BinarySearchFunc(t.metrics, name,
		func(m *settling, name string) int { return cmp.Compare(m.metric, name) })
	if !there {
		t.metrics = slices.Insert(t.metrics, at, &settling{metric: name, settled: map[string]int{}})
	}
	return t.metrics[at]
}

// openMetrics returns the undecided gates of the metrics of which no gate was decided,
// although a run without a decision must not pass.
func (t *tally) openMetrics() (gates []string) {
	undecided := func(metric string) bool {
		m := t.metric(metric)
		return len(m.settled) == 0 && m.awaited
	}
	for _, g := range t.unsettled {
		if slices.ContainsFunc(g.metrics, undecided) {
			gates = append(gates, g.name)
		}
	}
	return gates
}

// byMetric counts what was decided of each metric: "allocs: 6 same; time: 6 undecided". It is
// empty if all gates that compare are decided, or none of them, or all compare one metric.
func (t *tally) byMetric() string {
	if len(t.metrics) < 2 || len(t.unsettled) == 0 || t.settled == 0 {
		return ""
	}
	var metrics []string
	for _, m := range t.metrics {
		var parts []string
		for _, word := range []string{string(Worse), string(Better), string(Same), "failed", "passed", "unaffected"} {
			parts = numbered(parts, m.settled[word], word)
		}
		parts = numbered(parts, m.open, "undecided")
		metrics = append(metrics, fmt.Sprintf("%s: %s", cmp.Or(m.metric, "others"), strings.Join(parts, ", ")))
	}
	return strings.Join(metrics, "; ")
}

// alsoByMetric is byMetric after another text.
func (t *tally) alsoByMetric() string {
	if text := t.byMetric(); text != "" {
		return "; " + text
	}
	return ""
}

func (t *tally) noneSettled() string {
	if n := len(t.unsettled); n > 1 {
		return fmt.Sprintf("none of %d gates that compare could be decided", n)
	}
	return "the one gate that compares could not be decided"
}
