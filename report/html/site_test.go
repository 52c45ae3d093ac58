package html

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

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
	return written(t, s.casePage(&s.cases()[0]))
}

func namesIn(page string) (names []string) {
	for _, m := range regexp.MustCompile(`href="case/[^"]*">(?:<bdi>)?([^<]*)`).FindAllStringSubmatch(page, -1) {
		names = append(names, m[1])
	}
	return names
}

// A commit has one group of rows, which lists its cases, the worst first and folded if there are many.
func TestACommitHasOneGroup(t *testing.T) {
	changes := map[string]float64{"better": -0.5, "C10": 0, "C2": 0}
	for i := range 8 {
		changes[fmt.Sprint("worse ", i)] = 1 - float64(i)/10
	}
	page := indexOf(t, history(changes))
	moved, cases, _ := strings.Cut(page, `<section aria-labelledby="suite-1">`)
	if n := strings.Count(moved, `scope="rowgroup" rowspan="5"`); n != 1 {
		t.Errorf("%d groups", n)
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
			link := regexp.MustCompile(`<a href="` + regexp.QuoteMeta(address) + `" rel="noreferrer"><(code|bdi)>bbbbbbbbbb</`)
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
	for _, head := range []string{"subject", "machine"} {
		if strings.Contains(page, `<th scope="col">`+head) {
			t.Errorf("there is an empty column %s", head)
		}
	}
	one := &s.Series[0]
	one.Points[1].Subject, one.Points[1].Machine = "faster", 1
	one.Machines = append(one.Machines, "n")
	page = pageOf(t, s)
	for _, want := range []string{`<th scope="col">subject</th>`, "<td>faster</td>", `<th scope="col">machine</th>`, "<td>n</td>"} {
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
