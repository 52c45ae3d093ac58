// Package csv writes results as comma-separated values, in SI base units: a row for each sample,
// for each metric of a case, or for each arc of pegs.
package csv

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Render writes one row per sample of a case and of its base, in the order in which they
// were taken: RFC 4180 with a heading, numbers in SI base units, empty if a sample has
// none. Texts are escaped, so that neither a terminal nor a spreadsheet runs them.
// Parameters and metrics are columns.
func Render(w io.Writer, doc *result.Document, _ table.Options) error {
	t := &csvWriter{w: bufio.NewWriter(w), params: paramNames(doc), metrics: sampledNames(doc)}
	t.row(slices.Concat(sampleHeads, t.heads(), t.metrics))
	for i := range doc.Cases {
		t.bothSides(&doc.Cases[i])
		doc.Cases[i].Forget()
	}
	return t.w.Flush()
}

var sampleHeads = []string{"suite", "case", "side", "launch", "block", "sample", "at", "iterations", "disturbed",
	"censored"}

func (t *csvWriter) bothSides(c *result.Case) {
	t.samples(c, "candidate", &c.Samples, c.Iterations)
	if c.Pairs != nil {
		t.samples(c, "base", &c.Pairs.Samples, c.Pairs.Iterations)
	}
}

type csvWriter struct {
	w       *bufio.Writer
	params  []string // names, in the order in which cases show them
	metrics []string
	before  []byte // the start of each row of samples
	line    []byte
}

// heads returns the headings of the parameters: param.size.
func (t *csvWriter) heads() (heads []string) {
	for _, name := range t.params {
		heads = append(heads, "param."+name)
	}
	return heads
}

// values returns the parameters of a case, in the order of the columns.
func (t *csvWriter) values(c *result.Case) (values []string) {
	for _, name := range t.params {
		values = append(values, paramText(c, name))
	}
	return values
}

func paramText(c *result.Case, name string) string {
	for _, p := range c.Params {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

func (t *csvWriter) row(fields []string) {
	t.line = t.line[:0]
	for _, f := range fields {
		t.line = append(appendField(t.line, f), ',')
	}
	t.end()
}

// end writes the line, without the comma after its last field.
func (t *csvWriter) end() {
	t.line[len(t.line)-1] = '\n'
	t.w.Write(t.line) // Flush returns the error
}

// samples writes the rows of one side.
func (t *csvWriter) samples(c *result.Case, side string, s *result.Samples, iterations int64) {
	front, after := slices.Clone(t.before), []byte(nil)
	for _, f := range []string{c.Suite, c.Name, side} {
		front = append(appendField(front, f), ',')
	}
	for _, f := range t.values(c) {
		after = append(appendField(after, f), ',')
	}
	columns := make([]result.Column, len(t.metrics))
	for i, name := range t.metrics {
		columns[i] = s.Columns[name]
	}
	disturbed, censored := s.Disturbed, s.Censored
	for i := range s.Block {
		t.line = append(t.line[:0], front...)
		for _, n := range []int64{int64(s.Launch[i]), int64(s.Block[i]), int64(i)} {
			t.line = append(strconv.AppendInt(t.line, n, 10), ',')
		}
		t.line = append(appendExactly(t.line, s.At[i]), ',')
		t.line = append(strconv.AppendInt(t.line, iterations, 10), ',')
		if len(disturbed) > 0 && disturbed[0].Index == i {
			t.line, disturbed = appendField(t.line, string(disturbed[0].Cause)), disturbed[1:]
		}
		t.line = append(t.line, ',')
		if len(censored) > 0 && censored[0] == i {
			t.line, censored = append(t.line, "true"...), censored[1:]
		}
		t.line = append(append(t.line, ','), after...)
		for _, column := range columns {
			if column != nil && column[i] == column[i] { // absent is not a number
				t.line = appendExactly(t.line, column[i])
			}
			t.line = append(t.line, ',')
		}
		t.end()
	}
}

// formula contains the characters that start a formula in a spreadsheet, in full width too.
const formula = "=+-@＝＋－＠"

// Text returns a text that is safe to show: Visible, and with an apostrophe in front if
// a spreadsheet would run it as a formula, as OWASP advises. Numbers stay numbers.
func Text(s string) string {
	s = display.Visible(s)
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "' ")); !strings.ContainsRune(formula, first) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// appendField appends a text made safe by Text, quoted if it needs that.
func appendField(line []byte, s string) []byte {
	s = Text(s)
	if s == "" || !strings.ContainsAny(s, "\",") && s[0] != ' ' {
		return append(line, s...)
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(s, `"`, `""`)...)
	return append(line, '"')
}

// paramNames returns the parameters of all cases, in the order of their first use.
func paramNames(doc *result.Document) (names []string) {
	for i := range doc.Cases {
		for _, p := range doc.Cases[i].Params {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// sampledNames returns the metrics that some sample has: first the ones of
// result.Metrics in its order, then declared ones in the order of their first use.
func sampledNames(doc *result.Document) (names []string) {
	used := map[string]bool{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		for name := range c.Samples.Columns {
			used[name] = true
		}
		if c.Pairs != nil {
			for name := range c.Pairs.Samples.Columns {
				used[name] = true
			}
		}
	}
	add := func(name string) {
		if used[name] {
			names = append(names, name)
			delete(used, name)
		}
	}
	for _, m := range result.Metrics() {
		add(m.Name)
	}
	for i := range doc.Cases {
		for _, d := range doc.Cases[i].Declared {
			add(d.Name)
		}
	}
	return names
}
