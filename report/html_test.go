package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/html"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// pages are the recorded documents, and those with every drawing.
func pages(t testing.TB) map[string]*result.Document {
	docs := recorded(t)
	docs["gallery"], docs["traced"] = reporttest.Gallery(), reporttest.Traced()
	return docs
}

// The content of a page is what its golden file has as text: blocks, with what is folded.
func TestHTMLGolden(t *testing.T) {
	docs := pages(t)
	for _, name := range []string{"gallery", "traced", "compared"} {
		p := html.PageOf(docs[name], table.Options{})
		var b strings.Builder
		if err := text.Write(&b, append([]page.Block{p.Top}, p.Blocks...), text.Options{All: true}); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, "testdata/html/"+name+".txt", b.String())
	}
}

// No page contains anything that a content policy forbids or that uses the network,
// and repeated parts are in one place.
func TestPagesNeedNothing(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i) style="|<script src|<link rel="?stylesheet|@import|url\(|<iframe| on[a-z]+="|https?://|ZgotmplZ`)
	for name, doc := range pages(t) {
		page := render(t, "html", doc, table.Options{})
		if found := forbidden.FindString(page); found != "" {
			t.Errorf("%s: the page holds %q", name, found)
		}
		if strings.Contains(page, "<path  d=") || strings.Contains(page, "<g >") {
			t.Errorf("%s: a mark has no colour", name)
		}
		seen := map[string]bool{}
		for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("%s: two elements have the id %q", name, id[1])
			}
			seen[id[1]] = true
		}
		for _, to := range regexp.MustCompile(` href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !seen[to[1]] {
				t.Errorf("%s: a link leads to #%s, which is nowhere", name, to[1])
			}
		}
	}
}

// The digests of the policy fit the style and the script on the page.
func TestPolicyLetsThePageItself(t *testing.T) {
	page := render(t, "html", recorded(t)["one"], table.Options{})
	for _, tag := range []string{"style", "script"} {
		body := regexp.MustCompile(`(?s)<` + tag + `>(.*?)</` + tag + `>`).FindStringSubmatch(page)
		if body == nil {
			t.Fatalf("no %s", tag)
		}
		sum := sha256.Sum256([]byte(body[1]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(page, want) {
			t.Errorf("the policy forbids the %s of the page", tag)
		}
	}
}

// A case that broke has no time to be sorted by: it is not the quickest of all.
func TestBrokenCasesAreNotSortedByTime(t *testing.T) {
	doc := reporttest.Document("d")
	reporttest.Measure(doc, "whole", 1e-3, 0.01)
	reporttest.Breakdown(reporttest.Measure(doc, "crashed", 1e-3, 0.01), result.Failure{Phase: "run", Cause: "crash", Message: "signal: killed"})
	page := render(t, "html", doc, table.Options{})
	_, row, _ := strings.Cut(page, "<bdi>crashed</bdi></a></th>")
	row, _, _ = strings.Cut(row, "</tr>")
	if !strings.Contains(row, ">crash</td>") || strings.Contains(row, "data-k") {
		t.Errorf("the row of a case that broke is %s", row)
	}
}

// Whatever a name, a message or a parameter contains, it is text on the page: no
// element begins or ends because of it, and it does not change the direction of the
// text after it.
func FuzzHTML(f *testing.F) {
	for _, s := range []string{`"><script>alert(1)</script>`, "]]>", "</title>", "--><b>", "\x1b[31m", "\u202e", "a\x00b", "\xff", "{{.}}", "' onload='x", "</svg>", "עברית", "👩‍🚀"} {
		f.Add(s)
	}
	doc := reporttest.Document("plain")
	c := reporttest.Measure(doc, "plain", 1e-3, 0.01)
	reporttest.Judge(c, "plain", result.Fail, result.FormInterval, "plain")
	plain := elements(render(f, "html", doc, table.Options{}))
	f.Fuzz(func(t *testing.T, s string) {
		if strings.TrimSpace(s) == "" {
			return
		}
		doc := reporttest.Document("plain")
		c := reporttest.Measure(doc, "plain", 1e-3, 0.01)
		c.Name, c.Identity.Function = s, s // the same samples
		reporttest.Judge(c, s, result.Fail, result.FormInterval, s)
		page := render(t, "html", doc, table.Options{})
		if got := elements(page); got != plain {
			t.Errorf("%q changes the elements of the page:\n%s", s, cmp.Diff(plain, got))
		}
		if strings.ContainsAny(page, "\x00\x1b\u202e\u2066") {
			t.Errorf("%q stands on the page as it is", s)
		}
	})
}

