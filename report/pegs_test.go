package report

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/internal/golden"
	"example.com/suite/report/about"
	"example.com/suite/report/flow"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/report/pegs"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// pegged are the cases of a document that have pegs.
func pegged(doc *result.Document) (cases []flow.Pegged) {
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Pegs != nil {
			cases = append(cases, flow.Pegged{Label: doc.Label(c), Case: c})
		}
	}
	return cases
}

func flowsAll(doc *result.Document, o flow.Options) (flows []flow.Flow) {
	for _, c := range pegged(doc) {
		flows = append(flows, flow.Of(c.Label, c.Case, o))
	}
	return flows
}

// The views of suite pegs, and the reports of a document with pegs.
var pegViews = map[string]func(io.Writer, *result.Document) error{
	"report.txt": func(w io.Writer, d *result.Document) error { return Render(w, "text", d, table.Options{}) },
	"all.txt": func(w io.Writer, d *result.Document) error {
		return Render(w, "text", d, table.Options{View: table.View{All: true}})
	},
	"report.md":    func(w io.Writer, d *result.Document) error { return Render(w, "markdown", d, table.Options{}) },
	"report.junit": func(w io.Writer, d *result.Document) error { return Render(w, "junit", d, table.Options{}) },
	"pegs.json":    func(w io.Writer, d *result.Document) error { return Render(w, "json", d, table.Options{}) },
	"arcs.csv":     func(w io.Writer, d *result.Document) error { return Render(w, "csv-arcs", d, table.Options{}) },
	"flows.txt": func(w io.Writer, d *result.Document) error {
		return writeFlows(w, flowsAll(d, flow.Options{}), text.Options{Width: 100})
	},
	"narrow.txt": func(w io.Writer, d *result.Document) error {
		return writeFlows(w, flowsAll(d, flow.Options{}), text.Options{Width: 60})
	},
	"lanes.txt": func(w io.Writer, d *result.Document) error {
		return writeFlows(w, flowsAll(d, flow.Options{Lanes: true})[1:2], text.Options{Width: 100})
	},
	"sort.txt":       func(w io.Writer, d *result.Document) error { return pegs.ArcLines(w, pegged(d), false) },
	"sort.lanes.txt": func(w io.Writer, d *result.Document) error { return pegs.ArcLines(w, pegged(d)[1:2], true) },
	"tpt.txt":        func(w io.Writer, d *result.Document) error { return pegs.Tpt(w, pegged(d)[:1]) },
	"tpt.all.txt":    func(w io.Writer, d *result.Document) error { return pegs.Tpt(w, pegged(d)) },
	"pegs.dot":       func(w io.Writer, d *result.Document) error { return pegs.DOT(w, pegged(d)) },
	"view.json": func(w io.Writer, d *result.Document) error {
		return pegs.JSON(w, pegged(d)[:1], []string{"check", "emit", "start"})
	},
	"changes.txt": func(w io.Writer, d *result.Document) error {
		return writeFlows(w, []flow.Flow{flow.NewChanges(pegged(d)[0], "the base")}, text.Options{Width: 100})
	},
	"path.txt": func(w io.Writer, d *result.Document) error {
		return writePath(w, pegged(d)[:1], []string{"start", "tokenise", "parse", "check", "emit"})
	},
	"path.exact.txt": func(w io.Writer, d *result.Document) error {
		return writePath(w, pegged(d)[:1], []string{"start", "tokenise", "parse"})
	},
}

func TestPegViews(t *testing.T) {
	doc := reporttest.Flowing()
	if err := doc.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, view := range pegViews {
		var b bytes.Buffer
		if err := view(&b, doc); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden.Check(t, filepath.Join("testdata", "pegs", name), b.String())
	}
}

// Views for people fit the page that they are for.
func TestPegViewsFit(t *testing.T) {
	for _, wide := range []int{60, 80, 100, 160} {
		var b bytes.Buffer
		for _, lanes := range []bool{false, true} {
			if err := writeFlows(&b, flowsAll(reporttest.Flowing(), flow.Options{Lanes: lanes}), text.Options{Width: wide, Color: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := writeFlows(&b, []flow.Flow{flow.NewChanges(pegged(reporttest.Flowing())[0], "a file with a long name.json")}, text.Options{Width: wide}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if n := display.Width(strings.TrimRight(line, "\n")); n > wide {
				t.Errorf("%d columns of %d: %s", n, wide, line)
			}
		}
	}
}

// Whatever points are called, a line of --sort has as many fields as its heading, and
// its names are the names.
func TestSortKeepsColumns(t *testing.T) {
	var b bytes.Buffer
	if err := pegs.ArcLines(&b, pegged(reporttest.Flowing()), true); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for i, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		fields := strings.Fields(line)
		if len(fields) != 14 || fields[1] != "->" {
			t.Errorf("%d fields: %s", len(fields), line)
			continue
		}
		ns, _ := strconv.ParseFloat(fields[7], 64)
		if i > 1 && ns > total {
			t.Errorf("%s after %v", fields[7], total)
		}
		total = ns
	}
}

// A graph that a strict reader of the language takes: statements, quotes that close,
// nodes before their edges, none twice.
func TestDOTIsWellFormed(t *testing.T) {
	var b bytes.Buffer
	if err := pegs.DOT(&b, pegged(reporttest.Flowing())); err != nil {
		t.Fatal(err)
	}
	quoted := `"(?:[^"\\\n]|\\["\\n])*"`
	attributes := `\[\w+=(?:` + quoted + `|[\w.]+)(?:, \w+=(?:` + quoted + `|[\w.]+))*\]`
	statement := regexp.MustCompile(`^\t*(?:digraph pegs \{|subgraph cluster_\d+ \{|\}|(?:rankdir=LR|label=` + quoted + `);|(?:node|edge) ` + attributes + `;|(c\d+_n\d+)(?: -> (c\d+_n\d+))? ` + attributes + `;)$`)
	nodes, edges := map[string]bool{}, 0
	for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		m := statement.FindStringSubmatch(line)
		switch {
		case m == nil:
			t.Errorf("no statement: %s", line)
		case m[2] != "":
			if edges++; !nodes[m[1]] || !nodes[m[2]] {
				t.Errorf("an edge of nodes that are not there: %s", line)
			}
		case m[1] != "":
			if nodes[m[1]] {
				t.Errorf("twice: %s", line)
			}
			nodes[m[1]] = true
		}
	}
	if edges < 40 || strings.Count(b.String(), "{") != strings.Count(b.String(), "}") {
		t.Errorf("%d edges", edges)
	}
}

func writeFlows(w io.Writer, flows []flow.Flow, o text.Options) error {
	var blocks []page.Block
	for i := range flows {
		blocks = append(blocks, about.Flow(&flows[i]))
	}
	return text.Write(w, blocks, o)
}

func writePath(w io.Writer, cases []flow.Pegged, path []string) error {
	blocks, err := about.PathSums(cases, path)
	if err != nil {
		return err
	}
	return text.Write(w, blocks, text.Options{Width: 100})
}
