package html

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/suite/report/page"
)

// A feed has an entry for each commit with changes, the newest first, with the worst change in its title. Names are text in
// it, whatever they contain, and only addresses of the web are followed.
func TestFeedOfChanges(t *testing.T) {
	s := history(map[string]float64{"a <b> & \x1b]c": 0.5, "faster": -0.25, "same": 0})
	for i := range s.Series {
		p := &s.Series[i].Points[1]
		p.Subject, p.Page = "more <checks>", "javascript:alert(1)"
	}
	text, err := s.feed(s.cases())
	if err != nil {
		t.Fatal(err)
	}
	var got atomFeed
	if err := xml.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if got.ID != "urn:suite:project" || got.Updated != "2025-01-02T00:00:00Z" || len(got.Entries) != 1 {
		t.Fatalf("%+v", got)
	}
	want := atomEntry{
		Title: `a <b> & \x1b]c +50.0% and 1 more: more <checks>`, ID: "urn:suite:project:" + strings.Repeat("b", 40), Updated: "2025-01-02T00:00:00Z",
		Link: atomLink{"alternate", "case/s-a--b------c.html", "text/html"},
		Content: atomContent{"html", "<p>bbbbbbbbbb, 2 Jan 2025</p>\n<ul>\n<li><a href=\"case/s-a--b------c.html\">a &lt;b&gt; &amp; \\x1b]c</a>: time +50.0%, 1 s → 1.5 s</li>\n" +
			"<li><a href=\"case/s-faster.html\">faster</a>: time −25.0%, 1 s → 750 ms</li>\n</ul>\n"},
	}
	if got.Entries[0] != want {
		t.Errorf("got\n%+v\nwant\n%+v", got.Entries[0], want)
	}
	s.Series[0].Points[1].Page, s.Series[1].Points[1].Page, s.Series[2].Points[1].Page = "https://x.example/c", "https://x.example/c", "https://x.example/c"
	again, err := s.feed(s.cases())
	if err != nil || !strings.Contains(string(again), `<link rel="alternate" href="https://x.example/c"`) {
		t.Errorf("%v, no link to the commit in\n%s", err, again)
	}
	quiet := history(map[string]float64{"same": 0})
	if text, err := quiet.feed(quiet.cases()); err != nil || strings.Contains(string(text), "<entry>") || !strings.Contains(string(text), "<updated>2026-01-01T00:00:00Z</updated>") {
		t.Errorf("%v\n%s", err, text)
	}
}

// A badge is well-formed whatever a name contains, is as wide as its text, and says in words what its colour means.
func TestBadges(t *testing.T) {
	for what, c := range map[string]struct {
		changes map[string]float64
		value   string
		tone    page.Tone
	}{
		"none":   {map[string]float64{"a": 0, "b": 0}, "2 cases, none changed", page.Plain},
		"worse":  {map[string]float64{"a": 0.5, "b": 0.25, "c": -0.5}, "2 slower, 1 faster", page.Bad},
		"better": {map[string]float64{"a": -0.5, "b": 0}, "1 faster", page.Good},
	} {
		s := history(c.changes)
		if got := s.badge(s.cases()); string(got.value) != c.value || got.tone != c.tone {
			t.Errorf("%s: %+v", what, got)
		}
	}
	s := history(map[string]float64{`<a> & "b" 日本`: 0.5})
	one := s.cases()[0].badge()
	if one.value != "1.5 s, +50.0%" || one.tone != page.Bad {
		t.Errorf("%+v", one)
	}
	var svg struct {
		Width float64 `xml:"width,attr"`
		Label string  `xml:"aria-label,attr"`
		Title string  `xml:"title"`
		Rects []struct {
			X     float64 `xml:"x,attr"`
			Width float64 `xml:"width,attr"`
			Fill  string  `xml:"fill,attr"`
		} `xml:"g>rect"`
		Texts []string `xml:"g>text"`
	}
	text := one.svg()
	if err := xml.Unmarshal(text, &svg); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if want := `<a> & "b" 日本: 1.5 s, +50.0%`; svg.Label != want || svg.Title != want || len(svg.Texts) != 2 || len(svg.Rects) != 2 {
		t.Fatalf("%+v", svg)
	}
	if svg.Rects[1].X != svg.Rects[0].Width || svg.Width != svg.Rects[0].Width+svg.Rects[1].Width || svg.Rects[1].Fill != badgeColours[page.Bad] {
		t.Errorf("%+v", svg)
	}
}

func TestFeedOfOneCommitWithoutHash(t *testing.T) {
	s := history(map[string]float64{"a": 0.5})
	s.Series[0].Points[1].Commit = ""
	text, err := s.feed(s.cases())
	at := time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC).Unix()
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("<id>urn:suite:project:%d</id>", at)) {
		t.Errorf("%v\n%s", err, text)
	}
}
