package report

import (
	"bufio"
	"fmt"
	"io"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/benchfmt"
	"example.com/suite/report/number"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// CustomSmallerIsBetter writes the format that github-action-benchmark reads under this
// name: a list of numbers, here the medians of metrics of which less is better.
func CustomSmallerIsBetter(w io.Writer, doc *result.Document, _ table.Options) error {
	return customIsBetter(w, doc, result.Lower)
}

// CustomBiggerIsBetter writes the medians of metrics of which more is better: the action
// reads them from a file of their own.
func CustomBiggerIsBetter(w io.Writer, doc *result.Document, _ table.Options) error {
	return customIsBetter(w, doc, result.Higher)
}

func customIsBetter(w io.Writer, doc *result.Document, better result.Direction) error {
	b := bufio.NewWriter(w)
	list := newJSONList(b, "[", "]")
	names := table.Distinct{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		for _, m := range ofDirection(c, better) {
			list.next()
			fmt.Fprintf(b, "{\"name\": %s, %s}", display.JSON(names.Name(doc.Label(c)+": "+m.Name)), customText(c, m))
		}
	}
	return list.end()
}

// ofDirection returns the metrics of a case that improve in a direction. It includes
// operations per second, because the action fails on an empty list.
func ofDirection(c *result.Case, better result.Direction) (out []result.Metric) {
	metrics := table.KnownMetrics(c)
	if s := number.MeasuredSummary(c, "throughput"); table.Repeats(c, "throughput") && s != nil && s.Bound == nil {
		m, _ := result.FindMetric("throughput")
		metrics = append(metrics, m)
	}
	for _, m := range metrics {
		if m.Direction == better {
			out = append(out, m)
		}
	}
	return out
}

// customText returns an entry without its name. The unit is the same in every run,
// because the action compares bare numbers.
func customText(c *result.Case, m result.Metric) string {
	s := c.Summary(m.Name)
	unit, size := benchfmt.Unit(c, m)
	text := fmt.Sprintf(`"unit": %s, "value": %s`, display.JSON(unit), table.PlainNumber(s.Median/size))
	if h := number.HalfInterval(s); h > 0 && number.Lopsided(s.Median, *s.Low, *s.High) {
		text += fmt.Sprintf(`, "range": %s`,
			display.JSON(units.Round(*s.Low/size, 0)+" … "+units.Round(*s.High/size, 0)))
	} else if h > 0 {
		text += fmt.Sprintf(`, "range": %s`, display.JSON("± "+units.Round(h/size, 0)))
	}
	extra := fmt.Sprintf("%d samples", s.N)
	if m.Name == "time" {
		extra = table.Evidence(c)
	}
	return text + `, "extra": ` + display.JSON(extra)
}
