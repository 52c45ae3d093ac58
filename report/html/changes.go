package html

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

const (
	mostChanged = 50 // commits with changes that the index lists
	mostListed  = 5  // changes of one of them that are unfolded
	mostRecent  = 5  // commits that are unfolded
)

// changed is a commit at which cases changed: the changes that are open, or those that people have
// acknowledged for one reason.
type changed struct {
	point        *trend.Point
	last         *trend.Point        // the earliest of the last commits before it, of all changes
	acknowledged *trend.Acknowledged // nil: open
	changes      []change            // worst first
}

// change is a change of a case at a commit.
type change struct {
	of *siteCase
	in *trend.Series
	*trend.Change
}

func (c *change) tone() page.Tone {
	switch {
	case c.Acknowledged != nil:
		return page.Faint
	case c.Worse:
		return page.Bad
	}
	return page.Good
}

func (c *change) levels() string {
	return units.Format(c.Before, c.in.Unit) + " → " + units.Format(c.After, c.in.Unit)
}

// changed lists the commits at which cases changed, the newest first.
func (s *Site) changed(cases []siteCase) (all []*changed) {
	type key struct {
		commit, reason string
		when           time.Time
	}
	known := map[key]*changed{}
	for i := range cases {
		for _, one := range cases[i].series {
			for k := range one.Changes {
				c := change{&cases[i], one, &one.Changes[k]}
				p, last := &one.Points[c.At], &one.Points[c.Last]
				at := key{commit: p.Commit, when: p.When}
				if c.Acknowledged != nil {
					at.reason = c.Acknowledged.Reason
				}
				here := known[at]
				if here == nil {
					here = &changed{point: p, last: last, acknowledged: c.Acknowledged}
					known[at] = here
					all = append(all, here)
				}
				if last.When.Before(here.last.When) {
					here.last = last
				}
				here.changes = append(here.changes, c)
			}
		}
	}
	for _, c := range all {
		slices.SortStableFunc(c.changes, func(a, b change) int { return cmp.Compare(b.Badness(), a.Badness()) })
	}
	slices.SortStableFunc(all, func(a, b *changed) int { return b.point.When.Compare(a.point.When) })
	return all
}

// id is the ID of the commit on the index.
func (c *changed) id() string {
	kind := "at"
	if c.acknowledged != nil {
		kind = "known"
	}
	return kind + "-" + cmp.Or(display.Commit(c.point.Commit), fmt.Sprint(c.point.When.Unix()))
}

// cases counts the cases that changed.
func (c *changed) cases() int {
	names := map[*siteCase]bool{}
	for i := range c.changes {
		names[c.changes[i].of] = true
	}
	return len(names)
}

// answer is what the reader of the index wants to know first: how many cases changed, by how much,
// since when, and by whom. It is empty if nothing changed.
func (s *Site) answer(cases []siteCase, all []*changed) page.List {
	newest := slices.IndexFunc(all, func(c *changed) bool { return c.acknowledged == nil })
	if newest < 0 {
		return nil
	}
	b := s.badge(cases)
	var line page.Line
	if worst := worstOf(cases); worst != nil {
		line = page.Line{{Text: "The worst is "}, {Text: worst.name, To: worst.page},
			{Text: ", " + standing(worst.series[0], page.Bad).Text + ". "}}
	}
	c := all[newest]
	line = append(line, page.Span{Text: "The newest change is at "},
		page.Span{Text: cmp.Or(display.Commit(c.point.Commit), "an unknown commit"), To: "#" + c.id()},
		page.Span{Text: ", " + byline(c.point)})
	if c.point.Subject != "" {
		line = append(line, page.Span{Text: ": " + c.point.Subject})
	}
	mark := page.Span{Text: string(b.value), Tone: cmp.Or(b.tone, page.Doubtful)}
	return page.List{{Mark: mark, Lines: []page.Line{line}}}
}

// worstOf is the case that is worse by most, nil if none is worse.
func worstOf(cases []siteCase) (worst *siteCase) {
	most := 0.0
	for i := range cases {
		change, call := cases[i].series[0].Standing()
		if size := math.Abs(math.Log1p(change)); call == result.Worse && size > most {
			worst, most = &cases[i], size
		}
	}
	return worst
}

