package report

import (
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// The page shows the suite file line by line, and gates link to their lines.
func TestHTMLShowsTheSuiteFile(t *testing.T) {
	d := reporttest.Document("d")
	c := reporttest.Measure(d, "a", 1e-3, 0.01)
	reporttest.Judge(c, "time.median < 1ms", result.Fail, result.FormInterval, "it is not") // on line 8
	d.Suites[0].Sources = []result.Source{{File: "suites/d.yaml", Text: "one\ntwo\r\nthree\u2028four\n\n<six>\nseven\neight\n"}, {File: "suites/large.yaml", Left: 300000}}
	page := render(t, "html", d, table.Options{})
	for _, want := range []string{
		`<li id="file-1-4"><code>four</code></li>`, `<li id="file-1-6"><code>&lt;six&gt;</code></li>`, `<li id="file-1-8" class="bad"><code>eight</code></li>`,
		`<a href="#file-1-8">suites/d.yaml:8:9</a>: a: time.median &lt; 1ms`, `<a href="#file-1-8"><code>time.median &lt; 1ms</code></a>`, `<a href="#file-1-5">suites/d.yaml:5:5</a>`,
		"suites/large.yaml: not in the result: it has 293 KiB",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
	if strings.Contains(page, `id="file-1-9"`) {
		t.Error("there are more lines than the file has")
	}
}

// Suites of two folders may each have a suite.yaml: gates lead to their own, and lines of
// the other have nothing of them.
func TestHTMLKeepsFilesOfOneNameApart(t *testing.T) {
	d := reporttest.Document("one", "two")
	for i, verdict := range []result.Verdict{result.Pass, result.Fail} {
		c := reporttest.Measure(d, d.Suites[i].Name+" case", 1e-3, 0.01)
		c.Suite, c.Place = d.Suites[i].Name, diag.Place{File: "suite.yaml", Line: 2, Col: 1}
		reporttest.Judge(c, "time.median < 1ms", verdict, result.FormInterval, "because")
		c.Gates[0].Place = diag.Place{File: "suite.yaml", Line: 2, Col: 9}
		d.Suites[i].Sources = []result.Source{{File: "suite.yaml", Text: "first\n" + d.Suites[i].Name + " second\n"}}
	}
	page := render(t, "html", d, table.Options{})
	for _, want := range []string{
		`<li id="file-1-2" class="good"><code>one second</code></li>`, `<li id="file-2-2" class="bad"><code>two second</code></li>`,
		`<a href="#file-2-2">suite.yaml:2:9</a>`, `<a href="#file-1-2"><code>time.median`, `<a href="#file-2-2"><code>time.median`,
		"<bdi>suite.yaml of two</bdi></span></summary>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
}

// What was measured besides the time is drawn, and folded; what gates judge has its
// ratios.
func TestHTMLDrawsOtherMetrics(t *testing.T) {
	page := render(t, "html", reporttest.Traced(), table.Options{})
	for _, want := range []string{"<bdi>drawings of rss, cpu, hit_rate</bdi>", ">Distribution of rss</title>", ">rss in the order in which samples were taken</title>", ">Change of rss in each pair</title>",
		">Ratios of rss, case ÷ base</title>", "<bdi>rss against the base</bdi></figcaption>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
	d := reporttest.Many(150, 12)
	for i := range d.Cases {
		for k, name := range []string{"switches", "voluntary"} {
			d.Cases[i].Samples.Columns[name] = make(result.Column, 12)
			d.Cases[i].Samples.Columns[name][k] = 1
			d.Cases[i].Metrics = append(d.Cases[i].Metrics, reporttest.Summary(name, "", 0, 0))
		}
	}
	page = render(t, "html", d, table.Options{})
	if n := strings.Count(page, `-t">Distribution of `); n != len(d.Cases)+mostMetricDrawings {
		t.Errorf("%d distributions, want one of time for each case and %d of other metrics", n, mostMetricDrawings)
	}
}

// Very long files do not make the page slow to open: it leaves them out and mentions
// that.
func TestHTMLLeavesOutLongFiles(t *testing.T) {
	d := reporttest.Document("d")
	c := reporttest.Measure(d, "a", 1e-3, 0.01)
	c.Place = diag.Place{File: "suites/b.yaml", Line: 3}
	d.Suites[0].Sources = []result.Source{{File: "suites/d.yaml", Text: strings.Repeat("x\n", mostLines+1)}, {File: "suites/b.yaml", Text: "1\n2\n3\n"}}
	page := render(t, "html", d, table.Options{})
	if !strings.Contains(page, "not on this page: it has 6001 lines") || !strings.Contains(page, `<li id="file-2-3"><code>3</code></li>`) {
		t.Error("the long file is not left out, or the short one is")
	}
}

// A case with pegs has a table of its arcs next to the picture, in the same colours;
// a case without pegs has neither.
func TestHTMLShowsWhereTheTimeGoes(t *testing.T) {
	page := render(t, "html", reporttest.Flowing(), table.Options{})
	if n := strings.Count(page, "Only gates that name arcs are judged by this pass"); n != 5 {
		t.Errorf("%d cases have arcs, want 5", n)
	}
	for _, want := range []string{"Where the time goes</title>", "Spans inside of each other</title>", `class="way-more"`, "(outermost)", "no point is called &#34;strat&#34;"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
	if !cmp.Equal(strings.Count(page, "Where the time goes</title>"), 4) {
		t.Errorf("%d pictures, want 4", strings.Count(page, "Where the time goes</title>"))
	}
}
