package gate

import (
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/result/latencies"
	"github.com/expr-lang/expr/ast"
)

// Percentiles of single iterations in expressions. latency.p99 is a number, to compare with
// a limit, and in worse(latency.p99, 10%) the metric latency_p99, so the language sees a
// name of its own for each, as long as what was written: positions stay the same.
const (
	dottedLatency = "latency."
	numberLatency = "latency$"
	metricLatency = "latency_"
)

// Percentiles contains the percentiles of all iterations of a case, in seconds; NaN if they
// are not known.
type Percentiles struct {
	P50  float64 `expr:"latency$p50"`
	P90  float64 `expr:"latency$p90"`
	P99  float64 `expr:"latency$p99"`
	P999 float64 `expr:"latency$p999"`
	Max  float64 `expr:"latency$max"`
}

// dotted matches a percentile of the gate's own case, and what is before it.
var dotted = lazy.Regexp(`(\b(?:worse|better|ratio|ci|order|trend)\(\s*|(?:^|[^\w.$]))latency\.(p50|p90|p99|p999|max)\b`)

// named replaces percentiles of the gate's own case by their names. A case that declares a
// metric called latency has that instead.
func (b *builder) named(text string) string {
	if b.source.Kind != result.KindGo || !strings.Contains(text, dottedLatency) || b.source.Declared.has("latency", b.source.Case) {
		return text
	}
	return dotted().ReplaceAllStringFunc(text, func(found string) string {
		name := numberLatency
		if strings.Contains(found, "(") && strings.ContainsAny(found[:1], "wbrcot") {
			name = metricLatency
		}
		return strings.Replace(found, dottedLatency, name, 1)
	})
}

// written is the text of a node as the user wrote it.
func (b *builder) written(n ast.Node) string {
	return strings.ReplaceAll(b.program.Source(n), numberLatency, dottedLatency)
}

// restored is a problem with percentiles as the user wrote them.
func restored(p diag.Problem) diag.Problem {
	for _, text := range []*string{&p.Message, &p.Hint, &p.Source} {
		*text = strings.ReplaceAll(*text, numberLatency, dottedLatency)
	}
	return p
}

// percentile recognises a percentile of the gate's own case.
func (b *builder) percentile(n ast.Node) (mention, bool) {
	id, ok := n.(*ast.IdentifierNode)
	if !ok {
		return mention{}, false
	}
	name, ok := strings.CutPrefix(id.Value, numberLatency)
	if !ok {
		return mention{}, false
	}
	from, _ := b.program.Span(n)
	return mention{text: dottedLatency + name, metric: metrics[metricLatency+name], stat: "median", at: from}, true
}

// percentilesOf are the percentiles of a case.
func percentilesOf(m *Metrics) Percentiles {
	return Percentiles{m.LatencyP50.Median, m.LatencyP90.Median, m.LatencyP99.Median, m.LatencyP999.Median, m.LatencyMax.Median}
}

// latencyEvidence is the 99 % interval of a percentile of all iterations.
func latencyEvidence(c *result.Case, m result.Metric) evidence {
	if c.Latency == nil {
		return evidence{span: span{math.NaN(), math.NaN()}, err: errNoLatency}
	}
	if c.Latency.Arrivals.Saturated() {
		return evidence{span: span{math.NaN(), math.NaN()}, err: because(result.CauseSaturated, "%s", saturatedText(c.Latency.Arrivals))}
	}
	low, high, err := latencies.Interval(c.Latency, m.Quantile, confidence)
	return evidence{span{low, high}, len(c.Latency.Groups), err}
}

var errNoLatency = because(result.CauseNoMetric, "single iterations were not timed")

// fewIterations explains why a percentile has no interval.
func fewIterations(c *result.Case, m mention, s *result.Summary) string {
	text := fmt.Sprintf("%s is %s in %s", m.text, units.Format(s.Median, m.metric.Unit), units.Plural(s.N, "iteration"))
	needed := math.Ceil(math.Log((1-confidence)/2) / math.Log(m.metric.Quantile))
	text += fmt.Sprintf("; a 99%% interval needs %.0f that do not depend on each other, in at least %d batches", needed, leastBlocks)
	if a := c.Latency.Arrivals; a != nil && a.Unserved > 0 {
		text += fmt.Sprintf(", and %d were due that had not begun", a.Unserved)
	}
	return text
}

// saturatedText explains why percentiles of an open loop have no meaning.
func saturatedText(a *result.Arrivals) string {
	return fmt.Sprintf("iterations are due faster than they end (%s, utilization %s), so that latencies grow as long as one measures",
		units.Format(a.Rate, "1/s"), units.Format(a.Utilization, result.Percent))
}

// saturated leaves a leaf undecided that reads a percentile of a case whose iterations are due
// faster than they end. The second result is false for other leaves. Comparisons find out
// by themselves: see flawed.
func (j *judging) saturated(l *leaf) (outcome, bool) {
	for _, m := range l.mentions {
		if m.metric.Quantile == 0 || m.versus != "" {
			continue
		}
		if s, _, err := j.summary(m); err == nil && s.Latency != nil && s.Latency.Arrivals.Saturated() {
			return undecided(result.CauseSaturated, result.FormInterval, m.text+": "+saturatedText(s.Latency.Arrivals)), true
		}
	}
	return outcome{}, false
}