// since is when the level of a series last changed, and who made the commit. Changes that are
// acknowledged count only if there are no others. No single commit explains what happened slowly.
func since(one *trend.Series) page.Cell {
	var newest *trend.Change
	for i := range one.Changes {
		c := &one.Changes[i]
		if newest == nil || c.Acknowledged == nil || newest.Acknowledged != nil {
			newest = c
		}
	}
	switch {
	case one.Crept:
		return page.Cell{Text: "slowly"}
	case newest == nil:
		return page.Cell{}
	}
	p := &one.Points[newest.At]
	text := day(p)
	if p.Author != "" {
		text += ", " + p.Author
	}
	return page.Cell{Text: text, To: addressOf(p), Key: float64(p.When.Unix())}
}

// latest are the commits with changes, or what it means that there are none.
func (s *Site) latest(all []*changed) []page.Block {
	if len(all) == 0 {
		if text := trend.TooShort(s.Series); text != "" {
			return []page.Block{page.Paragraph{page.Text("Too early to find changes: " + text + ".")}}
		}
		return []page.Block{page.Paragraph{page.Text("No case has changed its level.")}}
	}
	several := severalMetrics(all)
	var open, known page.List
	for _, c := range all[:min(len(all), mostChanged)] {
		if c.acknowledged == nil {
			open = append(open, c.item(several))
		} else {
			known = append(known, c.item(several))
		}
	}
	rest := page.Folded(fmt.Sprintf("%d acknowledged", len(known)), page.Blocks(known)...)
	blocks := page.Blocks(append(unfolded(open, "commit"), rest)...)
	if n := len(all) - mostChanged; n > 0 {
		blocks = append(blocks,
			hint(fmt.Sprintf("Changes at %s more are on the pages of cases.", units.Plural(n, "commit"))))
	}
	return []page.Block{page.Section{Head: page.Text("Latest changes"), ID: "changes", Blocks: blocks}}
}

// unfolded are the first items, and the others in a fold.
func unfolded(items page.List, noun string) []page.Block {
	n := min(len(items), mostRecent)
	return page.Blocks(items[:n], page.Folded(units.Plural(len(items)-n, "earlier "+noun), page.Blocks(items[n:])...))
}

// severalMetrics reports whether more than one metric changed.
func severalMetrics(all []*changed) bool {
	for _, c := range all {
		for i := range c.changes {
			if c.changes[i].in.Metric != all[0].changes[0].in.Metric {
				return true
			}
		}
	}
	return false
}

// item is a commit, who made it, and what changed there.
func (c *changed) item(metrics bool) page.Item {
	worse := 0
	for i := range c.changes {
		if c.changes[i].Worse {
			worse++
		}
	}
	var counts []string
	if worse > 0 {
		counts = append(counts, fmt.Sprintf("%d worse", worse))
	}
	if better := len(c.changes) - worse; better > 0 {
		counts = append(counts, fmt.Sprintf("%d better", better))
	}
	item := page.Item{ID: c.id(), Mark: page.Span{Text: strings.Join(counts, ", "), Tone: c.changes[0].tone()},
		Lines: append(aboutCommit(c.point, c.last, nil), acknowledgedLine(c.acknowledged)...)}
	first, rest := changesTable(), changesTable()
	for i := range c.changes {
		if i < mostListed {
			first.add(&c.changes[i])
		} else {
			rest.add(&c.changes[i])
		}
	}
	if !metrics {
		first.Keep([]int{0, 1, 2})
		rest.Keep([]int{0, 1, 2})
	}
	item.Blocks = page.Blocks(first.Table, page.Folded(fmt.Sprintf("%d more", len(rest.Rows)),
		page.Blocks(rest.Table)...))
	return item
}

// tableOfChanges is changes of one commit.
type tableOfChanges struct{ *page.Table }

func changesTable() tableOfChanges {
	t := &page.Table{Columns: page.Heads("case", "change", "from, to", "metric")}
	t.Columns[1].Align = page.Right
	return tableOfChanges{t}
}

