package html

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page"
	"example.com/suite/report/page/html"
)

// Site is the history of a project as a folder of pages: an index, a page and a badge for each case, a badge of the project,
// and a feed of changes.
type Site struct {
	Name   string // of the project
	Tool   string // that writes the pages
	Made   time.Time
	Series []trend.Series // of all metrics; the first series of a case is its headline
}

const (
	mostChanged = 50 // commits with changes that the index lists
	mostListed  = 5  // changes of one of them that are unfolded
)

// Write writes the pages into a folder, which is made if there is none. Pages of cases that
// the history no longer has stay.
func (s *Site) Write(folder string) error {
	if err := os.MkdirAll(filepath.Join(folder, "case"), 0o777); err != nil {
		return err
	}
	for name, text := range html.Assets() {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	cases := s.cases()
	if err := save(s.index(cases), folder, "index.html"); err != nil {
		return err
	}
	for i := range cases {
		if err := save(s.casePage(&cases[i]), folder, cases[i].page); err != nil {
			return err
		}
		file := filepath.Join(folder, filepath.FromSlash(strings.TrimSuffix(cases[i].page, ".html")+".svg"))
		if err := os.WriteFile(file, cases[i].badge().svg(), 0o666); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "badge.svg"), s.badge(cases).svg(), 0o666); err != nil {
		return err
	}
	feed, err := s.feed(cases)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, feedFile), feed, 0o666)
	}
	return err
}

func save(p *html.Page, folder, name string) error {
	f, err := os.Create(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		return err
	}
	return f.Close()
}

// siteCase is a case with the series of its metrics.
type siteCase struct {
	suite, name string
	page        string // path from the index
	series      []*trend.Series
}

// cases groups the series by case: the worst change first, and then in the order of names.
func (s *Site) cases() (all []siteCase) {
	at := map[[2]string]int{}
	taken := map[string]bool{}
	for i := range s.Series {
		one := &s.Series[i]
		key := [2]string{one.Suite, one.Case}
		n, known := at[key]
		if !known {
			n = len(all)
			at[key] = n
			all = append(all, siteCase{
				suite: one.Suite,
				name:  one.Case,
				page:  "case/" + pageName(one.Suite+"-"+one.Case, taken) + ".html",
			})
		}
		all[n].series = append(all[n].series, one)
	}
	slices.SortFunc(all, func(a, b siteCase) int { return trend.WorstFirst(a.series[0], b.series[0]) })
	return all
}

// pageName makes the name of a file of letters and digits, which no other page has.
func pageName(text string, taken map[string]bool) string {
	clean := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, text), "-.")
	clean = clean[:min(len(clean), 80)]
	name := clean
	for n := 2; name == "" || taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", clean, n)
	}
	taken[name] = true
	return name
}

// metrics counts the metrics of the site.
func (s *Site) metrics() int {
	names := map[string]bool{}
	for i := range s.Series {
		names[s.Series[i].Metric] = true
	}
	return len(names)
}

// page is a page of the site. root is the path from its folder to the index.
func (s *Site) page(title, root string, kind page.Line, top page.Section) *html.Page {
	return &html.Page{
		Title:  title,
		Kind:   kind,
		Top:    top,
		Assets: cmp.Or(root, "./"),
		Foot:   page.Text(s.Tool + ", " + s.Made.UTC().Format("2 Jan 2006 15:04 UTC")),
	}
}

// linkedCell leads to the page of a commit on the web, if that is known. A history may come from
// anywhere, so no other addresses of it are used.
func linkedCell(p *trend.Point) page.Cell {
	to := ""
	if strings.HasPrefix(p.Page, "https://") {
		to = p.Page
	}
	return page.Cell{Text: cmp.Or(display.Commit(p.Commit), "unknown"), To: to}
}

func day(p *trend.Point) string { return p.When.Format("2 Jan 2006") }

// changed is a commit at which cases changed.
type changed struct {
	point   *trend.Point
	changes []change // worst first
}

// change is a change of a case at a commit.
type change struct {
	of *siteCase
	in *trend.Series
	*trend.Change
}

func (c *change) tone() page.Tone {
	if c.Worse {
		return page.Bad
	}
	return page.Good
}

func (c *change) text() string { return units.Signed(c.Relative(), units.Tenths) }

