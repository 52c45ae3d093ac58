package report

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/report/column"
	"example.com/suite/report/hyperfine"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// stated is the median of a metric in one format, in SI base units, and its permitted
// difference from the document: formats for people round.
type stated struct {
	format string
	median float64
	off    float64
}

// Every format has the median of the document.
func TestFormatsAgree(t *testing.T) {
	total := map[string]int{}
	for name, doc := range recorded(t) {
		all := map[string][]stated{} // by case and metric
		for _, read := range []func(testing.TB, *result.Document, map[string][]stated){
			statedByCSV, statedByBMF, statedByCustom, statedByOpenMetrics, statedByHyperfine, statedByTables, statedByPage,
		} {
			read(t, doc, all)
		}
		for i := range doc.Cases {
			c := &doc.Cases[i]
			for j := range c.Metrics {
				s := &c.Metrics[j]
				for _, one := range all[doc.Label(c)+"\x00"+s.Metric] {
					total[one.format]++
					if math.Abs(one.median-s.Median) > one.off {
						t.Errorf("%s: %s: %s: %s says %v, the document %v", name, doc.Label(c), s.Metric, one.format, one.median, s.Median)
					}
				}
			}
		}
	}
	for _, format := range []string{"csv-summary", "bmf", "customSmallerIsBetter", "customBiggerIsBetter", "openmetrics", "hyperfine", "text", "markdown", "html"} {
		if total[format] < 2 {
			t.Errorf("%s: %d medians were compared", format, total[format])
		}
	}
}

func tell(all map[string][]stated, label, metric, format string, median, off float64) {
	key := label + "\x00" + metric
	all[key] = append(all[key], stated{format, median, off})
}

func statedByCSV(t testing.TB, doc *result.Document, all map[string][]stated) {
	for _, row := range readCSV(t, render(t, "csv-summary", doc, table.Options{})) {
		if x, err := strconv.ParseFloat(row["median"], 64); err == nil {
			c := result.Case{Suite: row["suite"], Name: row["case"]}
			tell(all, doc.Label(&c), row["metric"], "csv-summary", x, 0)
		}
	}
}

// nearly is what the digits of JSON leave of a number.
func nearly(x float64) float64 { return math.Abs(x) * 1e-11 }

func statedByBMF(t testing.TB, doc *result.Document, all map[string][]stated) {
	got := readJSON[bencher](t, render(t, "bmf", doc, table.Options{}))
	for i := range doc.Cases {
		c, taken := &doc.Cases[i], map[string]bool{}
		for _, m := range table.KnownMetrics(c) {
			name, size := measureName(m.Name, taken), 1.0
			if m.Unit == "s" {
				size = 1e-9
			}
			x := got[doc.Label(c)][name].Value * size
			tell(all, doc.Label(c), m.Name, "bmf", x, nearly(x))
		}
	}
}

func statedByCustom(t testing.TB, doc *result.Document, all map[string][]stated) {
	for _, format := range []string{"customSmallerIsBetter", "customBiggerIsBetter"} {
		for _, e := range readJSON[[]entry](t, render(t, format, doc, table.Options{})) {
			label, metric := (*e.Name)[:strings.LastIndex(*e.Name, ": ")], (*e.Name)[strings.LastIndex(*e.Name, ": ")+2:]
			x := *e.Value
			if unit := "-" + strings.ReplaceAll(*e.Unit, "/", "-") + "-"; strings.Contains(unit, "-ns-") {
				x *= 1e-9
			}
			tell(all, label, metric, format, x, nearly(x))
		}
	}
}

// statedByOpenMetrics may differ by a twentieth of the interval, because digits that
// the interval does not support are rounded.
func statedByOpenMetrics(t testing.TB, doc *result.Document, all map[string][]stated) {
	samples := checkOpenMetrics(t, render(t, "openmetrics", doc, table.Options{}))
	for i := range doc.Cases {
		c := &doc.Cases[i]
		for _, m := range table.KnownMetrics(c) {
			x, ok := samples[seriesOf(samples, c, m)]
			if !ok {
				t.Errorf("openmetrics has no %s of %s", m.Name, doc.Label(c))
			}
			tell(all, doc.Label(c), m.Name, "openmetrics", x, nearly(x)+number.HalfInterval(c.Summary(m.Name))/20)
		}
	}
}