func (t tableOfChanges) add(c *change) {
	t.Rows = append(t.Rows, page.Row{{Text: c.of.name, To: c.of.page},
		{Text: c.Percent(), Tone: c.tone()}, {Text: c.levels()},
		{Text: c.in.Metric, Tone: page.Faint}})
}

// changesOf are the changes of a series, the newest first. Each leads to the commit on the index if
// other cases changed there, too.
func changesOf(one *trend.Series, all []*changed) []page.Block {
	var items page.List
	for k := range slices.Backward(one.Changes) {
		c := change{nil, one, &one.Changes[k]}
		at := &one.Points[c.At]
		var others page.Line
		for _, other := range all[:min(len(all), mostChanged)] {
			if n := other.cases() - 1; n > 0 && other.has(c.Change) {
				others = page.Line{{Text: units.Plural(n, "other case"),
					To: "../index.html#" + other.id(), Tone: page.Faint}}
			}
		}
		lines := append(aboutCommit(at, &one.Points[c.Last], others), page.Toned(page.Faint, c.levels()))
		items = append(items, page.Item{
			Mark:  page.Span{Text: c.Percent(), Tone: c.tone()},
			Lines: append(lines, acknowledgedLine(c.Acknowledged)...),
		})
	}
	return unfolded(items, "change")
}

func (c *changed) has(one *trend.Change) bool {
	return slices.ContainsFunc(c.changes, func(c change) bool { return c.Change == one })
}

// aboutCommit is the commit with its subject, and then who made it, when, what to compare it with, and
// what else there is about them.
func aboutCommit(p, last *trend.Point, more page.Line) []page.Line {
	head := page.Line{{Text: cmp.Or(display.Commit(p.Commit), "unknown commit"), To: addressOf(p)}}
	if p.Subject != "" {
		head = append(head, page.Span{Text: " " + p.Subject})
	}
	about := page.Line{{Text: byline(p), Tone: page.Faint}}
	if name := display.Commit(last.Commit); name != "" {
		about = append(about, page.Span{Text: " · ", Tone: page.Faint},
			page.Span{Text: "compare with " + name, To: cmp.Or(rangeOf(last, p), addressOf(last)), Tone: page.Faint})
	}
	if len(more) > 0 {
		about = append(append(about, page.Span{Text: " · ", Tone: page.Faint}), more...)
	}
	return []page.Line{head, about}
}

// byline is who made a commit, and when.
func byline(p *trend.Point) string {
	if p.Author == "" {
		return day(p)
	}
	return p.Author + ", " + day(p)
}

// acknowledgedLine is the reason for which a change is acknowledged, no line if it is open.
func acknowledgedLine(a *trend.Acknowledged) []page.Line {
	if a == nil {
		return nil
	}
	return []page.Line{page.Toned(page.Faint, a.String())}
}

// linkedCell leads to the page of a commit on the web, if that is known.
func linkedCell(p *trend.Point) page.Cell {
	return page.Cell{Text: cmp.Or(display.Commit(p.Commit), "unknown"), To: addressOf(p)}
}

// addressOf is the page of a commit on the web, "" if that is not known. A history may come from
// anywhere, so no other addresses of it are used.
func addressOf(p *trend.Point) string {
	if strings.HasPrefix(p.Page, "https://") {
		return p.Page
	}
	return ""
}

// rangeOf is the page that compares two commits: GitHub, GitLab, Gitea and Forgejo have it next to the
// page of the later one. It is "" if there is no such page.
func rangeOf(from, to *trend.Point) string {
	const commit, compare = "/commit/", "/compare/"
	repository, is := strings.CutSuffix(addressOf(to), commit+to.Commit)
	u, err := url.Parse(repository)
	if !is || err != nil || from.Commit == "" || to.Commit == "" || u.Hostname() == "git.sr.ht" {
		return ""
	}
	return repository + compare + from.Commit + "..." + to.Commit
}

func day(p *trend.Point) string { return p.When.Format("2 Jan 2006") }