// changed lists the commits at which cases changed, the newest first.
func (s *Site) changed(cases []siteCase) (all []*changed) {
	type at struct {
		commit string
		when   time.Time
	}
	known := map[at]*changed{}
	for i := range cases {
		for _, one := range cases[i].series {
			for k := range one.Changes {
				p := &one.Points[one.Changes[k].At]
				here := known[at{p.Commit, p.When}]
				if here == nil {
					here = &changed{point: p}
					known[at{p.Commit, p.When}] = here
					all = append(all, here)
				}
				here.changes = append(here.changes, change{&cases[i], one, &one.Changes[k]})
			}
		}
	}
	for _, c := range all {
		slices.SortStableFunc(c.changes, func(a, b change) int { return cmp.Compare(b.Badness(), a.Badness()) })
	}
	slices.SortStableFunc(all, func(a, b *changed) int { return b.point.When.Compare(a.point.When) })
	return all
}

// index is the page of all cases, with their latest changes.
func (s *Site) index(cases []siteCase) *html.Page {
	commits, machines := map[string]bool{}, map[string]bool{}
	for i := range cases {
		first := cases[i].series[0]
		for _, p := range first.Points {
			commits[p.Commit] = true
		}
		for _, m := range first.Machines {
			machines[m] = true
		}
	}
	facts := page.Facts{{"cases", fmt.Sprint(len(cases))}, {"commits", fmt.Sprint(len(commits))}}
	for m := range machines {
		if len(machines) == 1 {
			facts = append(facts, [2]string{"machine", m})
		}
	}
	if len(machines) > 1 {
		facts = append(facts, [2]string{"machines", fmt.Sprint(len(machines))})
	}
	p := s.page(s.Name+": benchmarks", "", page.Text("Benchmarks over commits"), page.Under(s.Name, facts))
	p.Feed = feedFile
	p.Blocks = []page.Block{s.latest(cases)}
	for start := 0; start < len(cases); {
		end := start
		for end < len(cases) && cases[end].suite == cases[start].suite {
			end++
		}
		id := fmt.Sprintf("suite-%d", len(p.Blocks))
		p.Blocks = append(p.Blocks, page.Section{
			Head:   page.Text(cases[start].suite),
			ID:     id,
			Blocks: []page.Block{rows(cases[start:end])},
		})
		start = end
	}
	return p
}

// latest are the commits with changes, or what it means that there are none.
func (s *Site) latest(cases []siteCase) page.Block {
	all := s.changed(cases)
	if len(all) == 0 {
		if text := trend.TooShort(s.Series); text != "" {
			return page.Paragraph{page.Text("Too early to find changes: " + text + ".")}
		}
		return page.Paragraph{page.Text("No case has changed its level.")}
	}
	first, rest := movesTable(), movesTable()
	for _, c := range all[:min(len(all), mostChanged)] {
		for i := range c.changes {
			if i < mostListed {
				first.addChange(c.point, &c.changes[i])
			} else {
				rest.addChange(c.point, &c.changes[i])
			}
		}
	}
	if s.metrics() == 1 {
		first.Keep([]int{0, 1, 2, 4, 5})
		rest.Keep([]int{0, 1, 2, 4, 5})
	}
	blocks := page.Blocks(first.Filled(),
		page.Folded(fmt.Sprintf("%d more", len(rest.Rows)), page.Blocks(rest.Filled())...))
	if n := len(all) - mostChanged; n > 0 {
		blocks = append(blocks, hint(fmt.Sprintf("Changes at %s more are on the pages of cases.", units.Plural(n, "commit"))))
	}
	return page.Section{Head: page.Text("Latest changes"), ID: "changes", Blocks: blocks}
}

// movesOf is a table of changes, grouped by their commits.
type movesOf struct{ *page.Table }

func movesTable() movesOf {
	t := &page.Table{Columns: page.Heads("commit", "case", "change", "metric", "date", "subject")}
	t.Columns[0].Once, t.Columns[2].Align = true, page.Right
	return movesOf{t}
}

func (t movesOf) addChange(at *trend.Point, c *change) {
	t.Rows = append(t.Rows, page.Row{linkedCell(at), {Text: c.of.name, To: c.of.page}, {Text: c.text(), Tone: c.tone()},
		{Text: c.in.Metric, Tone: page.Faint}, {Text: day(at), Tone: page.Faint}, {Text: at.Subject}})
}

