package csv

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderSummary writes one row for each metric of each case, with its statistics and its comparison
// with the base. A case without numbers has one row.
func RenderSummary(w io.Writer, doc *result.Document, _ table.Options) error {
	t := &csvWriter{w: bufio.NewWriter(w), params: paramNames(doc)}
	t.row(slices.Concat([]string{"suite", "case", "kind", "status", "cause"}, t.heads(),
		[]string{"metric", "unit", "per"},
		statisticNames, ratioNames))
	for i := range doc.Cases {
		c := &doc.Cases[i]
		front := t.identity(c)
		if len(c.Metrics) == 0 {
			t.row(append(front, make([]string, 3+len(statisticNames)+len(ratioNames))...))
		}
		for j := range c.Metrics {
			s := &c.Metrics[j]
			t.row(slices.Concat(front, []string{s.Metric, s.Unit, table.PerWhat(c, s.Metric)}, statistics(s),
				ratios(c, s.Metric)))
		}
	}
	return t.w.Flush()
}

// identity returns the first fields of the rows of a case.
func (t *csvWriter) identity(c *result.Case) []string {
	cause := ""
	if c.Failure != nil {
		cause = string(c.Failure.Cause)
	}
	return append([]string{c.Suite, c.Name, string(c.Kind), string(c.Status), cause}, t.values(c)...)
}

var statisticNames = []string{"n", "median", "low", "high", "confidence", "mean", "stddev", "mad", "min", "max", "p50",
	"p90", "p95", "p99",
	"exact", "below", "censored", "at_least", "at_most"}

func statistics(s *result.Summary) []string {
	confidence := ""
	if s.Confidence > 0 {
		confidence = Number(s.Confidence)
	}
	all := []string{strconv.Itoa(s.N), Number(s.Median), maybe(s.Low), maybe(s.High), confidence}
	for _, x := range []float64{s.Mean, s.StdDev, s.MAD, s.Min, s.Max, s.P50, s.P90, s.P95, s.P99} {
		all = append(all, Number(x))
	}
	return append(all, strconv.FormatBool(s.Exact), maybe(s.Bound), strconv.Itoa(s.Censored),
		strings.Join(s.AtLeast, " "),
		strings.Join(s.AtMost, " "))
}

var ratioNames = []string{"base", "ratio", "ratio_low", "ratio_high", "verdict"}

func ratios(c *result.Case, metric string) []string {
	o := c.Comparison(metric)
	if o == nil || c.Pairs == nil {
		return make([]string, len(ratioNames))
	}
	ratio := Number(float64(o.Ratio))
	switch {
	case o.IsBound():
		ratio = ""
	case o.Ratio.IsInfinite(): // the base has 0
		ratio = "Infinity"
	}
	return []string{c.Pairs.BaseName(), ratio, maybe(o.Low), maybe(o.High), string(o.Change)}
}

// Number prints a number exactly: reading the text returns the same number.
func Number(x float64) string { return string(appendExactly(nil, x)) }

// appendExactly appends a number without an exponent, 1699840 and not 1.69984e+06, unless it has more
// than 21 digits before the point or four zeros after it.
func appendExactly(dst []byte, x float64) []byte {
	if size := math.Abs(x); x == 0 || 1e-4 <= size && size < 1e21 {
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}

func maybe(x *float64) string {
	if x == nil {
		return ""
	}
	return Number(*x)
}
