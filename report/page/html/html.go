// Package html writes pages that a browser shows. It is the only place that escapes: whatever a
// text contains, no element begins or ends because of it, and it runs and loads nothing. A page is
// complete without its script, and without its style: the colours of drawings are attributes,
// which no content policy forbids.
package html

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/url"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
)

// Page is a file of its own.
type Page struct {
	Title     string
	Generator string
	Kind      page.Line    // above the heading: what kind of page it is, and where it leads
	Top       page.Section // its heading, and what belongs to it
	Blocks    []page.Block
	Foot      page.Line
	Feed      string // address of an Atom feed of what the page shows; empty: none
	Assets    string // the folder of Assets, as the page reaches it; if it is empty, the page contains them
}

var (
	//go:embed style.css
	style string
	//go:embed script.js
	script string
	//go:embed zoom.js
	zoom string
)

// Assets are the files that pages share if they are not alone. Only such pages have drawings with
// Steps, so only they have the script for them.
func Assets() map[string]string {
	return map[string]string{"style.css": style, "script.js": script, "zoom.js": zoom}
}

// Write writes the page.
func (p *Page) Write(to io.Writer) error {
	w := &writer{out: bufio.NewWriterSize(to, 1<<16)}
	w.head(p)
	w.raw("<body>\n<a class=\"skip\" href=\"#main\">to the content</a>\n<header>\n")
	if len(p.Kind) > 0 {
		w.raw(`<p class="kind">`, w.line(p.Kind), "</p>\n")
	}
	w.raw("<h1>", w.isolated(p.Top.Head), "</h1>\n")
	w.blocks(p.Top.Blocks, place{level: 2})
	w.raw("</header>\n<main id=\"main\">\n")
	w.blocks(p.Blocks, place{level: 2})
	w.raw("</main>\n<footer><p>", w.line(p.Foot), "</p></footer>\n")
	if p.Assets == "" {
		w.raw("<script>", script, "</script>\n")
	} else {
		for _, name := range []string{"script.js", "zoom.js"} {
			w.raw(`<script src="`, Escape(p.Assets), name, "\"></script>\n")
		}
	}
	w.raw("</body>\n</html>\n")
	return w.out.Flush()
}

// head writes what is not shown. The content policy allows only the page's own style and script: a
// text that is not escaped by mistake can neither run nor load anything.
func (w *writer) head(p *Page) {
	styles, scripts := "'self'", "'self'"
	link := `<link rel="stylesheet" href="` + Escape(p.Assets) + `style.css">`
	if p.Assets == "" {
		styles, scripts = digest(style), digest(script)
		link = "<style>" + style + "</style>"
	}
	w.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; base-uri 'none'; `,
		"form-action 'none'; style-src ", styles, "; script-src ", scripts, "\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
		"<meta name=\"color-scheme\" content=\"light dark\">\n")
	if p.Generator != "" {
		w.raw(`<meta name="generator" content="`, Escape(p.Generator), "\">\n")
	}
	if p.Feed != "" {
		w.raw(`<link rel="alternate" type="application/atom+xml" title="changes" href="`, Escape(p.Feed), "\">\n")
	}
	w.raw("<title>", Escape(p.Title), "</title>\n<link rel=\"icon\" href=\"data:,\">\n", link, "\n</head>\n")
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

type writer struct {
	out              *bufio.Writer
	tables, drawings int
	sections         int
	heading          string // the ID of the last heading
}

// place is where a block is.
type place struct {
	level  int  // of headings
	inside bool // in a fold or an item
}

func (p place) in() place { return place{p.level, true} }

// Escape makes a text harmless in an element and in an attribute.
func Escape(s string) string { return html.EscapeString(display.Visible(s)) }

// raw writes what is HTML already.
func (w *writer) raw(parts ...string) {
	for _, s := range parts {
		_, _ = w.out.WriteString(s) // Flush returns the error
	}
}

// attribute is an attribute, or nothing if its value is empty.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + Escape(value) + `"`
}

var classes = map[page.Tone]string{page.Good: "good", page.Bad: "bad", page.Doubtful: "doubtful", page.Faint: "faint"}

// classOf is the class of a line whose spans have one tone, empty for any other.
func classOf(l page.Line) string {
	for _, s := range l {
		if s.Tone != l[0].Tone {
			return ""
		}
	}
	if len(l) == 0 {
		return ""
	}
	return classes[l[0].Tone]
}

// line writes spans. The spans of a line of one tone have the colour of whatever contains the line.
func (w *writer) line(l page.Line) string {
	var b strings.Builder
	whole := classOf(l)
	for _, s := range l {
		b.WriteString(span(s, whole))
	}
	return b.String()
}