// rows are the cases of a suite: their changes, latest values and histories.
func rows(cases []siteCase) *page.Table {
	t := &page.Table{Columns: page.Heads("case", "change", "latest", "history", "last comparison"),
		Kinds: map[page.Tone]string{page.Bad: "slower", page.Good: "faster", page.Plain: "unchanged"}}
	t.Columns[1].Align, t.Columns[2].Align = page.Right, page.Right
	for i := range cases {
		one := cases[i].series[0]
		last := one.Points[len(one.Points)-1]
		tone := toneOf(&cases[i])
		var newest []float64
		for _, p := range one.Points {
			if p.Machine == last.Machine {
				newest = append(newest, p.Value)
			}
		}
		relative, text := one.Total()
		moved := page.Cell{Text: text, Tone: tone}
		if text != "" {
			moved.Key = math.Abs(relative)
		}
		if !one.Notable() {
			moved.Tone = page.Plain
		}
		compared := ""
		if last.Ratio != nil {
			compared = fmt.Sprintf("%s, %s", last.Ratio.Call, units.Signed(*last.Ratio.Value-1, units.Tenths))
		}
		t.Tones = append(t.Tones, tone)
		t.Rows = append(t.Rows, page.Row{{Text: cases[i].name, To: cases[i].page}, moved,
			{Text: units.Format(last.Value, one.Unit), Key: last.Value}, {Figure: newest}, {Text: compared}})
	}
	return t.Filled()
}

// casePage is the page of a case: each metric over commits, its changes, and the numbers.
func (s *Site) casePage(c *siteCase) *html.Page {
	suite := page.Paragraph{page.Text(c.suite)}
	p := s.page(c.name+" over commits", "../", page.Line{{Text: "All cases", To: "../index.html"}},
		page.Under(c.name, suite))
	for i, one := range c.series {
		p.Blocks = append(p.Blocks, page.Section{
			Head:   page.Text(one.Metric),
			ID:     fmt.Sprintf("metric-%d", i+1),
			Blocks: page.Blocks(metric(one)...),
		})
	}
	first := c.series[0]
	numbers := &page.Table{Columns: page.Heads("commit", "date")}
	for _, one := range c.series {
		numbers.Columns = append(numbers.Columns, page.Column{Head: one.Metric, Align: page.Right})
	}
	if len(first.Machines) > 1 {
		numbers.Columns = append(numbers.Columns, page.Column{Head: "machine"})
	}
	for _, p := range slices.Backward(first.Points) {
		machine := first.Machines[p.Machine]
		row := page.Row{linkedCell(&p), {Text: day(&p)}}
		for _, one := range c.series {
			row = append(row, page.Cell{Text: valueAt(one, p.Commit, p.When, machine)})
		}
		numbers.Rows = append(numbers.Rows, append(row, page.Cell{Text: machine})[:len(numbers.Columns)])
	}
	p.Blocks = append(p.Blocks, page.Folded(units.Plural(len(first.Points), "commit")+" in numbers", numbers))
	return p
}

// metric is one metric of a case over commits.
func metric(one *trend.Series) []page.Block {
	summary := ""
	var drawn page.Drawing
	if one.IsConstant() {
		summary = "Always " + units.Format(one.Points[0].Value, one.Unit) + "."
	} else {
		drawn.Drawing = figure.Trend(one)
	}
	if one.Crept {
		summary = fmt.Sprintf("Slowly, from the first commit to the last: %s. No single commit explains it.", one.Drift)
	}
	if one.Recent != nil {
		summary += " Perhaps " + one.RecentText() + "."
	}
	if one.Chained != nil {
		summary += fmt.Sprintf(" By ratios over %s: %s.",
			units.Plural(one.Chained.To-one.Chained.From, "commit"), one.Chained)
	}
	changes := &page.Table{
		Caption: page.Text("Changes of level"),
		Columns: page.Heads("commit", "change", "from, to", "date", "subject", "last before"),
	}
	changes.Columns[1].Align = page.Right
	for k := range one.Changes {
		c := change{nil, one, &one.Changes[k]}
		at, last := &one.Points[c.At], &one.Points[c.Last]
		levels := units.Format(c.Before, one.Unit) + " → " + units.Format(c.After, one.Unit)
		changes.Rows = append(changes.Rows,
			page.Row{linkedCell(at), {Text: c.text(), Tone: c.tone()}, {Text: levels}, {Text: day(at)}, {Text: at.Subject},
				linkedCell(last)})
	}
	return []page.Block{page.Paragraph(lines(strings.TrimSpace(summary))), drawn, changes.Filled()}
}

// valueAt finds the value of a series at a point of another one, "" if it has none.
func valueAt(s *trend.Series, commit string, when time.Time, machine string) string {
	i, found := slices.BinarySearchFunc(s.Points, when, func(p trend.Point, t time.Time) int { return p.When.Compare(t) })
	for ; found && i < len(s.Points) && s.Points[i].When.Equal(when); i++ {
		if s.Points[i].Commit == commit && s.Machines[s.Points[i].Machine] == machine {
			return units.Format(s.Points[i].Value, s.Unit)
		}
	}
	return ""
}
