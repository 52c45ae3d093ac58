// Package benchfmt writes results in the Go benchmark format, as benchstat reads it.
package benchfmt

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Render writes the Go benchmark format, as benchstat reads it: one line for each
// observation, which is a block of samples of a function, a run of a command, or a
// launch if there are at least six. benchstat assumes that lines are independent, and
// samples of one block are not. If a case has a base, the base's lines are written too;
// the key "side" distinguishes them: benchstat -col side. Facts that differ from run to
// run are comments, because benchstat makes a table of its own for each value of a key.
func Render(w io.Writer, doc *result.Document, _ table.Options) error {
	b := &benchWriter{
		w:     bufio.NewWriter(w),
		doc:   doc,
		names: map[string]int{},
		units: map[string]result.Direction{},
		set:   map[string]string{},
		cases: map[[2]string]*result.Case{},
	}
	b.head()
	names := make([]string, len(doc.Cases))
	for i := range doc.Cases {
		c := &doc.Cases[i]
		names[i], b.cases[[2]string{c.Suite, c.Name}] = b.name(c), c
	}
	for i := range doc.Cases { // first, because the first side that benchstat sees is what it compares with
		b.base(names[i], &doc.Cases[i])
		doc.Cases[i].Forget()
	}
	for i := range doc.Cases {
		b.candidate(names[i], &doc.Cases[i])
		doc.Cases[i].Forget()
	}
	return b.w.Flush()
}

type benchWriter struct {
	w     *bufio.Writer
	doc   *result.Document
	names map[string]int              // names that are taken, by suite and pkg, with the next number of each
	given map[string]string           // if there are several results: the name of each case, the same in all of them
	units map[string]result.Direction // units whose line was written
	set   map[string]string           // keys and their values
	cases map[[2]string]*result.Case  // by suite and name
	sides bool                        // some case has a base
	line  []byte
}

func (b *benchWriter) head() {
	d, m := b.doc, b.doc.Machine
	b.sides = slices.ContainsFunc(d.Cases, func(c result.Case) bool { return c.Pairs != nil })
	b.comment("%s %s, %s, %s, seed %s",
		d.Tool.Name, d.Tool.Version, d.Tool.Go, d.Started.UTC().Format("2006-01-02 15:04"), d.Seed)
	for _, c := range table.Commits(d) {
		b.comment("%s", c)
	}
	b.key("goos", m.OS)
	b.key("goarch", m.Arch)
	b.key("cpu", m.CPU)
}

// machine sets the keys of the machine that measured a case.
func (b *benchWriter) machine(c *result.Case) {
	m, _ := b.doc.MachineOf(c)
	b.key("goos", m.OS)
	b.key("goarch", m.Arch)
	b.key("cpu", m.CPU)
	b.key("shard", fmt.Sprint(c.Shard))
}

// comment writes a line that every reader of the format ignores.
func (b *benchWriter) comment(format string, args ...any) {
	fmt.Fprintf(b.w, "# %s\n", display.Visible(fmt.Sprintf(format, args...)))
}

// key sets a key for the lines below it, or deletes it if value is empty.
func (b *benchWriter) key(name, value string) {
	value = keyValue(value)
	if b.set[name] == value {
		return
	}
	b.set[name] = value
	fmt.Fprintln(b.w, strings.TrimRight(name+": "+value, " "))
}

// keyValue returns a value as one visible line.
func keyValue(s string) string { return strings.Join(strings.Fields(display.Visible(s)), " ") }

func (b *benchWriter) base(name string, c *result.Case) {
	if c.Status == result.Measured && c.Pairs != nil {
		b.side("base", name, c, &c.Pairs.Samples)
	}
}

func (b *benchWriter) candidate(name string, c *result.Case) {
	if c.Status != result.Measured {
		b.comment("%s: %s", b.doc.Label(c), unmeasured(c))
		return
	}
	b.bounds(c)
	side := ""
	if b.sides {
		side = "candidate"
	}
	b.side(side, name, c, &c.Samples)
}

func (b *benchWriter) side(side, name string, c *result.Case, s *result.Samples) {
	if c.Shard > 0 { // so that no reader compares times of different machines
		b.machine(c)
	}
	b.key("pkg", c.Identity.Package)
	b.key("suite", c.Suite)
	b.key("side", side)
	b.lines(name, c, s, b.columns(c))
}

// unmeasured returns why a case has no numbers.
func unmeasured(c *result.Case) string {
	if c.Failure == nil {
		return "not run"
	}
	return fmt.Sprintf("could not be measured: %s in %s", c.Failure.Cause, c.Failure.Phase)
}

// bounds writes a comment if numbers of a case are bounds, because runs were killed or
// the time is below resolution. The format's own lines cannot express that.
func (b *benchWriter) bounds(c *result.Case) {
	if n := len(c.Samples.Censored); n > 0 {
		b.comment("%s: %d of %d runs were killed by the timeout; their numbers are what they took until then",
			b.doc.Label(c), n, c.Samples.Count())
	}
	if s := c.Summary("time"); s != nil && s.Bound != nil {
		b.comment("%s: below resolution", b.doc.Label(c))
	}
}

