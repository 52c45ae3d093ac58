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

	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page"
	"example.com/suite/report/page/html"
	"example.com/suite/result"
)

// Site is the history of a project as a folder of pages: an index, a page and a badge for each case, a badge of the
// project, and a feed of changes.
type Site struct {
	Name   string // of the project
	Tool   string // that writes the pages
	Made   time.Time
	Series []trend.Series // of all metrics; the first series of a case is its headline
}

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
	all := s.changed(cases)
	for i := range cases {
		if err := save(s.casePage(&cases[i], all), folder, cases[i].page); err != nil {
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
	all := s.changed(cases)
	top := page.Under(s.Name, page.Blocks(s.answer(cases, all), facts)...)
	p := s.page(s.Name+": benchmarks", "", page.Text("Benchmarks over commits"), top)
	p.Feed = feedFile
	p.Blocks = s.latest(all)
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

// rows are the cases of a suite: their changes, latest values and histories.
func rows(cases []siteCase) *page.Table {
	t := &page.Table{Columns: page.Heads("case", "change", "latest", "history", "since", "last comparison"),
		Kinds: map[page.Tone]string{page.Bad: "slower", page.Good: "faster", page.Doubtful: "perhaps changed",
			page.Faint: "acknowledged", page.Plain: "unchanged"}}
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
		compared := ""
		if last.Ratio != nil {
			compared = fmt.Sprintf("%s, %s", last.Ratio.Call, units.Signed(*last.Ratio.Value-1, units.Tenths))
		}
		t.Tones = append(t.Tones, tone)
		t.Rows = append(t.Rows, page.Row{{Text: cases[i].name, To: cases[i].page}, standing(one, tone),
			{Text: units.Format(last.Value, one.Unit), Key: last.Value}, {Figure: newest},
			since(one), {Text: compared}})
	}
	t.Notes = explained(t.Tones)
	return t.Filled()
}

// standing is how much a series has changed, in few words: the page of its case has the others. A sign
// before it is explained below the table.
func standing(one *trend.Series, tone page.Tone) page.Cell {
	relative, text := one.Total()
	if text == "" {
		return page.Cell{}
	}
	if change, call := one.Standing(); one.CountAcknowledged() > 0 && call != result.Same {
		relative = change
	}
	total := trend.Change{Before: 1, After: 1 + relative}
	text = total.Percent()
	if math.IsInf(relative, 1) {
		text = "from 0"
	}
	return page.Cell{Text: signs[tone].Text + text, Tone: tone, Key: min(math.Abs(relative), math.MaxFloat64)}
}

// signs come before changes that are not simply worse or better.
var signs = map[page.Tone]page.Span{
	page.Faint:    {Text: "~", Means: "acknowledged, for a reason that the page of the case has"},
	page.Doubtful: {Text: "?", Means: "perhaps: too few commits after it to tell"},
}

// explained are the signs that rows have.
func explained(tones []page.Tone) (notes []page.Line) {
	for _, tone := range []page.Tone{page.Faint, page.Doubtful} {
		if sign := signs[tone]; slices.Contains(tones, tone) {
			notes = append(notes, page.Toned(page.Faint, sign.Text+" "+sign.Means))
		}
	}
	return notes
}

// casePage is the page of a case: each metric over commits, its changes, and the numbers.
func (s *Site) casePage(c *siteCase, all []*changed) *html.Page {
	p := s.page(c.name+" over commits", "../", page.Line{{Text: "All cases", To: "../index.html"}},
		page.Under(c.name, page.Paragraph{page.Text(c.suite)}))
	var constant []string
	for i, one := range c.series {
		if one.IsConstant() && i > 0 {
			constant = append(constant, one.Metric+" "+units.Format(one.Points[0].Value, one.Unit))
			continue
		}
		p.Blocks = append(p.Blocks, page.Section{
			Head:   page.Text(one.Metric),
			ID:     fmt.Sprintf("metric-%d", i+1),
			Blocks: page.Blocks(append(metric(one), changesOf(one, all)...)...),
		})
	}
	if len(constant) > 0 {
		p.Blocks = append(p.Blocks, page.Under("Never changed", page.Items(constant...)))
	}
	p.Blocks = append(p.Blocks, c.numbers())
	return p
}

// numbers has all values, the newest first.
func (c *siteCase) numbers() page.Block {
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
	return page.Folded(units.Plural(len(first.Points), "commit")+" in numbers", numbers)
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
	return []page.Block{page.Lines(strings.TrimSpace(summary)), drawn}
}

// valueAt finds the value of a series at a point of another one, "" if it has none.
func valueAt(s *trend.Series, commit string, when time.Time, machine string) string {
	i, found := slices.BinarySearchFunc(s.Points, when, func(p trend.Point, t time.Time) int {
		return p.When.Compare(t)
	})
	for ; found && i < len(s.Points) && s.Points[i].When.Equal(when); i++ {
		if s.Points[i].Commit == commit && s.Machines[s.Points[i].Machine] == machine {
			return units.Format(s.Points[i].Value, s.Unit)
		}
	}
	return ""
}
