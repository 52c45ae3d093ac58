package html

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
	"example.com/suite/report/page/html"
)

// feedFile is the feed of a site, next to its index.
const feedFile = "feed.atom"

// The elements of an Atom feed (RFC 4287).
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Title   harmless    `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Author  harmless    `xml:"author>name"`
		Tool    string      `xml:"generator"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr,omitempty"`
		To   string `xml:"href,attr"`
		Type string `xml:"type,attr,omitempty"`
	}
	atomEntry struct {
		Title   harmless    `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Link    atomLink    `xml:"link"`
		Content atomContent `xml:"content"`
	}
	atomContent struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

// harmless is a text that is not part of a page, whose writer would escape it. It is written without
// control characters.
type harmless string

func (h harmless) String() string { return display.Visible(string(h)) }

// MarshalText returns what is written in XML.
func (h harmless) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// feed has an entry for each commit at which cases changed, the newest first, at most mostChanged. Its time is the one
// of the newest, so that the same history makes the same feed.
func (s *Site) feed(cases []siteCase) ([]byte, error) {
	all := s.changed(cases)
	all = all[:min(len(all), mostChanged)]
	updated := s.Made
	if len(all) > 0 {
		updated = all[0].point.When
	}
	f := atomFeed{Title: harmless(s.Name + ": benchmarks that changed"), ID: "urn:suite:" + urn(s.Name),
		Updated: atomTime(updated),
		Author:  harmless(s.Name), Tool: s.Tool,
		Links: []atomLink{{"self", feedFile, "application/atom+xml"}, {"alternate", "index.html", "text/html"}}}
	known := map[string]bool{}
	for _, c := range all {
		e := c.entry(f.ID)
		for known[e.ID] { // of the same commit: some of its changes are acknowledged
			e.ID += ":more"
		}
		known[e.ID] = true
		f.Entries = append(f.Entries, e)
	}
	text, err := xml.MarshalIndent(f, "", " ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// entry names the worst change in its title, and lists all in its text.
func (c *changed) entry(feed string) atomEntry {
	worst, name := &c.changes[0], display.Commit(c.point.Commit)
	title := worst.of.name + " " + worst.Percent()
	if more := len(c.changes) - 1; more > 0 {
		title += fmt.Sprintf(" and %d more", more)
	}
	to := worst.of.page
	if page.IsAddress(c.point.Page) {
		to = c.point.Page
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<p>%s, %s</p>\n", html.Escape(cmp.Or(name, "unknown commit")), html.Escape(byline(c.point)))
	if c.acknowledged != nil {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.Escape(c.acknowledged.String()))
	}
	if to := rangeOf(c.last, c.point); page.IsAddress(to) {
		fmt.Fprintf(&b, "<p><a href=%q>compare with %s</a></p>\n", html.Escape(to),
			html.Escape(display.Commit(c.last.Commit)))
	}
	b.WriteString("<ul>\n")
	for i := range c.changes {
		one := &c.changes[i]
		fmt.Fprintf(&b, "<li><a href=%q>%s</a>: %s %s, %s</li>\n", one.of.page, html.Escape(one.of.name),
			html.Escape(one.in.Metric), one.Percent(), one.levels())
	}
	b.WriteString("</ul>\n")
	if c.point.Subject != "" {
		title += ": " + c.point.Subject
	}
	id := feed + ":" + cmp.Or(urn(c.point.Commit), fmt.Sprint(c.point.When.Unix()))
	if c.acknowledged != nil {
		title += " (acknowledged)"
	}
	return atomEntry{Title: harmless(title), ID: id, Updated: atomTime(c.point.When),
		Link: atomLink{"alternate", to, "text/html"}, Content: atomContent{"html", b.String()}}
}

func atomTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// urn is a text as a part of a URN.
func urn(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, text)
}
