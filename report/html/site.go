package html

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/table"
)

//go:embed site.html
var siteSource string

var siteTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.Must(pageTemplate().Clone()).Parse(siteSource))
})

// Site is the history of a project as a folder of pages: an index, and a page for each case.
type Site struct {
	Name   string // of the project
	Tool   string // that writes the pages
	Made   time.Time
	Series []trend.Series // of all metrics; the first series of a case is its headline
}

// mostChanges is how many changes the index lists.
const mostChanges = 50

// Write writes the pages into a folder, which is made if there is none. Pages of cases that
// the history no longer has stay.
func (s *Site) Write(folder string) error {
	if err := os.MkdirAll(filepath.Join(folder, "case"), 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"style.css": pageStyle, "script.js": pageScript} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	cases := s.cases()
	if err := s.page(filepath.Join(folder, "index.html"), "site-index", s.index(cases)); err != nil {
		return err
	}
	for i := range cases {
		c := &cases[i]
		if err := s.page(filepath.Join(folder, filepath.FromSlash(c.page)), "site-case", s.casePage(c)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Site) page(path, name string, data any) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := s.render(f, name, data); err != nil {
		return err
	}
	return f.Close()
}

func (s *Site) render(w io.Writer, name string, data any) error {
	return siteTemplate().ExecuteTemplate(w, name, data)
}

// siteCase is a case with the series of its metrics.
type siteCase struct {
	suite, name string
	page        string // path from the index
	series      []*trend.Series
}

// cases groups the series by case, in the order of their names.
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
			all = append(all, siteCase{suite: one.Suite, name: one.Case, page: "case/" + pageName(one.Suite+"-"+one.Case, taken) + ".html"})
		}
		all[n].series = append(all[n].series, one)
	}
	slices.SortFunc(all, func(a, b siteCase) int {
		return strings.Compare(a.suite+"\x00"+a.name, b.suite+"\x00"+b.name)
	})
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

type siteFrame struct{ Title, Root, Tool, Made, Name string }

func (s *Site) frame(title, root string) siteFrame {
	return siteFrame{Title: display.Visible(title), Root: root, Tool: s.Tool, Made: s.Made.UTC().Format("2 Jan 2006 15:04 UTC"), Name: display.Visible(s.Name)}
}

type siteIndex struct {
	siteFrame
	Facts       []table.Fact
	Changes     []siteChange
	MoreChanges string
	Suites      []siteSuite
}

type siteChange struct {
	Commit, Last, Date, Subject, Case, Page, Metric, Change, Levels, Class string
	when                                                                   time.Time
}

type siteSuite struct {
	ID, Name string
	Rows     []siteRow
	Verdicts bool // at least one row has a verdict
}

type siteRow struct {
	Page, Name, Class, Key, Latest, Spark, Change, ChangeKey, ChangeClass, Verdict string
}

func (s *Site) index(cases []siteCase) *siteIndex {
	page := &siteIndex{siteFrame: s.frame(s.Name+": benchmarks", "")}
	commits, machines := map[string]bool{}, map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if n := len(page.Suites); n == 0 || page.Suites[n-1].Name != display.Visible(c.suite) {
			page.Suites = append(page.Suites, siteSuite{ID: fmt.Sprintf("suite-%d", n+1), Name: display.Visible(c.suite)})
		}
		suite := &page.Suites[len(page.Suites)-1]
		row := s.row(c)
		suite.Rows = append(suite.Rows, row)
		suite.Verdicts = suite.Verdicts || row.Verdict != ""
		for _, one := range c.series {
			for k := range one.Changes {
				page.Changes = append(page.Changes, changeOf(one, k, c.page))
			}
		}
		for _, p := range c.series[0].Points {
			commits[p.Commit] = true
		}
		for _, m := range c.series[0].Machines {
			machines[m] = true
		}
	}
	slices.SortStableFunc(page.Changes, func(a, b siteChange) int { return b.when.Compare(a.when) })
	if n := len(page.Changes) - mostChanges; n > 0 {
		page.Changes = page.Changes[:mostChanges]
		page.MoreChanges = fmt.Sprintf("%s more on the pages of cases.", units.Plural(n, "change"))
	}
	page.Facts = []table.Fact{{Name: "cases", Value: fmt.Sprint(len(cases))}, {Name: "commits", Value: fmt.Sprint(len(commits))}}
	for m := range machines {
		if len(machines) == 1 {
			page.Facts = append(page.Facts, table.Fact{Name: "machine", Value: display.Visible(m)})
		}
	}
	if len(machines) > 1 {
		page.Facts = append(page.Facts, table.Fact{Name: "machines", Value: fmt.Sprint(len(machines))})
	}
	return page
}

