// Package junit writes a table as JUnit XML, in a rich and in a strict profile.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/about"
	"example.com/suite/report/table"
)

// JUnit XML has no standard. The rich profile has what current consumers show:
// totals, file and line, properties and output of each test case. The strict profile
// has only what the schemas of Ant and Jenkins accept. Surefire's schema accepts its
// suites too, without package, id, hostname, system-out and system-err, which Ant
// requires. In both profiles a test case is one gate, or a case without gates.

// Render writes the rich profile.
func Render(w io.Writer, t *table.Table, _ table.Options) error { return junit(w, t, true) }

// RenderStrict writes the strict profile.
func RenderStrict(w io.Writer, t *table.Table, _ table.Options) error { return junit(w, t, false) }

// mostTests is the number of test cases after which a suite is split: some consumers
// refuse more than 5,000 results.
const mostTests = 5000

func junit(w io.Writer, t *table.Table, rich bool) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(newXMLSuites(t, rich)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type xmlSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Totals  []xml.Attr `xml:",any,attr"` // none in the strict profile
	Suites  []xmlSuite `xml:"testsuite"`
}

// xmlSuite has its attributes in the order of the strict profile, which requires
// properties, system-out and system-err even if they are empty.
type xmlSuite struct {
	Name       string        `xml:"name,attr"`
	Package    string        `xml:"package,attr"`
	ID         int           `xml:"id,attr"`
	Timestamp  string        `xml:"timestamp,attr"` // UTC, without zone and fraction
	Hostname   string        `xml:"hostname,attr"`
	Tests      int           `xml:"tests,attr"`
	Failures   int           `xml:"failures,attr"`
	Errors     int           `xml:"errors,attr"`
	Skipped    int           `xml:"skipped,attr"`
	Time       string        `xml:"time,attr"`
	Properties xmlProperties `xml:"properties"`
	Cases      []xmlCase     `xml:"testcase"`
	Out        *string       `xml:"system-out"`
	Err        *string       `xml:"system-err"`
}

type xmlProperties struct {
	List []xmlProperty `xml:"property"`
}

type xmlProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// addCase appends a test case and counts it.
func (s *xmlSuite) addCase(c xmlCase) {
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// xmlWriter turns a table into test suites.
type xmlWriter struct {
	table *table.Table
	rich  bool
	names table.Distinct // of test cases
}

func newXMLSuites(t *table.Table, rich bool) *xmlSuites {
	x := &xmlWriter{table: t, rich: rich, names: table.Distinct{}}
	out, names := &xmlSuites{}, table.Distinct{}
	for i := range t.Groups {
		for _, part := range t.Groups[i].Parts(mostTests) {
			out.Suites = append(out.Suites, x.suite(&part, len(out.Suites), names))
		}
	}
	if out.count().tests == 0 {
		out.Suites = x.nothing(out.Suites)
	} else if t.Outcome.Word == "REFUSED" {
		x.refused(&out.Suites[0])
	}
	for i := range t.Groups {
		if t.Groups[i].Fitness.Unfit {
			x.unfit(&out.Suites[0], t.Groups[i].Fitness.Text)
		}
	}
	if rich {
		out.Totals = out.count().attrs(t.Seconds)
	}
	return out
}

type counts struct{ tests, failures, errors, skipped int }

func (s *xmlSuites) count() (n counts) {
	for i := range s.Suites {
		p := &s.Suites[i]
		n = counts{n.tests + p.Tests, n.failures + p.Failures, n.errors + p.Errors, n.skipped + p.Skipped}
	}
	return n
}

func (n counts) attrs(seconds string) []xml.Attr {
	attr := func(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }
	return []xml.Attr{
		attr("name", "suite"), attr("tests", strconv.Itoa(n.tests)), attr("failures", strconv.Itoa(n.failures)),
		attr("errors", strconv.Itoa(n.errors)), attr("skipped", strconv.Itoa(n.skipped)), attr("time", seconds),
	}
}

func (x *xmlWriter) suite(g *table.Group, id int, names table.Distinct) xmlSuite {
	s := xmlSuite{
		Name: names.Name(named(g.Name)), Package: named(g.Package), ID: id,
		Timestamp: x.table.Started.Format("2006-01-02T15:04:05"),
		Hostname:  "localhost", // a result document does not name its machine
		Time:      g.Seconds, Properties: xmlProperties{x.properties(g)},
	}
	var out strings.Builder
	for i := range g.Rows {
		r := &g.Rows[i]
		for _, c := range x.cases(g, r) {
			s.addCase(c)
		}
		if r.Evidence != "" {
			fmt.Fprintf(&out, "%s: %s\n", display.Token(r.Name), r.Evidence)
		}
	}
	if !x.rich {
		text := display.XML(out.String())
		s.Out, s.Err = &text, new(string)
	}
	return s
}

func (x *xmlWriter) properties(g *table.Group) []xmlProperty {
	t := x.table
	list := []xmlProperty{
		property("tool", t.Tool), property("machine", strings.Join(t.Machine, ", ")), property("seed", t.Seed),
		property("file", g.File), property("hash", g.Hash),
	}
	if g.Commit != "" {
		list = append(list, property("commit", g.Commit))
	}
	for i, a := range g.Against {
		name := "against"
		if i > 0 {
			name = "against.note"
		}
		list = append(list, property(name, strings.TrimPrefix(a, "against ")))
	}
	if g.Unaffected != "" {
		list = append(list, property("cases", g.Unaffected))
	}
	if g.Fitness.Text != "" {
		list = append(list, property("sentinel", g.Fitness.Text))
	}
	for _, c := range g.Clock {
		list = append(list, property("calibration", c))
	}
	for _, o := range g.Orders {
		list = append(list, property("growth", about.GrowthLine(o)))
	}
	return list
}

func property(name, value string) xmlProperty {
	return xmlProperty{named(name), display.XML(value)}
}

// nothing adds an error to a report without test cases: consumers show an empty
// report as green.
func (x *xmlWriter) nothing(suites []xmlSuite) []xmlSuite {
	if len(suites) == 0 {
		suites = []xmlSuite{x.suite(&table.Group{Name: "suite", Package: "suite", Seconds: x.table.Seconds}, 0,
			table.Distinct{})}
	}
	s := &suites[0]
	message := x.table.Outcome.Text
	s.addCase(xmlCase{Name: "measured", Class: s.Name, Time: s.Time, Error: outcome("empty", message, message)})
	return suites
}

// refused adds a failure for a strict run that no gate has failed.
func (x *xmlWriter) refused(s *xmlSuite) {
	message := x.table.Outcome.Text
	s.addCase(xmlCase{
		Name:    x.names.Name("strict"),
		Class:   s.Package,
		Time:    "0.000",
		Failure: outcome("strict", message, x.table.Outcome.String()),
	})
}

// unfit adds a failure for a machine that cannot judge, because no gate fails then
// and the report would be green.
func (x *xmlWriter) unfit(s *xmlSuite, message string) {
	s.addCase(xmlCase{
		Name:    x.names.Name("machine"),
		Class:   s.Package,
		Time:    "0.000",
		Failure: outcome("unfit", message, message),
	})
}

// named replaces an empty name, which schemas forbid.
func named(s string) string {
	s = display.Token(s)
	if s == "" {
		return "unnamed"
	}
	return s
}
