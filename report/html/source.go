package html

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// mostLines bounds the lines of suite files on a page. Each is an element, and a file of
// 256 KiB can have 130,000.
const mostLines = 6000

// htmlFile is a suite file as it was when the suite ran.
type htmlFile struct {
	File, Suite, Left string // the suite, if another one has a file of this name
	Lines             []htmlLine
}

type htmlLine struct {
	ID     string
	Number int
	Text   string
	Class  string // of the worst gate on this line
}

// breaks replaces the line breaks of YAML 1.1, by which places in suite files are
// counted.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n", "\t", "    ")

// files adds the suite files that the page has room for, and the anchor of each of their
// lines.
func (p *htmlPage) files(doc *result.Document) {
	p.places = map[string]string{}
	worst := worstGates(doc)
	suites := suitesOf(doc)
	shown := 0
	for i := range doc.Suites {
		for _, f := range doc.Suites[i].Sources {
			one := htmlFile{File: f.File}
			if suites[f.File] > 1 {
				one.Suite = doc.Suites[i].Name
			}
			lines := strings.Split(strings.TrimSuffix(breaks.Replace(f.Text), "\n"), "\n")
			switch {
			case f.Left > 0:
				one.Left = "not in the result: it has " + units.Format(float64(f.Left), "B")
			case shown+len(lines) > mostLines:
				one.Left = fmt.Sprintf("not on this page: it has %s; the result as JSON holds it", units.Plural(len(lines), "line"))
			default:
				shown += len(lines)
				p.lines(&one, lines, doc.Suites[i].Name, f.File, worst)
			}
			p.Files = append(p.Files, one)
		}
	}
}

// suitesOf counts the suites that have a file of a name: results of two folders may each
// have a suite.yaml.
func suitesOf(doc *result.Document) map[string]int {
	n := map[string]int{}
	for i := range doc.Suites {
		for _, f := range doc.Suites[i].Sources {
			n[f.File]++
		}
	}
	return n
}

func (p *htmlPage) lines(f *htmlFile, lines []string, suite, file string, worst map[string]table.Class) {
	id := fmt.Sprintf("file-%d-", len(p.Files)+1)
	for i, text := range lines {
		at := lineOf(suite, diag.Place{File: file, Line: i + 1})
		f.Lines = append(f.Lines, htmlLine{id + strconv.Itoa(i+1), i + 1, text, className(worst[at])})
		if p.places[at] == "" {
			p.places[at] = f.Lines[i].ID
		}
	}
}

// worstGates finds the class of the worst gate of each line.
func worstGates(doc *result.Document) map[string]table.Class {
	worst := map[string]table.Class{}
	for i := range doc.Cases {
		for k := range doc.Cases[i].Gates {
			g := &doc.Cases[i].Gates[k]
			at := lineOf(doc.Cases[i].Suite, g.Place)
			if class := table.MarkOf(g).Tone; ranks[class] > ranks[worst[at]] {
				worst[at] = class
			}
		}
	}
	return worst
}

// The key of a line is file:line in the files of a suite.
func lineOf(suite string, at diag.Place) string {
	return suite + "\x00" + at.File + ":" + strconv.Itoa(at.Line)
}

// anchorOf finds the anchor of file:line:col of a suite. It is "" if the page does not
// show that line.
func (p *htmlPage) anchorOf(suite, place string) string {
	at := strings.LastIndexByte(place, ':')
	if at < 0 {
		return ""
	}
	return p.places[suite+"\x00"+place[:at]]
}