func span(s page.Span, whole string) string {
	text := Escape(s.Text)
	if s.Code {
		text = "<code>" + text + "</code>"
	}
	text = linked(s.To, text)
	class := classes[s.Tone]
	if class == whole {
		class = ""
	}
	if s.Means != "" {
		text += `<span class="said"> ` + Escape(s.Means) + " </span>"
	}
	if class == "" && s.Means == "" {
		return text
	}
	return "<span" + attribute("class", class) + attribute("title", s.Means) + ">" + text + "</span>"
}

// isolated writes a line whose text is a name: it does not change the direction of what follows.
func (w *writer) isolated(l page.Line) string { return "<bdi>" + w.line(l) + "</bdi>" }

// linked makes a link of what is HTML already, unless there is no address, or one that is not safe
// to follow: a link must not run a script or show a password, wherever its address comes from.
func linked(to, text string) string {
	u, err := url.Parse(to)
	switch {
	case to == "" || err != nil:
		return text
	case u.Scheme == "" && u.Host == "":
		return `<a href="` + Escape(to) + `">` + text + "</a>"
	case page.IsAddress(to):
		return `<a href="` + Escape(to) + `" rel="noreferrer">` + text + "</a>"
	}
	return text
}

// blocks writes blocks. Drawings that follow each other are next to each other if there is room, and
// so are tables in a fold.
func (w *writer) blocks(blocks []page.Block, at place) {
	for i := 0; i < len(blocks); {
		drawings := run[page.Drawing](blocks[i:])
		tables := run[*page.Table](blocks[i:])
		switch {
		case len(drawings) > 0:
			w.raw(`<div class="drawings">`)
			for _, d := range drawings {
				w.drawing(d.Drawing, at)
			}
			w.raw("</div>\n")
		case len(tables) > 0 && at.inside:
			w.raw(`<div class="tables">`)
			for _, t := range tables {
				w.table(t, at)
			}
			w.raw("</div>\n")
		default:
			w.block(blocks[i], at)
			i++
		}
		i += len(drawings)
		if at.inside {
			i += len(tables)
		}
	}
}

// run is the blocks of one type that come first.
func run[T page.Block](blocks []page.Block) (all []T) {
	for _, b := range blocks {
		one, ok := b.(T)
		if !ok {
			break
		}
		all = append(all, one)
	}
	return all
}

func (w *writer) block(b page.Block, at place) {
	switch b := b.(type) {
	case page.Section:
		w.section(b, at)
	case page.Paragraph:
		w.paragraphs(b)
	case page.List:
		w.list(b, at)
	case page.Brief:
		w.raw(`<p class="faint">`, Escape(strings.Join(b, " · ")), "</p>\n")
	case page.Facts:
		w.raw(`<dl class="facts">`)
		for _, f := range b {
			w.raw("<div><dt>", Escape(f[0]), "</dt><dd><bdi>", Escape(f[1]), "</bdi></dd></div>")
		}
		w.raw("</dl>\n")
	case *page.Table:
		w.table(b, at)
	case page.Figure:
		w.raw("<figure><figcaption>", w.line(b.Caption), "</figcaption>", curve(b.Values), "</figure>\n")
	case page.Bars:
		w.bars(b, at)
	case page.Fold:
		w.fold(b, at)
	case page.Source:
		text := strings.Join(display.VisibleLines(string(b)), "\n")
		w.raw(`<pre tabindex="0" role="group" aria-label="as it was written">`, html.EscapeString(text), "</pre>\n")
	case page.Listing:
		w.raw(`<ol class="lines" tabindex="0" aria-label="lines">`)
		for _, l := range b {
			w.raw("<li", attribute("id", l.ID), attribute("class", classes[l.Tone]), "><code>",
				Escape(l.Text), "</code></li>")
		}
		w.raw("</ol>\n")
	}
}

// section writes a section. What follows pictures in one that is folded is next to them.
func (w *writer) section(s page.Section, at place) {
	if len(s.Head) == 0 {
		w.blocks(s.Blocks, at)
		return
	}
	id := s.ID
	if id == "" {
		w.sections++
		id = fmt.Sprintf("section-%d", w.sections)
	}
	w.heading = id
	element := "div" // sections inside of others are no landmarks
	if at.level == 2 {
		element = "section"
		w.raw(`<section aria-labelledby="`, Escape(id), "\">\n")
	} else {
		w.raw("<div class=\"part\">\n")
	}
	w.raw(fmt.Sprintf(`<h%d id="%s">`, at.level, Escape(id)), w.isolated(s.Head), fmt.Sprintf("</h%d>\n", at.level))
	pictures := len(run[page.Drawing](s.Blocks))
	inner := place{at.level + 1, at.inside}
	if at.inside && pictures > 0 && pictures < len(s.Blocks) {
		w.raw(`<div class="beside">`)
		w.blocks(s.Blocks[:pictures], inner)
		w.raw("<div>")
		w.blocks(s.Blocks[pictures:], inner)
		w.raw("</div></div>")
	} else {
		w.blocks(s.Blocks, inner)
	}
	w.raw("</", element, ">\n")
}

