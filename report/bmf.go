package report

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// BMF writes the Bencher Metric Format: the measures of each case, as medians with
// intervals. Times are in nanoseconds, and time itself is named latency; other measures
// have the metric's name with hyphens. Cases without numbers are left out, because the
// format has no failed benchmarks.
func BMF(w io.Writer, doc *result.Document, _ table.Options) error {
	b := bufio.NewWriter(w)
	list := newJSONList(b, "{", "}")
	names := table.Distinct{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if metrics := table.KnownMetrics(c); len(metrics) > 0 {
			list.next()
			fmt.Fprintf(b, "%s: {", display.JSON(names.Name(limited(doc.Label(c), mostBMFName))))
			measures(b, c, metrics)
			b.WriteString("\n  }")
		}
	}
	return list.end()
}

// The limits of Bencher, in characters.
const (
	mostBMFName = 1024 - 5 // room for a number after a name that occurs twice
	mostMeasure = 64
)

func measures(w io.Writer, c *result.Case, metrics []result.Metric) {
	taken := map[string]bool{}
	for i, m := range metrics {
		s, comma := c.Summary(m.Name), ","
		if i == len(metrics)-1 {
			comma = ""
		}
		size := 1.0
		if m.Unit == "s" {
			size = 1e-9
		}
		fmt.Fprintf(w, "\n    %s: {\"value\": %s", display.JSON(measureName(m.Name, taken)),
			table.PlainNumber(s.Median/size))
		if s.Low != nil {
			fmt.Fprintf(w, ", \"lower_value\": %s", table.PlainNumber(*s.Low/size))
		}
		if s.High != nil {
			fmt.Fprintf(w, ", \"upper_value\": %s", table.PlainNumber(*s.High/size))
		}
		fmt.Fprint(w, "}", comma)
	}
}

// measureName returns a slug that no other measure of the case has. A suite may declare a
// metric named latency, or two that differ only in capitals.
func measureName(metric string, taken map[string]bool) string {
	slug := "latency"
	if metric != "time" {
		words := strings.FieldsFunc(strings.ToLower(metric), func(r rune) bool { return r == '_' })
		slug = limited(strings.Join(words, "-"), mostMeasure-5)
	}
	name := slug
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s-%d", slug, i)
	}
	taken[name] = true
	return name
}

// limited cuts a text to most characters. A checksum at the end keeps two cut texts
// distinct.
func limited(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	sum := fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(s)))
	return string(runes[:most-len(sum)]) + sum
}