// seriesOf finds the series of a metric of a case by what a user would ask for: the name with
// its unit once, the suite and the case.
func seriesOf(samples map[string]float64, c *result.Case, m result.Metric) string {
	name := m.Name
	if table.IsDeclared(c, name) {
		name = "metric_" + name
	}
	unit, known := map[string]string{"s": "seconds", "B": "bytes", result.Percent: "ratio", "1/s": "per_second", "": ""}[m.Unit]
	if !known {
		unit = regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(m.Unit, "_")
	}
	if unit != "" {
		name = strings.TrimSuffix(name, "_"+unit) + "_" + unit
	}
	escape := func(s string) string {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(display.Visible(line))
		}
		return strings.Join(lines, `\n`)
	}
	front := fmt.Sprintf(`suite_%s{suite="%s",case="%s"`, name, escape(c.Suite), escape(c.Name))
	for series := range samples {
		if strings.HasPrefix(series, front) {
			return series
		}
	}
	return ""
}

func statedByHyperfine(t testing.TB, doc *result.Document, all map[string][]stated) {
	for _, r := range readJSON[hyperfine.File](t, render(t, "hyperfine", doc, table.Options{})).Results {
		tell(all, r.Command, "wall", "hyperfine", r.Median, nearly(r.Median))
	}
}

// timed matches a time with its unit: 2.31 µs.
var timed = regexp.MustCompile(`(\d+)(?:\.(\d+))?[\s\x{2007}\x{2008}]*(ps|ns|µs|ms|s|min|h)\b`)

var inSeconds = map[string]float64{"ps": 1e-12, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}

// firstTime finds the first time of a text, and half of its last digit.
func firstTime(text string) (x, off float64, ok bool) {
	m := timed.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	x, err := strconv.ParseFloat(strings.TrimSuffix(m[1]+"."+m[2], "."), 64)
	size := inSeconds[m[3]]
	return x * size, size * (0.500001 * math.Pow10(-len(m[2]))), err == nil
}

// statedByTables reads the rows of cases, which begin with their name.
func statedByTables(t testing.TB, doc *result.Document, all map[string][]stated) {
	finished := table.NewTable(doc)
	for _, format := range []string{"text", "markdown"} {
		text := render(t, format, doc, table.Options{})
		for i := range doc.Cases {
			c := &doc.Cases[i]
			at := fmt.Sprintf("\n  %s ", c.Name)
			if format == "markdown" {
				at = fmt.Sprintf("\n| `%s`", c.Name)
			}
			if strings.Count(text, at) != 1 || c.Summary("time") == nil || c.Summary("time").Bound != nil || len(finished.Groups) != 1 {
				continue // repeated, for example above the table, or not in digits
			}
			_, row, _ := strings.Cut(text, at)
			row, _, _ = strings.Cut(row, "\n")
			if slices.ContainsFunc(finished.Groups[0].Columns, func(c page.Column) bool { return c.Head == column.BaseHead }) && c.Pairs != nil && c.Comparison("time") != nil {
				if base := timed.FindStringIndex(row); base != nil {
					row = row[base[1]:] // the time of the base comes first
				}
			}
			if x, off, ok := firstTime(row); ok {
				tell(all, doc.Label(c), "time", format, x, off)
			}
		}
	}
}

// statedByPage reads the table of statistics of each case.
func statedByPage(t testing.TB, doc *result.Document, all map[string][]stated) {
	page := render(t, "html", doc, table.Options{})
	for i := range doc.Cases {
		c := &doc.Cases[i]
		_, own, ok := strings.Cut(page, fmt.Sprintf(`<div class="inside" id="case-%d">`, i+1))
		own, _, _ = strings.Cut(own, `<div class="inside" id="case-`)
		_, own, _ = strings.Cut(own, "<caption>Samples</caption>")
		own, _, _ = strings.Cut(own, "</table>")
		_, row, found := strings.Cut(own, `<th scope="row"><bdi>time</bdi></th>`)
		if !ok || !found || c.Summary("time").Bound != nil {
			continue
		}
		cells := strings.SplitN(row, `<td class="n">`, 4) // nothing, n, the median
		if x, off, ok := firstTime(html.UnescapeString(cells[2])); ok {
			tell(all, doc.Label(c), "time", "html", x, off)
		}
	}
}

// Two metrics whose names and units make one word stay two in every format.
func TestMetricsOfOneWordStayTwo(t *testing.T) {
	doc := reporttest.Document("d")
	c := reporttest.Measure(doc, "x", 1e-6, 0.01)
	reporttest.Declare(c, "size", "B", 7, 0.01)
	reporttest.Declare(c, "size_bytes", "", 9, 0.01)
	got := map[float64]int{}
	for name, x := range checkOpenMetrics(t, render(t, "openmetrics", doc, table.Options{})) {
		if strings.HasPrefix(name, "suite_metric_size_") {
			got[math.Round(x)]++
		}
	}
	if got[7] != 1 || got[9] != 1 {
		t.Errorf("openmetrics has %v", got)
	}
	all, _ := readBench(t, render(t, "benchfmt", doc, table.Options{}))
	if len(all) != 4 { // time, cpu and these
		t.Errorf("benchfmt has %v", all)
	}
}