func (w *writer) paragraphs(lines []page.Line) {
	for _, l := range lines {
		w.raw("<p", attribute("class", classOf(l)), ">", w.line(l), "</p>\n")
	}
}

// list writes items that need attention as cards, and the others as a list.
func (w *writer) list(items page.List, at place) {
	for len(items) > 0 {
		isCard := items[0].Mark.Tone != page.Plain
		n := slices.IndexFunc(items, func(i page.Item) bool { return (i.Mark.Tone != page.Plain) != isCard })
		if n < 0 {
			n = len(items)
		}
		if isCard {
			for _, item := range items[:n] {
				w.card(item, at)
			}
		} else {
			w.raw("<ul", attribute("class", map[bool]string{true: "marked"}[items[0].Mark.Text != ""]), ">")
			for _, item := range items[:n] {
				w.item(item, at)
			}
			w.raw("</ul>\n")
		}
		items = items[n:]
	}
}

func (w *writer) card(item page.Item, at place) {
	w.raw(`<article class="card `, classes[item.Mark.Tone], `"`, attribute("id", item.ID), ">\n")
	mark := item.Mark
	mark.Tone = page.Plain
	w.raw(fmt.Sprintf(`<h%d><span class="mark">`, at.level), w.line(page.Line{mark}), "</span> ")
	if len(item.Lines) > 0 {
		w.raw(w.isolated(item.Lines[0]))
	}
	w.raw(fmt.Sprintf("</h%d>\n", at.level))
	w.paragraphs(item.Lines[min(1, len(item.Lines)):])
	w.blocks(item.Blocks, place{at.level + 1, true})
	w.raw("</article>\n")
}

func (w *writer) item(item page.Item, at place) {
	w.raw("<li", attribute("id", item.ID))
	if len(item.Lines) > 0 {
		w.raw(attribute("class", classOf(item.Lines[0])))
	}
	w.raw(">")
	if item.Mark.Text != "" {
		w.raw(`<span class="mark">`, w.line(page.Line{item.Mark}), "</span> ")
	}
	for i, l := range item.Lines {
		if i == 0 {
			w.raw(w.isolated(l))
		} else {
			w.paragraphs([]page.Line{l})
		}
	}
	w.blocks(item.Blocks, at.in())
	w.raw("</li>")
}

func (w *writer) fold(f page.Fold, at place) {
	class := "card " + classes[f.Tone]
	if at.inside {
		class = "more"
	}
	w.raw("<details", attribute("class", strings.TrimSpace(class)))
	if f.Open {
		w.raw(" open")
	}
	w.raw("><summary>")
	for _, s := range f.Summary {
		w.raw("<span",
			attribute("class", strings.TrimSpace(classes[s.Tone]+map[bool]string{true: " sign"}[s.Means != ""])),
			attribute("title", s.Means), "><bdi>")
		s.Tone = page.Plain
		w.raw(span(page.Span{Text: s.Text, Code: s.Code}, ""), "</bdi>")
		if s.Means != "" {
			w.raw(`<span class="said"> `, Escape(s.Means), " </span>")
		}
		w.raw("</span>")
	}
	w.raw(`</summary><div class="inside"`, attribute("id", f.ID), ">\n")
	w.blocks(f.Blocks, at.in())
	w.raw("</div></details>\n")
}

// bars writes counts as a table, with a bar in each row.
func (w *writer) bars(b page.Bars, at place) {
	t := &page.Table{Caption: b.Caption, Columns: page.Heads("", "", "")}
	most := 1
	for _, r := range b.Rows {
		most = max(most, r.Count)
	}
	for _, r := range b.Rows {
		if r.Limit != "" {
			t.Add("", "", r.Limit)
		}
		bar := strings.Repeat("█", (40*r.Count+most-1)/most)
		t.Add(r.Label, fmt.Sprint(r.Count), strings.TrimSpace(bar+" "+strings.Join(r.Notes, "  ")))
	}
	w.table(t, at)
}
