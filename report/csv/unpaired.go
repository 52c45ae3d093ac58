package csv

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"

	"example.com/suite/report/number"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// RenderSaved writes a row for each sample, as Render does, of several results one after the other.
// The first column is the name of the result.
func RenderSaved(w io.Writer, saved []table.Saved) error {
	whole := together(saved)
	t := &csvWriter{w: bufio.NewWriter(w), params: paramNames(whole), metrics: sampledNames(whole)}
	t.row(slices.Concat([]string{"result"}, sampleHeads, t.heads(), t.metrics))
	for _, s := range saved {
		t.before = append(appendField(nil, s.Name), ',')
		for i := range s.Doc.Cases {
			t.bothSides(&s.Doc.Cases[i])
		}
	}
	return t.w.Flush()
}

// together returns a document with the cases of all results.
func together(saved []table.Saved) *result.Document {
	var doc result.Document
	for _, s := range saved {
		doc.Cases = append(doc.Cases, s.Doc.Cases...)
	}
	return &doc
}

// RenderUnpaired writes a row for each case and result: the statistics of the metric that is compared,
// and the ratio to the first result. If a result has a case without numbers, the fields are empty. If
// it lacks the case, there is no row.
func RenderUnpaired(w io.Writer, u *table.Unpaired, _ table.Options) error {
	t := &csvWriter{w: bufio.NewWriter(w), params: paramNames(together(u.Saved))}
	t.row(slices.Concat([]string{"result", "suite", "case", "kind", "status", "cause"}, t.heads(),
		[]string{"metric", "unit", "per"}, statisticNames, unpairedNames))
	for i := range u.Rows {
		r := &u.Rows[i]
		for k, c := range r.Cases {
			if c == nil {
				continue
			}
			var ratio *table.UnpairedRatio
			if k > 0 {
				ratio = r.Ratios[k-1]
			}
			t.row(slices.Concat([]string{u.Saved[k].Name}, t.identity(c),
				summaryFields(c, u.Metric), ratioFields(ratio)))
		}
	}
	return t.w.Flush()
}

var unpairedNames = []string{"ratio", "ratio_low", "ratio_high", "moved"}

// ratioFields returns the fields of a ratio. All are empty if there is no ratio. The ratio itself is
// empty if it is infinite.
func ratioFields(r *table.UnpairedRatio) []string {
	if r == nil {
		return make([]string, len(unpairedNames))
	}
	ratio := ""
	if !math.IsInf(r.Ratio, 0) {
		ratio = Number(r.Ratio)
	}
	return []string{ratio, maybe(r.Low), maybe(r.High), strconv.FormatBool(r.Moved)}
}

// summaryFields returns the fields of one metric of a case, without its name.
func summaryFields(c *result.Case, metric string) []string {
	s := number.MeasuredSummary(c, metric)
	if s == nil {
		return append([]string{metric}, make([]string, 2+len(statisticNames))...)
	}
	return append([]string{metric, s.Unit, table.PerWhat(c, metric)}, statistics(s)...)
}
