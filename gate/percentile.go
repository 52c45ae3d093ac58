package gate

import (
	"regexp"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
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

// dotted matches a percentile of the gate's own case, and what is before it: in the first
// subexpression the name of a function that takes a metric.
func (all Functions) dotted() *regexp.Regexp {
	return regexp.MustCompile(`(?:\b(` + all.pattern((*Function).takesMetric) +
		`)\(\s*|(?:^|[^\w.$]))latency\.(?:p50|p90|p99|p999|max)\b`)
}

// named replaces percentiles of the gate's own case by their names. A case that declares a
// metric called latency has that instead.
func (b *builder) named(text string) string {
	dotted := b.source.Kind == result.KindGo && strings.Contains(text, dottedLatency)
	if !dotted || b.source.Declared.has("latency", b.source.Case) {
		return text
	}
	pattern := b.functions.dotted()
	return pattern.ReplaceAllStringFunc(text, func(found string) string {
		name := numberLatency
		if pattern.FindStringSubmatch(found)[1] != "" {
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
