package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// traced is a document for the parts of a page on pegs, suite files and metrics other
// than time.
func traced() *result.Document {
	d := reporttest.Flowing()
	d.Suites[0].Sources = []result.Source{{File: d.Suites[0].File, Text: suiteText()}, {File: "suites/generated.yaml", Left: 300000}}
	nested(reporttest.Measure(d, "nested", 2e-3, 0.01))
	large(reporttest.Measure(d, "large", 4e-3, 0.01))
	sorting(reporttest.Command(reporttest.Measure(d, "memory", 21e-3, 0.01), 48<<20, 0.9, "./sort", "-n", "big.txt"))
	for i := range d.Cases {
		binned(d.Cases[i].Pegs)
		binned(d.Cases[i].BasePegs)
	}
	d.Exit = d.Outcome().Exit
	return d
}

// suiteText has a line for each case of document, as measure and judge count them, and
// what a page has to survive.
func suiteText() string {
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=../schemas/suite.schema.json\nsuite: pegs\n\nbenchmarks:\n")
	for i := range 12 {
		fmt.Fprintf(&b, "  - {name: case %d, shell: \"echo '</code></li>' \u2066 \U0001f469\u200d\U0001f680\", pegs: true}\n", i)
	}
	b.WriteString("  # a line that is much longer than a page is wide: " + strings.Repeat("word ", 40) + "\n")
	return b.String()
}

// nested is a case of spans inside spans: one got slower, one is inside two others,
// and one is inside itself.
func nested(c *result.Case) {
	side := func(query float64) *result.Pegs {
		span := func(from, to string, n int64, mean float64) result.Arc {
			return reporttest.OfKind(result.ArcSpan, reporttest.ArcOf(from, to, n, mean))
		}
		return &result.Pegs{Clock: "wall", Iterations: 50, Seconds: 50 * (1.1e-3 + query), Residue: 41e-9, Cost: 52e-9,
			Points: reporttest.PointsOf(50, "request", "authenticate", "render", "query", "template", "walk", "log"),
			Arcs: reporttest.InOrder(span("", "request", 50, 0.9e-3+query), span("request", "authenticate", 50, 0.12e-3), span("request", "query", 50, query),
				span("request", "render", 50, 0.6e-3), span("render", "template", 100, 0.2e-3), span("template", "walk", 300, 40e-6), span("walk", "walk", 900, 9e-6),
				span("authenticate", "log", 50, 20e-6), span("render", "log", 50, 60e-6))}
	}
	c.Pegs, c.BasePegs = side(0.9e-3), side(0.4e-3)
}

// sorting is a command whose metrics vary, one of its own among them; the gate judges its
// memory.
func sorting(c *result.Case) {
	rng := rand.New(rand.NewPCG(8, 9))
	c.Declared = []result.Declared{{Name: "hit_rate", Unit: result.Percent, Better: result.Higher}}
	c.Pairs = &result.Pairs{Base: "memory-old", Iterations: 1, Samples: c.Samples}
	c.Pairs.Samples.Columns = map[string]result.Column{"time": c.Samples.Columns["time"]}
	for i := range c.Samples.Block {
		c.Pairs.First = append(c.Pairs.First, i%2)
		for side, to := range []*result.Samples{&c.Pairs.Samples, &c.Samples} {
			to.Columns["rss"] = append(to.Columns["rss"], reporttest.Digits((47+2*rng.Float64())*(1<<20)*(1+0.08*float64(side)), 6))
			to.Columns["hit_rate"] = append(to.Columns["hit_rate"], reporttest.Digits(0.9+0.05*rng.Float64(), 4))
		}
	}
	*c.Summary("rss") = reporttest.Summary("rss", "B", 51.8*(1<<20), 0.01)
	c.Metrics = append(c.Metrics, reporttest.Summary("hit_rate", result.Percent, 0.925, 0.01))
	c.Comparisons = []result.Comparison{
		{Metric: "time", Unit: "s", Change: result.Same, Ratio: 1, Low: reporttest.Ptr(0.99), High: reporttest.Ptr(1.01), Confidence: 0.98, Base: 21e-3, Candidate: 21e-3, Tolerance: 0.03, Pairs: 12, Used: 12, Alpha: 0.01},
		{Metric: "rss", Unit: "B", Change: result.Worse, Ratio: 1.08, Low: reporttest.Ptr(1.05), High: reporttest.Ptr(1.11), Confidence: 0.98, Base: 48 << 20, Candidate: 51.8 * (1 << 20), Tolerance: 0.03, Pairs: 12, Used: 12, Alpha: 0.01},
	}
	reporttest.Judge(c, `not worse(rss, 3%)`, result.Fail, result.FormPairs, "rss is 8% more than that of memory-old")
}

// large is one with more points and arcs than can be drawn.
func large(c *result.Case) {
	rng, p := rand.New(rand.NewPCG(5, 6)), &result.Pegs{Clock: "wall", Iterations: 10, Seconds: 12}
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("stage %03d", i))
	}
	p.Points = reporttest.PointsOf(10, names...)
	seen := map[[2]string]bool{}
	for len(p.Arcs) < 1000 {
		i := rng.IntN(200)
		j := min(199, max(0, i+rng.IntN(9)-2))
		if key := [2]string{names[i], names[j]}; !seen[key] {
			seen[key] = true
			a := reporttest.ArcOf(names[i], names[j], 1+rng.Int64N(40), reporttest.Digits(1e-4*rng.ExpFloat64()*rng.ExpFloat64(), 4))
			a.P50, a.P90, a.P99, a.Histogram = nil, nil, nil, nil
			p.Arcs = append(p.Arcs, a)
		}
	}
	p.Arcs, c.Pegs = reporttest.InOrder(p.Arcs...), p
}

// binned adds a histogram of one bin to arcs with percentiles that have none.
func binned(p *result.Pegs) {
	if p == nil {
		return
	}
	for i := range p.Arcs {
		if a := &p.Arcs[i]; a.P50 != nil && a.Histogram == nil {
			a.Histogram = []result.ArcBin{{a.Min, 2 * a.Max, float64(a.Count)}}
		}
	}
}

// The document of the browser test's page is the recorded one, and it is valid.
func TestTracedIsRecorded(t *testing.T) {
	got, file := render(t, "json", traced(), table.Options{}), "testdata/html/traced.json"
	if golden.Want(t, file, got) != got { // a diff would be thousands of lines
		t.Errorf("%s is not what the test builds", file)
	}
	if _, err := result.Read(strings.NewReader(got)); err != nil {
		t.Error(err)
	}
}

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
	page := render(t, "html", traced(), table.Options{})
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
