package report

import (
	encoding "encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/report/csv"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// readCSV reads the rows of a table by the names of its columns.
func readCSV(t testing.TB, text string) (rows []map[string]string) {
	t.Helper()
	all, err := encoding.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, row := range all[1:] {
		m := map[string]string{}
		for i, name := range all[0] {
			if _, twice := m[name]; twice {
				t.Fatalf("two columns %q", name)
			}
			m[name] = row[i]
		}
		rows = append(rows, m)
	}
	return rows
}

// Every number that was sampled is in the long form, exactly, in its order.
func TestCSVHasEverySample(t *testing.T) {
	for name, doc := range recorded(t) {
		rows := readCSV(t, render(t, "csv", doc, table.Options{}))
		for i := range doc.Cases {
			c := &doc.Cases[i]
			sides := map[string]*result.Samples{"candidate": &c.Samples}
			if c.Pairs != nil {
				sides["base"] = &c.Pairs.Samples
			}
			for _, side := range []string{"candidate", "base"} {
				if s := sides[side]; s != nil {
					rows = sameSamples(t, name, c, side, s, rows)
				}
			}
		}
		if len(rows) > 0 {
			t.Errorf("%s: %d rows too many", name, len(rows))
		}
	}
}

// sameSamples checks and removes the rows of one side.
func sameSamples(t *testing.T, name string, c *result.Case, side string, s *result.Samples, rows []map[string]string) []map[string]string {
	t.Helper()
	if len(rows) < s.Len() {
		t.Fatalf("%s: %d rows for the %d samples of %q", name, len(rows), s.Len(), c.Name)
	}
	for i, row := range rows[:s.Len()] {
		if row["case"] != csv.Text(c.Name) || row["side"] != side || row["sample"] != strconv.Itoa(i) || row["block"] != strconv.Itoa(s.Block[i]) {
			t.Fatalf("%s: row %d of %q, %s, is %v", name, i, c.Name, side, row)
		}
		for metric, column := range s.Columns {
			x, err := strconv.ParseFloat(row[metric], 64)
			if absent := column[i] != column[i]; absent != (row[metric] == "") || !absent && (err != nil || x != column[i]) {
				t.Errorf("%s: %q: %s of sample %d is %q, want %v", name, c.Name, metric, i, row[metric], column[i])
			}
		}
		if killed := slices.Contains(s.Censored, i); killed != (row["censored"] == "true") {
			t.Errorf("%s: %q: sample %d: censored is %q", name, c.Name, i, row["censored"])
		}
		disturbed := slices.ContainsFunc(s.Disturbed, func(d result.Disturbed) bool { return d.Index == i && string(d.Cause) == row["disturbed"] })
		if disturbed != (row["disturbed"] != "") {
			t.Errorf("%s: %q: sample %d: disturbed is %q", name, c.Name, i, row["disturbed"])
		}
	}
	return rows[s.Len():]
}

// The summary has a row for each metric, and one for a case without any.
func TestCSVSummaryHasEveryMetric(t *testing.T) {
	for name, doc := range recorded(t) {
		rows := readCSV(t, render(t, "csv-summary", doc, table.Options{}))
		for i := range doc.Cases {
			c := &doc.Cases[i]
			for _, s := range c.Metrics {
				row := rows[0]
				rows = rows[1:]
				if row["metric"] != s.Metric || row["median"] != csv.Number(s.Median) || (row["high"] == "") != (s.High == nil) || s.High != nil && row["high"] != csv.Number(*s.High) || row["n"] != strconv.Itoa(s.N) {
					t.Errorf("%s: %q: %v, want %v", name, c.Name, row, s)
				}
				o, ratio := c.Comparison(s.Metric), ""
				if o != nil && !o.IsBound() { // of a bound only one end is known
					if ratio = csv.Number(float64(o.Ratio)); o.Ratio.IsInfinite() {
						ratio = "Infinity"
					}
				}
				if o != nil && (row["ratio"] != ratio || (row["ratio_low"] == "") != (o.Low == nil) || (row["ratio_high"] == "") != (o.High == nil) || row["verdict"] != string(o.Change)) {
					t.Errorf("%s: %q: %v, want %v", name, c.Name, row, o)
				}
			}
			if len(c.Metrics) == 0 {
				if rows[0]["status"] != string(c.Status) || rows[0]["metric"] != "" {
					t.Errorf("%s: %q: %v", name, c.Name, rows[0])
				}
				rows = rows[1:]
			}
		}
		if len(rows) > 0 {
			t.Errorf("%s: %d rows too many", name, len(rows))
		}
	}
}

func FuzzCSVNames(f *testing.F) {
	fuzzNames(f, func(t *testing.T, doc *result.Document) {
		for _, format := range []string{"csv", "csv-summary"} {
			rows := readCSV(t, render(t, format, doc, table.Options{}))
			for i, row := range rows {
				if c := &doc.Cases[i*2/len(rows)]; row["case"] != csv.Text(c.Name) || row["param.p"] != csv.Text(c.Name) {
					t.Errorf("%s: row %d has %q, want %q", format, i, row["case"], c.Name)
				}
			}
		}
	})
}

// What a terminal, a reader of text in two directions or a spreadsheet would obey is
// shown, and numbers stay numbers.
func TestCSVIsHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "@sum": "'@sum", "+a": "'+a", "-n 5": "'-n 5", "＝1": "'＝1", " =1": "' =1", "'=1": "''=1",
		"-5": "-5", "+1.5e3": "+1.5e3", "a=b": "a=b", "'a'": "'a'", "": "", "\t=1": `\t=1`,
		"\x1b[2J\u009b2J": `\x1b[2J\u009b2J`, "evil \u202egnp.exe": `evil \u202egnp.exe`, "two\r\nlines": `two\r\nlines`, "no \xff": `no \xff`,
	} {
		doc := reporttest.Document("d")
		c := reporttest.Measure(doc, text, 1e-6, 0.01)
		reporttest.Sample(c, 2, 1e-6, 0.01)
		c.Params = []result.Param{{Name: "p", Text: text}}
		for _, format := range []string{"csv", "csv-summary"} {
			for _, row := range readCSV(t, render(t, format, doc, table.Options{})) {
				if row["case"] != want || row["param.p"] != want {
					t.Errorf("%s: %q is %q and %q, want %q", format, text, row["case"], row["param.p"], want)
				}
			}
		}
	}
}