// benchColumn is a metric with its unit for benchstat, and the size of that unit in SI
// base units.
type benchColumn struct {
	metric, unit string
	zero         string // unit of a number that is 0: benchstat converts ns to sec for all numbers except 0
	size         float64
	exact, base  string // number of the case and of its base, if the metric has one number for all samples
}

// columns returns the metrics of the lines of a case, time first, and writes the
// direction of each unit that is new.
func (b *benchWriter) columns(c *result.Case) []benchColumn {
	var out []benchColumn
	for _, m := range table.ListedMetrics(c) {
		unit, size := Unit(c, m)
		if m.Unit == "s" && m.Name != "time" { // go test prints ns/op; these are often zero
			unit, size = tidied(unit), 1
		}
		if d, known := b.units[unit]; known && d != m.Direction {
			unit += "-" + string(m.Direction)
		}
		plain, same := unit, func(col benchColumn) bool { return col.zero == tidied(unit) }
		for i := 2; slices.ContainsFunc(out, same); i++ { // x in bytes, and x_bytes
			unit = fmt.Sprintf("%s-%d", plain, i)
		}
		if _, known := b.units[unit]; !known {
			b.units[unit] = m.Direction
			fmt.Fprintf(b.w, "Unit %s better=%s\n", unit, m.Direction)
		}
		col := benchColumn{metric: m.Name, unit: unit, zero: tidied(unit), size: size}
		if s := c.Summary(m.Name); c.Samples.Columns[m.Name] == nil && m.Name != "throughput" {
			col.exact = strconv.FormatFloat(s.Median/size, 'g', table.PlainDigits, 64)
			if c.Pairs != nil {
				col.base = b.ofBase(c, m.Name, size)
			}
		}
		out = append(out, col)
	}
	return out
}

// ofBase returns the base's number of a metric that has one for all samples, empty if
// the base has none.
func (b *benchWriter) ofBase(c *result.Case, metric string, size float64) string {
	s := c.Pairs.Summary(metric) // of another tree
	if base := b.cases[[2]string{c.Suite, c.Pairs.Base}]; c.Pairs.Tree == "" && base != nil {
		s = base.Summary(metric)
	}
	if s == nil {
		return ""
	}
	return strconv.FormatFloat(s.Median/size, 'g', table.PlainDigits, 64)
}

// lines writes the lines of one side.
func (b *benchWriter) lines(name string, c *result.Case, s *result.Samples, columns []benchColumn) {
	parts := make([][]result.Part, len(columns))
	for i := range columns {
		parts[i] = s.Parts(columns[i].metric)
		if columns[i].metric == result.Instructions && c.JudgedByInstructions() {
			parts[i] = countedParts(c, s == &c.Samples)
		}
	}
	var rows []result.Part // of the time, which every sample of suite has; other programs may leave it out
	for _, p := range parts {
		if len(p) > len(rows) {
			rows = p
		}
	}
	if len(rows) == 0 {
		b.comment("%s: there are no samples of it", b.doc.Label(c))
	}
	for _, at := range rows {
		b.line = append(append(b.line[:0], name...), ' ')
		b.line = strconv.AppendInt(b.line, max(1, int64(at.Rows)*c.Iterations), 10)
		for i, col := range columns {
			for len(parts[i]) > 0 && parts[i][0].Number < at.Number {
				parts[i] = parts[i][1:]
			}
			b.line = col.append(b.line, parts[i], at.Number, s == &c.Samples)
		}
		b.line = append(b.line, '\n')
		b.w.Write(b.line) // Flush returns the error
	}
}

// countedParts has a part for each run in which valgrind has counted a side.
func countedParts(c *result.Case, own bool) (parts []result.Part) {
	counted := c.Counted
	if !own {
		counted = c.Pairs.Counted
	}
	if counted == nil {
		return nil
	}
	for i, x := range counted.Runs {
		parts = append(parts, result.Part{Number: i, Rows: 1, Median: x})
	}
	return parts
}

// append adds a number with its unit, or nothing if the part has none.
func (col *benchColumn) append(line []byte, parts []result.Part, number int, own bool) []byte {
	unit, start := col.unit, len(line)+1
	switch {
	case len(parts) > 0 && parts[0].Number == number:
		line = strconv.AppendFloat(append(line, ' '), parts[0].Median/col.size, 'g', table.PlainDigits, 64)
	case col.exact != "" && own:
		line = append(append(line, ' '), col.exact...)
	case col.base != "" && !own:
		line = append(append(line, ' '), col.base...)
	default:
		return line
	}
	if string(line[start:]) == "0" {
		unit = col.zero
	}
	return append(append(line, ' '), unit...)
}
