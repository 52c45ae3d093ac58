package html

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/trend"
	"example.com/suite/internal/units"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/table"
)

// Site is the history of a project as a folder of pages: an index, and a page for each case.
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
	return pageTemplate().ExecuteTemplate(w, name, data)
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
			all = append(all, siteCase{suite: one.Suite, name: one.Case, page: "case/" + pageName(one.Suite+"-"+one.Case, taken) + ".html"})
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

type siteFrame struct{ Title, Root, Tool, Made, Name string }

func (s *Site) frame(title, root string) siteFrame {
	return siteFrame{Title: title, Root: root, Tool: s.Tool, Made: s.Made.UTC().Format("2 Jan 2006 15:04 UTC"), Name: s.Name}
}

type siteIndex struct {
	siteFrame
	Facts   []table.Fact
	Changed []*siteChanged
	More    string // commits that are left out

	Unchanged string // what it means that nothing changed
	Suites    []siteSuite
}

// siteRef is a commit that leads to its page on the web, if that is known.
type siteRef struct{ Hash, Page string }

func refOf(p *trend.Point) siteRef { return siteRef{short(p.Commit), webPage(p.Page)} }

// webPage returns an address that is safe to follow, "" for any other: a history may come from
// anywhere, and a link of it must not run a script or show a password.
func webPage(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	return address
}

// siteChanged is a commit at which cases changed.
type siteChanged struct {
	Commit               siteRef
	Date, Subject, Class string
	Moves                []siteMove // worst first
	when                 time.Time
}

func (c *siteChanged) First() []siteMove { return c.Moves[:min(len(c.Moves), mostListed)] }
func (c *siteChanged) Rest() []siteMove  { return c.Moves[len(c.First()):] }

// siteMove is a change of a case at a commit.
type siteMove struct {
	Case, Page, Metric, Change, Class string
	badness                           float64
}

// siteChange is a change on the page of its case.
type siteChange struct {
	Commit, Last                         siteRef
	Date, Subject, Change, Levels, Class string
}

type siteSuite struct {
	ID, Name string
	Rows     []siteRow
	Verdicts bool // at least one row has a verdict
}

type siteRow struct {
	Page, Name, Class, Key, Latest, Spark, Change, ChangeKey, ChangeClass, Verdict string
}

// changed lists the commits at which cases changed, the newest first.
func (s *Site) changed(cases []siteCase) (all []*siteChanged) {
	type at struct {
		commit string
		when   time.Time
	}
	known := map[at]*siteChanged{}
	several := s.metrics() > 1
	for i := range cases {
		for _, one := range cases[i].series {
			for k := range one.Changes {
				change := &one.Changes[k]
				p := &one.Points[change.At]
				commit := known[at{p.Commit, p.When}]
				if commit == nil {
					commit = &siteChanged{Commit: refOf(p), Date: p.When.Format("2 Jan 2006"), Subject: p.Subject, when: p.When}
					known[at{p.Commit, p.When}] = commit
					all = append(all, commit)
				}
				move := siteMove{Case: cases[i].name, Page: cases[i].page, Change: units.Signed(change.Relative(), units.Tenths), Class: classOf(change), badness: change.Badness()}
				if several {
					move.Metric = one.Metric
				}
				commit.Moves = append(commit.Moves, move)
			}
		}
	}
	for _, commit := range all {
		slices.SortStableFunc(commit.Moves, func(a, b siteMove) int { return cmp.Compare(b.badness, a.badness) })
		commit.Class = commit.Moves[0].Class
	}
	slices.SortStableFunc(all, func(a, b *siteChanged) int { return b.when.Compare(a.when) })
	return all
}