func (s *Site) row(c *siteCase) siteRow {
	one := c.series[0]
	last := one.Points[len(one.Points)-1]
	row := siteRow{Page: c.page, Name: display.Visible(c.name), Class: "plain", Key: fmt.Sprint(last.Value), Latest: units.Format(last.Value, one.Unit), Spark: figure.TrendSpark(one)}
	if n := len(one.Changes); n > 0 {
		change := &one.Changes[n-1]
		row.Class = classOf(change)
		row.ChangeClass = row.Class
		row.Change = units.Signed(change.Relative(), units.Tenths)
		row.ChangeKey = fmt.Sprint(math.Abs(change.Relative()))
	} else if one.Crept {
		row.Class = "doubtful"
		row.ChangeClass = row.Class
		row.Change = units.Signed(one.Drift.Change, units.Tenths) + " slowly"
		row.ChangeKey = fmt.Sprint(math.Abs(one.Drift.Change))
	}
	if last.Ratio != nil {
		row.Verdict = fmt.Sprintf("%s, %s", last.Ratio.Call, units.Signed(*last.Ratio.Value-1, units.Tenths))
	}
	return row
}

func classOf(c *trend.Change) string {
	if c.Worse {
		return "bad"
	}
	return "good"
}

func changeOf(s *trend.Series, k int, page string) siteChange {
	c := &s.Changes[k]
	at, last := &s.Points[c.At], &s.Points[c.Last]
	return siteChange{Commit: short(at.Commit), Last: short(last.Commit), Date: at.When.Format("2 Jan 2006"), Subject: display.Visible(at.Subject), Case: display.Visible(s.Case), Page: page, Metric: s.Metric,
		Change: units.Signed(c.Relative(), units.Tenths), Levels: units.Format(c.Before, s.Unit) + " → " + units.Format(c.After, s.Unit), Class: classOf(c), when: at.When}
}

func short(commit string) string {
	if commit == "" {
		return "unknown"
	}
	return display.Visible(display.Commit(commit))
}

type siteCasePage struct {
	siteFrame
	Suite, Count string
	Metrics      []siteMetric
	Heads        []string
	Commits      []siteCommit
}

type siteMetric struct {
	ID, Name, Summary string
	Drawing           *htmlDrawing
	Changes           []siteChange
}

type siteCommit struct {
	Commit, Date, Machine string
	Values                []string
}

func (s *Site) casePage(c *siteCase) *siteCasePage {
	page := &siteCasePage{siteFrame: s.frame(c.name+" over commits", "../"), Suite: display.Visible(c.suite)}
	page.Name = display.Visible(c.name)
	for i, one := range c.series {
		id := fmt.Sprintf("metric-%d", i+1)
		m := siteMetric{ID: id, Name: one.Metric}
		if one.IsConstant() {
			m.Summary = "Always " + units.Format(one.Points[0].Value, one.Unit) + "."
		} else {
			m.Drawing = drawingOf(figure.Trend(one), id+"-drawing")
		}
		if one.Crept {
			m.Summary = fmt.Sprintf("Slowly, from the first commit to the last: %s. No single commit explains it.", one.Drift)
		}
		if one.Recent != nil {
			m.Summary += " Perhaps " + one.RecentText() + "."
		}
		if one.Chained != nil {
			m.Summary += fmt.Sprintf(" By ratios over %s: %s.", units.Plural(one.Chained.To-one.Chained.From, "commit"), one.Chained)
		}
		for k := range one.Changes {
			m.Changes = append(m.Changes, changeOf(one, k, ""))
		}
		page.Metrics = append(page.Metrics, m)
		page.Heads = append(page.Heads, one.Metric)
	}
	first := c.series[0]
	page.Count = units.Plural(len(first.Points), "commit") + " in numbers"
	for _, p := range slices.Backward(first.Points) {
		row := siteCommit{Commit: short(p.Commit), Date: p.When.Format("2 Jan 2006"), Machine: display.Visible(first.Machines[p.Machine])}
		for _, one := range c.series {
			row.Values = append(row.Values, valueAt(one, p.Commit, p.When, first.Machines[p.Machine]))
		}
		page.Commits = append(page.Commits, row)
	}
	return page
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