// elements lists the tags of a page in order. It is written by hand because a regular
// expression takes ten times as long for 10,000 pages.
func elements(page string) string {
	var tags strings.Builder
	for {
		at := strings.IndexByte(page, '<')
		if at < 0 {
			return tags.String()
		}
		page = page[at:]
		end := strings.IndexAny(page, " >\n")
		tags.WriteString(page[:max(1, end)] + "\n")
		page = page[1:]
	}
}

// The limits of a page: cases with drawings, rows that are unfolded at first, metrics of
// a case with drawings, and lines of suite files.
const (
	mostCases          = 150
	mostRows           = 500
	mostMetricDrawings = 200
	mostLines          = 6000
)

// A page of 10,000 cases names the number of drawn ones, and has a row for each case.
func TestHTMLOfManyCases(t *testing.T) {
	page := render(t, "html", reporttest.Many(1000, 12), table.Options{})
	if n := strings.Count(page, "<th scope=\"row\"><a href=\"#case-"); n != mostCases {
		t.Errorf("%d rows lead to drawings, want %d", n, mostCases)
	}
	_, each, _ := strings.Cut(page, `<h2 id="each">`)
	if n := strings.Count(each, `<details class="card`); n != mostCases {
		t.Errorf("%d cases are drawn, want %d", n, mostCases)
	}
	if !strings.Contains(page, "150 of 1000 cases are drawn") {
		t.Error("the page does not say that cases are left out")
	}
	if n := strings.Count(page, `<th scope="row">`); n < 1000 {
		t.Errorf("%d rows", n)
	}
}

// The aim is under 1 s and 300 MB for 10,000 cases of 30 samples.
func BenchmarkHTML(b *testing.B) {
	doc := reporttest.Many(10000, 30)
	runtime.GC()
	b.ReportAllocs()
	for b.Loop() {
		var size counter64
		if err := Render(&size, "html", doc, table.Options{}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(size), "page-bytes")
	}
}

type counter64 int64

func (c *counter64) Write(p []byte) (int, error) { *c += counter64(len(p)); return len(p), nil }

var _ io.Writer = (*counter64)(nil)

// A page is well closed: the browser does not have to guess.
func TestElementsAreClosed(t *testing.T) {
	void := map[string]bool{"meta": true, "link": true, "input": true, "br": true}
	tag := regexp.MustCompile(`<(/?)([a-zA-Z][a-zA-Z0-9]*)[^>]*?(/?)>`)
	for name, doc := range pages(t) {
		page := []byte(render(t, "html", doc, table.Options{}))
		for _, block := range []string{"style", "script"} {
			page = regexp.MustCompile(`(?s)<`+block+`>.*?</`+block+`>`).ReplaceAll(page, nil)
		}
		var open []string
		for _, m := range tag.FindAllSubmatch(bytes.TrimPrefix(page, []byte("<!DOCTYPE html>")), -1) {
			switch element := string(m[2]); {
			case void[element] || len(m[3]) > 0:
			case len(m[1]) == 0:
				open = append(open, element)
			case len(open) == 0 || open[len(open)-1] != element:
				t.Fatalf("%s: </%s> closes %q", name, element, open)
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: %q are never closed", name, open)
		}
	}
}
