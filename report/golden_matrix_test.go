package report

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// subject is one kind of document that every format has to cope with.
type subject struct {
	name  string // of its golden files
	holds func(t *testing.T, d *result.Document)
}

// subjects are recorded documents, and two of 1,000 cases; each shows that it has what it
// is there for.
var subjects = []subject{
	{"empty", func(t *testing.T, d *result.Document) {
		want(t, len(d.Cases) == 0 && len(d.Suites) == 1, "a suite without a case")
	}},
	{"one", func(t *testing.T, d *result.Document) { want(t, len(d.Cases) == 1, "one case") }},
	{"thousand", func(t *testing.T, d *result.Document) { want(t, len(d.Cases) == 1000, "1,000 cases") }},
	{"red", func(t *testing.T, d *result.Document) { want(t, allFail(d), "no gate that passes") }},
	{"broken1000", func(t *testing.T, d *result.Document) { want(t, len(d.Cases) == 1000 && allFail(d), "1,000 failures") }},
	{"faults", func(t *testing.T, d *result.Document) {
		want(t, hasCauses(d, "panic", "exit", "timeout", "missing"), "errors and timeouts")
	}},
	{"killed", func(t *testing.T, d *result.Document) {
		want(t, len(d.Cases[0].Samples.Censored) > 0, "runs that timed out")
	}},
	{"ties", func(t *testing.T, d *result.Document) { want(t, hasTies(d), "samples that are all the same") }},
	{"extremes", func(t *testing.T, d *result.Document) {
		want(t, hasValue(d, "s", 0.3e-9) && hasValue(d, "s", 3*3600) && hasValue(d, "B", 1) && hasValue(d, "B", 5<<40), "0.3 ns to 3 h, 1 B to 5 TiB")
	}},
	{"names", func(t *testing.T, d *result.Document) {
		for _, part := range []string{`"`, "'", "|", "\n", "🚀", "ש", "\u202e", "\x1b", "]]>", "<b>", "\x00", `\`} {
			want(t, hasName(d, part), "a name with "+part)
		}
	}},
}

func want(t *testing.T, ok bool, what string) {
	t.Helper()
	if !ok {
		t.Errorf("the document has not: %s", what)
	}
}

func allFail(d *result.Document) bool {
	for _, c := range d.Cases {
		if c.Status != result.Failed && len(c.Gates) == 0 {
			return false
		}
		for _, g := range c.Gates {
			if g.Verdict != result.Fail && g.Verdict != result.Error {
				return false
			}
		}
	}
	return len(d.Cases) > 0
}

func hasCauses(d *result.Document, causes ...string) bool {
	found := map[string]bool{}
	for _, c := range d.Cases {
		if c.Failure != nil {
			found[string(c.Failure.Cause)] = true
		}
	}
	for _, cause := range causes {
		if !found[cause] {
			return false
		}
	}
	return true
}

func hasTies(d *result.Document) bool {
	for _, c := range d.Cases {
		if s := c.Summary("time"); s != nil && s.N > 1 && s.Low != nil && *s.Low == *s.High {
			return true
		}
	}
	return false
}

func hasValue(d *result.Document, unit string, x float64) bool {
	for _, c := range d.Cases {
		for _, m := range c.Metrics {
			if m.Unit == unit && math.Abs(m.Median-x) < 0.05*x {
				return true
			}
		}
	}
	return false
}

func hasName(d *result.Document, part string) bool {
	for _, c := range d.Cases {
		if strings.Contains(c.Name, part) {
			return true
		}
	}
	return false
}

// Every format has a golden file of every subject: what this test does not find is a hole. Pages
// have rules in their place.
func TestGoldenMatrix(t *testing.T) {
	for _, s := range subjects {
		s.holds(t, s.document(t, "text"))
		for _, f := range Formats() {
			if file := s.file(f.Name); file != "" {
				golden.Check(t, file, render(t, f.Name, s.document(t, f.Name), table.Options{Most: s.most()}))
			}
		}
	}
}

// most is where a comment on a subject is cut. For a thousand cases a fifth of what GitHub takes shows
// it as well.
func (s subject) most() int {
	if s.isBig() {
		return 12000
	}
	return 0
}

func (s subject) isBig() bool { return s.name == "thousand" || s.name == "broken1000" }

// document makes the document of a subject. For formats of commands, rates or arcs
// only, all cases have them.
func (s subject) document(t *testing.T, format string) *result.Document {
	var d *result.Document
	switch s.name {
	case "thousand":
		d = thousand()
	case "broken1000":
		d = allBroken(1000)
	default:
		d = record(t, s.name)
	}
	for i := range d.Cases {
		c := &d.Cases[i]
		switch {
		case format == "hyperfine" && c.Kind == result.KindGo && c.Status == result.Measured && c.Summary("rss") == nil:
			reporttest.Command(c, 1<<20, 0.9, "true", c.Name)
		case format == "customBiggerIsBetter" && c.Status == result.Measured && c.Summary("time") != nil && c.Summary("throughput") == nil:
			reporttest.PerByte(c, 64)
		case format == "csv-arcs" && c.Status == result.Measured && c.Summary("time") != nil:
			t := c.Summary("time").Median
			c.Pegs = &result.Pegs{Clock: "wall", Iterations: 100, Seconds: 100 * t, Arcs: []result.Arc{reporttest.ArcOf(c.Name, c.Name+" end", 100, t)}}
		}
	}
	return d
}

// allBroken has cases that could not be measured, and cases whose gates all fail.
func allBroken(n int) *result.Document {
	d := reporttest.Many(n, 2)
	for i := range d.Cases {
		c := &d.Cases[i]
		if i%3 == 0 {
			reporttest.Breakdown(c, result.Failure{Phase: "run", Cause: []result.FailureCause{"timeout", "crash"}[i%2], Message: "no answer in 60 s"})
			continue
		}
		for j := range c.Gates {
			c.Gates[j].Verdict, c.Gates[j].Reason = result.Fail, "the 99% interval lies above 5 ms"
		}
	}
	return d
}

// only is added to the names of files of formats that contain one kind of case.
var only = map[string]string{"hyperfine": ".commands", "customBiggerIsBetter": ".rates", "csv-arcs": ".pegs"}

// file is the path of the golden file of a format: next to the document, or with the formats for
// programs. It is empty for pages and for what testdata/sums.txt has a hash of.
func (s subject) file(format string) string {
	folder, ending := "testdata/formats", "."+format
	for at, f := range exchanged {
		if f == format {
			ending = at
		}
	}
	for at, f := range outputs {
		if f == format {
			folder, ending = "testdata", at
		}
	}
	switch {
	case format == "html", s.isSummed(format), !s.isBig() && isDerived(s.name, format):
		return ""
	case s.isBig():
		folder = "testdata/many"
	case format == "json":
		folder = "testdata"
	}
	return filepath.Join(folder, s.name+only[format]+ending)
}

// isSummed reports whether a text is asserted by its hash: a made document as JSON, and a thousand cases
// in what neither folds nor cuts. Those as JSON take 4 MB, and another test reads them back.
func (s subject) isSummed(format string) bool {
	switch {
	case s.isBig():
		return !slices.Contains([]string{"text", "markdown", "comment", "github"}, format)
	case format == "json":
		return reporttest.Made(s.name) != nil
	}
	return false
}

// A document of a thousand cases that is written and read is the same, and so is what is
// written of it again.
func TestThousandAreReadBack(t *testing.T) {
	for _, d := range []*result.Document{thousand(), allBroken(1000)} {
		d.Exit = d.Outcome().Exit
		first := render(t, "json", d, table.Options{})
		back, err := result.Read(strings.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if len(back.Cases) != 1000 || render(t, "json", back, table.Options{}) != first {
			t.Errorf("%d cases are read, and written otherwise", len(back.Cases))
		}
	}
}
