package html

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/trend"
	"example.com/suite/report/page/html"
	"example.com/suite/result"
)

// history is a site of cases of two commits, each changed by a share at the second one.
func history(changes map[string]float64) *Site {
	site := &Site{Name: "project", Made: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for name, change := range changes {
		s := trend.Series{Suite: "s", Case: name, Metric: "time", Unit: "s", Better: result.Lower, Machines: []string{"m"}}
		for i, value := range []float64{1, 1 + change} {
			s.Points = append(s.Points, trend.Point{Commit: strings.Repeat(string(rune('a'+i)), 40), When: time.Date(2025, 1, 1+i, 0, 0, 0, 0, time.UTC), Value: value})
		}
		if change != 0 {
			s.Changes = []trend.Change{{At: 1, Last: 0, Before: 1, After: 1 + change, Worse: change > 0}}
		}
		site.Series = append(site.Series, s)
	}
	return site
}

func written(t *testing.T, p *html.Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func indexOf(t *testing.T, s *Site) string {
	t.Helper()
	return written(t, s.index(s.cases()))
}

func pageOf(t *testing.T, s *Site) string {
	t.Helper()
	cases := s.cases()
	return written(t, s.casePage(&cases[0], s.changed(cases)))
}

func namesIn(page string) (names []string) {
	for _, m := range regexp.MustCompile(`href="case/[^"]*">(?:<bdi>)?([^<]*)`).FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	return names
}

// A commit has one card, which lists its cases, the worst first and folded if there are many.
func TestACommitHasOneCard(t *testing.T) {
	changes := map[string]float64{"better": -0.5, "C10": 0, "C2": 0}
	for i := range 8 {
		changes[fmt.Sprint("worse ", i)] = 1 - float64(i)/10
	}
	_, page, _ := strings.Cut(indexOf(t, history(changes)), "</header>")
	moved, cases, _ := strings.Cut(page, `<section aria-labelledby="suite-1">`)
	if n := strings.Count(moved, `<article class="card bad" id="at-bbbbbbbbbb">`); n != 1 || !strings.Contains(moved, ">8 worse, 1 better</span>") {
		t.Errorf("%d cards in %s", n, moved)
	}
	worst := "worse 0 worse 1 worse 2 worse 3 worse 4 worse 5 worse 6 worse 7 better"
	if got := strings.Join(namesIn(moved), " "); got != worst {
		t.Errorf("listed: %s", got)
	}
	if _, folded, _ := strings.Cut(moved, "<bdi>4 more</bdi></span></summary>"); len(namesIn(folded)) != 4 {
		t.Errorf("folded: %s", namesIn(folded))
	}
	if got := strings.Join(namesIn(cases), " "); got != worst+" C2 C10" {
		t.Errorf("cases: %s", got)
	}
}

// The index begins with how many cases changed, since when, and who made the commit.
func TestTheIndexBeginsWithTheAnswer(t *testing.T) {
	s := history(map[string]float64{"a": 0.5, "b": -0.25, "c": 0})
	for i := range s.Series {
		s.Series[i].Points[1].Author, s.Series[i].Points[1].Subject = "Ada", "parse twice"
	}
	want := `2 Jan 2025: parse twice`
	page := indexOf(t, s)
	head, _, _ := strings.Cut(page, "</header>")
	for _, want := range []string{"1 slower, 1 faster", `The worst is <a href="case/s-a.html">a</a>, +50.0%.`, `<a href="#at-bbbbbbbbbb">bbbbbbbbbb</a>, Ada, ` + want} {
		if !strings.Contains(head, want) {
			t.Errorf("no %q in %s", want, head)
		}
	}
	if !strings.Contains(page, `id="at-bbbbbbbbbb"`) {
		t.Error("the link leads nowhere")
	}
	if n := strings.Count(page, ">2 Jan 2025, Ada</td>"); n != 2 {
		t.Errorf("%d cases have changed since", n)
	}
}

// A change that is acknowledged is apart, with its reason, and is not counted; a change of the same commit that is open stays.
func TestAcknowledgedChanges(t *testing.T) {
	s := history(map[string]float64{"known": 0.5, "open": 0.25})
	for i := range s.Series {
		if s.Series[i].Case == "known" {
			s.Series[i].Changes[0].Acknowledged = &trend.Acknowledged{Reason: "bought by <safer> checks", At: "2025-01-03 by ada", Place: diag.Place{File: "accept.yaml", Line: 3, Col: 3}}
		}
	}
	const reason = "acknowledged: bought by &lt;safer&gt; checks (2025-01-03 by ada, accept.yaml:3:3)"
	_, page, _ := strings.Cut(indexOf(t, s), "<header>")
	open, known, folded := strings.Cut(page, "<bdi>1 acknowledged</bdi>")
	if !folded || strings.Contains(open, reason) || !strings.Contains(known, reason) || !strings.Contains(open, ">1 slower, 1 acknowledged<") {
		t.Errorf("index: %s", page)
	}
	if strings.Join(namesIn(open), " ") != "open open" || strings.Join(namesIn(known), " ") != "known open known" {
		t.Errorf("open: %s; acknowledged, and cases: %s", namesIn(open), namesIn(known))
	}
	if !strings.Contains(known, ">~+50.0%<") || !strings.Contains(known, "~ acknowledged") {
		t.Errorf("cases: %s", known)
	}
	if badge := s.badge(s.cases()); badge.value != "1 slower, 1 acknowledged" {
		t.Errorf("badge: %s", badge.value)
	}
	for _, c := range s.cases() {
		badge, page := c.badge(), written(t, s.casePage(&c, s.changed(s.cases())))
		if want := map[string]string{"known": "1.5 s, +50.0%, acknowledged", "open": "1.25 s, +25.0%"}[c.name]; string(badge.value) != want {
			t.Errorf("badge of %s: %s", c.name, badge.value)
		}
		if strings.Contains(page, reason) != (c.name == "known") || strings.Contains(page, `<article class="card bad"`) != (c.name == "open") {
			t.Errorf("page of %s: %s", c.name, page)
		}
	}
	feed, err := s.feed(s.cases())
	text := string(feed)
	if err != nil || strings.Count(text, "<entry>") != 2 || strings.Count(text, "(acknowledged)</title>") != 1 || !strings.Contains(text, "bought by &amp;lt;safer&amp;gt; checks") {
		t.Errorf("%v: %s", err, text)
	}
	if ids := regexp.MustCompile(`<id>[^<]*</id>`).FindAllString(text, -1); len(ids) != 3 || ids[1] == ids[2] {
		t.Errorf("ids: %s", ids)
	}
}

// The commits to compare are all since the earliest that one of the cases was measured at, and a case has changed since its
// newest change that is open, if there is one.
func TestSinceWhen(t *testing.T) {
	s := history(map[string]float64{"a": 0.5, "b": 0.25})
	address := "https://example.com/o/r/commit/"
	for i := range s.Series {
		one := &s.Series[i]
		first := one.Points[0]
		first.When = first.When.AddDate(0, 0, -1)
		first.Commit = strings.Repeat("0", 40)
		one.Points = append([]trend.Point{first}, one.Points...)
		one.Changes[0].At, one.Changes[0].Last = 2, 1
		one.Points[2].Page = address + one.Points[2].Commit
	}
	s.Series[1].Changes[0].Last = 0
	if page := indexOf(t, s); !strings.Contains(page, `compare/`+strings.Repeat("0", 40)+"..."+strings.Repeat("b", 40)) || strings.Contains(page, "compare/aaa") {
		t.Errorf("the wrong commits are compared: %s", page)
	}
	one := &s.Series[0]
	one.Changes = []trend.Change{{At: 1, Last: 0, Before: 1, After: 2}, {At: 2, Last: 1, Before: 2, After: 3, Acknowledged: &trend.Acknowledged{}}}
	if got := since(one).Text; got != "1 Jan 2025" {
		t.Errorf("open since %s", got)
	}
	one.Changes[0].Acknowledged = &trend.Acknowledged{}
	if got := since(one).Text; got != "2 Jan 2025" {
		t.Errorf("known since %s", got)
	}
}

// Forges compare two commits on a page next to the pages of commits.
func TestRangesToCompare(t *testing.T) {
	from, to := strings.Repeat("a", 40), strings.Repeat("b", 40)
	for address, want := range map[string]string{
		"https://github.com/o/r/commit/" + to:      "https://github.com/o/r/compare/" + from + "..." + to,
		"https://codeberg.org/o/r/commit/" + to:    "https://codeberg.org/o/r/compare/" + from + "..." + to,
		"https://gitlab.com/g/s/r/-/commit/" + to:  "https://gitlab.com/g/s/r/-/compare/" + from + "..." + to,
		"https://bitbucket.org/o/r/commits/" + to:  "",
		"https://git.sr.ht/~o/r/commit/" + to:      "",
		"https://example.com/?id=" + to:            "",
		"https://github.com/o/r/commit/" + to[:10]: "",
		"http://github.com/o/r/commit/" + to:       "",
		"":                                         "",
	} {
		if got := rangeOf(&trend.Point{Commit: from}, &trend.Point{Commit: to, Page: address}); got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
	if got := rangeOf(&trend.Point{}, &trend.Point{Commit: to, Page: "https://github.com/o/r/commit/" + to}); got != "" {
		t.Errorf("from nothing: %q", got)
	}
}

// Commits lead to their pages, but only to addresses that neither run a script nor show a
// password.
func TestCommitsLeadToTheirPages(t *testing.T) {
	for address, want := range map[string]bool{
		"https://example.com/p/commit/bb": true, "": false, "javascript:alert(1)": false, " javascript:alert(1)": false, "http://example.com/": false,
		"https:alert(1)": false, "//example.com/": false, "data:text/html,x": false, "https://me:secret@example.com/": false, "https://example.com/\x1b": false,
	} {
		s := history(map[string]float64{"a": 1})
		s.Series[0].Points[1].Page = address
		for _, page := range []string{indexOf(t, s), pageOf(t, s)} {
			link := regexp.MustCompile(`<a href="` + regexp.QuoteMeta(address) + `" rel="noreferrer">(<bdi>)?bbbbbbbbbb</`)
			if link.MatchString(page) != want || strings.Contains(page, `rel="noreferrer"`) != want {
				t.Errorf("%q: want a link: %v", address, want)
			}
		}
	}
}

// A column is there only if it has something to show.
func TestEmptyColumnsAreNotShown(t *testing.T) {
	s := history(map[string]float64{"a": 1})
	page := pageOf(t, s)
	if strings.Contains(page, `<th scope="col">machine`) {
		t.Error("there is an empty column")
	}
	one := &s.Series[0]
	one.Points[1].Subject, one.Points[1].Machine = "faster", 1
	one.Machines = append(one.Machines, "n")
	page = pageOf(t, s)
	for _, want := range []string{"bbbbbbbbbb faster</bdi>", `<th scope="col">machine</th>`, "<td>n</td>"} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %s", want)
		}
	}
}

// Nothing is said to be unchanged that had no chance to be seen changing.
func TestTooFewCommitsAreNoLevel(t *testing.T) {
	site := history(map[string]float64{"a": 0})
	if page := indexOf(t, site); !strings.Contains(page, `<p>Too early to find changes: no case has 14 commits on one machine yet, which a change needs at least.</p>`) {
		t.Errorf("two commits: %s", page)
	}
	points := &site.Series[0].Points
	for len(*points) < 14 {
		*points = append(*points, (*points)[0])
	}
	if page := indexOf(t, site); !strings.Contains(page, `<p>No case has changed its level.</p>`) {
		t.Errorf("14 commits: %s", page)
	}
}
