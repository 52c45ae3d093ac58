package html

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/report/column"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// mostLines bounds the lines of suite files on a page. Each is an element, and a file of
// 256 KiB can have 130,000.
const mostLines = 6000

// breaks replaces the line breaks of YAML 1.1, by which places in suite files are
// counted.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n", "\t", "    ")

// addFiles adds the suite files, as they were when the suite ran, that the page has room for.
func (r *report) addFiles() {
	r.lines = map[string]string{}
	worst := worstGates(r.doc)
	of := filesOf(r.doc)
	shown := 0
	for i := range r.doc.Suites {
		suite := r.doc.Suites[i].Name
		for _, f := range r.doc.Suites[i].Sources {
			name := f.File
			if of[f.File] > 1 {
				name += " of " + suite
			}
			texts := strings.Split(strings.TrimSuffix(breaks.Replace(f.Text), "\n"), "\n")
			switch {
			case f.Left > 0:
				r.files = append(r.files, hint(name+": not in the result: it has "+units.Format(float64(f.Left), "B")))
			case shown+len(texts) > mostLines:
				r.files = append(r.files,
					hint(fmt.Sprintf("%s: not on this page: it has %s; the result as JSON holds it",
						name, units.Plural(len(texts), "line"))))
			default:
				shown += len(texts)
				r.files = append(r.files, page.Folded(name, r.listing(texts, suite, f.File, worst)))
			}
		}
	}
}

// filesOf counts the suites that have a file of a name: results of two folders may each
// have a suite.yaml.
func filesOf(doc *result.Document) map[string]int {
	n := map[string]int{}
	for i := range doc.Suites {
		for _, f := range doc.Suites[i].Sources {
			n[f.File]++
		}
	}
	return n
}

func (r *report) listing(texts []string, suite, file string, worst map[string]page.Tone) (all page.Listing) {
	for i, text := range texts {
		at := lineOf(suite, diag.Place{File: file, Line: i + 1})
		id := fmt.Sprintf("file-%d-%d", len(r.files)+1, i+1)
		all = append(all, page.Listed{Text: text, Tone: worst[at], ID: id})
		if r.lines[at] == "" {
			r.lines[at] = id
		}
	}
	return all
}

// worstGates finds the tone of the worst gate of each line.
func worstGates(doc *result.Document) map[string]page.Tone {
	worst := map[string]page.Tone{}
	for i := range doc.Cases {
		for k := range doc.Cases[i].Gates {
			g := &doc.Cases[i].Gates[k]
			at := lineOf(doc.Cases[i].Suite, g.Place)
			if tone := column.MarkOf(g).Tone; column.Urgency(tone) > column.Urgency(worst[at]) {
				worst[at] = tone
			}
		}
	}
	return worst
}

// The key of a line is file:line in the files of a suite.
func lineOf(suite string, at diag.Place) string {
	return suite + "\x00" + at.File + ":" + strconv.Itoa(at.Line)
}

// lineAt leads to file:line:col of a suite. It is empty if the page does not show that line.
func (r *report) lineAt(suite, place string) string {
	id := ""
	if at := strings.LastIndexByte(place, ':'); at >= 0 {
		id = r.lines[suite+"\x00"+place[:at]]
	}
	if id == "" {
		return ""
	}
	return "#" + id
}

// link makes rows lead to their cases, and gates and failures to their lines in the suite files.
func (r *report) link() {
	t := r.table
	for i := range t.Failures {
		t.Failures[i].To = r.lineAt(t.Failures[i].Suite, t.Failures[i].Place)
	}
	for i := range t.Gates {
		t.Gates[i].To = r.lineAt(t.Gates[i].Suite, t.Gates[i].Place)
	}
	r.eachCase(func(c *result.Case, row *table.Row) {
		if id := r.chosen[c]; id != "" {
			row.To = "#" + id
		}
		for i := range row.Gates {
			row.Gates[i].To = r.lineAt(c.Suite, row.Gates[i].Place)
		}
	})
}