func (s *Site) index(cases []siteCase) *siteIndex {
	page := &siteIndex{siteFrame: s.frame(s.Name+": benchmarks", "")}
	commits, machines := map[string]bool{}, map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if n := len(page.Suites); n == 0 || page.Suites[n-1].Name != c.suite {
			page.Suites = append(page.Suites, siteSuite{ID: fmt.Sprintf("suite-%d", n+1), Name: c.suite})
		}
		suite := &page.Suites[len(page.Suites)-1]
		row := s.row(c)
		suite.Rows = append(suite.Rows, row)
		suite.Verdicts = suite.Verdicts || row.Verdict != ""
		for _, p := range c.series[0].Points {
			commits[p.Commit] = true
		}
		for _, m := range c.series[0].Machines {
			machines[m] = true
		}
	}
	page.Changed = s.changed(cases)
	page.Unchanged = "No case has changed its level."
	if text := trend.TooShort(s.Series); text != "" {
		page.Unchanged = "Too early to find changes: " + text + "."
	}
	if n := len(page.Changed) - mostChanged; n > 0 {
		page.Changed = page.Changed[:mostChanged]
		page.More = fmt.Sprintf("Changes at %s more are on the pages of cases.", units.Plural(n, "commit"))
	}
	page.Facts = []table.Fact{{Name: "cases", Value: fmt.Sprint(len(cases))}, {Name: "commits", Value: fmt.Sprint(len(commits))}}
	for m := range machines {
		if len(machines) == 1 {
			page.Facts = append(page.Facts, table.Fact{Name: "machine", Value: m})
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
	row := siteRow{Page: c.page, Name: c.name, Class: "plain", Key: fmt.Sprint(last.Value), Latest: units.Format(last.Value, one.Unit), Spark: figure.TrendSpark(one)}
	change, text := one.Total()
	row.Change = text
	if text != "" {
		row.ChangeKey = fmt.Sprint(math.Abs(change))
	}
	switch {
	case len(one.Changes) > 0 && one.Badness() > 0:
		row.Class = "bad"
	case len(one.Changes) > 0:
		row.Class = "good"
	case one.Notable():
		row.Class = "doubtful"
	}
	if one.Notable() {
		row.ChangeClass = row.Class
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

func changeOf(s *trend.Series, c *trend.Change) siteChange {
	at, last := &s.Points[c.At], &s.Points[c.Last]
	return siteChange{Commit: refOf(at), Last: refOf(last), Date: at.When.Format("2 Jan 2006"), Subject: at.Subject,
		Change: units.Signed(c.Relative(), units.Tenths), Levels: units.Format(c.Before, s.Unit) + " → " + units.Format(c.After, s.Unit), Class: classOf(c)}
}

func short(commit string) string {
	if commit == "" {
		return "unknown"
	}
	return display.Commit(commit)
}

type siteCasePage struct {
	siteFrame
	Suite, Count string
	Metrics      []siteMetric
	Heads        []string
	Machines     bool // there are several
	Commits      []siteCommit
}

type siteMetric struct {
	ID, Name, Summary string
	Drawing           *htmlDrawing
	Changes           []siteChange
	Subjects          bool // at least one change has a subject
}

type siteCommit struct {
	Commit        siteRef
	Date, Machine string
	Values        []string
}

func (s *Site) casePage(c *siteCase) *siteCasePage {
	page := &siteCasePage{siteFrame: s.frame(c.name+" over commits", "../"), Suite: c.suite}
	page.Name = c.name
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
			m.Changes = append(m.Changes, changeOf(one, &one.Changes[k]))
			m.Subjects = m.Subjects || m.Changes[k].Subject != ""
		}
		page.Metrics = append(page.Metrics, m)
		page.Heads = append(page.Heads, one.Metric)
	}
	first := c.series[0]
	page.Machines = len(first.Machines) > 1
	page.Count = units.Plural(len(first.Points), "commit") + " in numbers"
	for _, p := range slices.Backward(first.Points) {
		row := siteCommit{Commit: refOf(&p), Date: p.When.Format("2 Jan 2006"), Machine: first.Machines[p.Machine]}
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
