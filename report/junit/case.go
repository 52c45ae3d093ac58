package junit

import (
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// xmlCase is one gate, or a case without gates. At most one of Failure, Error and
// Skipped is set.
type xmlCase struct {
	Name       string         `xml:"name,attr"`
	Class      string         `xml:"classname,attr"`
	Time       string         `xml:"time,attr"`
	File       string         `xml:"file,attr,omitempty"`
	Line       int            `xml:"line,attr,omitempty"`
	Properties *xmlProperties `xml:"properties"`
	Failure    *xmlOutcome    `xml:"failure"`
	Error      *xmlOutcome    `xml:"error"`
	Skipped    *xmlOutcome    `xml:"skipped"`
	Out        *string        `xml:"system-out"`
}

// xmlOutcome always has text: one consumer shows nothing else, and treats an element
// with only a type as absent.
type xmlOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func outcome(kind, message, text string) *xmlOutcome {
	message = named(display.FirstLine(display.StripANSI(message)))
	text = display.XML(text)
	if strings.TrimSpace(text) == "" {
		text = message
	}
	return &xmlOutcome{message, kind, text}
}

// cases makes the test cases of one row. The name of each contains the case as well
// as the gate: ids such as "tolerance" occur in every case, names must be unique in
// the file, and some consumers show only the name.
func (x *xmlWriter) cases(g *table.Group, r *table.Row) []xmlCase {
	if len(r.Gates) == 0 {
		c := x.newCase(g, r, r.Name, r.File, r.Line)
		x.broken(&c, r)
		return []xmlCase{c}
	}
	var out []xmlCase
	for i := range r.Gates {
		gate := &r.Gates[i]
		c := x.newCase(g, r, r.Name+": "+gate.ID, gate.File, gate.Line)
		if i > 0 { // consumers add the times up, and would count the case once per gate
			c.Time = table.Decimals(0)
		}
		if !x.broken(&c, r) {
			x.judged(&c, r, gate)
		}
		if x.rich {
			c.Properties.List = append(c.Properties.List, property("expr", gate.Expr), property("form", gate.Form))
		}
		out = append(out, c)
	}
	return out
}

func (x *xmlWriter) newCase(g *table.Group, r *table.Row, name, file string, line int) xmlCase {
	c := xmlCase{Name: x.names.Name(named(name)), Class: named(g.Package) + "." + named(r.Name), Time: r.Seconds}
	if !x.rich {
		return c
	}
	c.Properties = &xmlProperties{}
	c.File = display.XML(file)
	if c.File != "" {
		c.Line = line
	}
	for _, f := range r.Facts {
		c.Properties.List = append(c.Properties.List, property(f.Name, f.Value))
	}
	if r.Evidence != "" {
		text := display.XML(r.Evidence)
		c.Out = &text
	}
	return c
}

// broken sets the error of a case that was not measured. It reports whether it did.
func (x *xmlWriter) broken(c *xmlCase, r *table.Row) bool {
	switch {
	case r.Failure != nil:
		c.Error = outcome(kindOf(r.Failure.Cause), r.Failure.Message, failureText(r.Failure))
	case r.NotRun && x.table.Outcome.Word == "INTERRUPTED":
		x.skip(c, "interrupted", "interrupted before it was measured", r.Place)
	case r.NotRun:
		c.Error = outcome("not_run", "it was not reached", "it was not reached\n"+r.Place)
	case r.Skipped != "":
		x.skip(c, "skipped", r.Skipped, r.Skipped+"\n"+r.Place)
	default:
		return false
	}
	return true
}

// cast lists the types that GitLab takes for the type of the text, and converts it.
var cast = []string{"integer", "boolean", "date", "datetime", "float", "double", "decimal", "duration", "symbol",
	"yaml", "file", "base64Binary", "hexBinary", "array", "string"}

// kindOf makes a cause the type of an outcome.
func kindOf(cause string) string {
	if kind := named(cause); !slices.ContainsFunc(cast, func(c string) bool { return strings.EqualFold(c, kind) }) {
		return kind
	}
	return "error"
}

func failureText(f *table.Failure) string {
	lines := append([]string{f.Title + ": " + f.Message, f.Ended}, f.Lines...)
	if f.Hint != "" {
		lines = append(lines, "hint: "+f.Hint)
	}
	return strings.Join(table.NotEmpty(append(lines, f.Place)), "\n")
}

// judged maps a verdict. Gates that only warn and failures that are accepted are
// skipped, with their evidence: they must neither turn a report red nor count as
// green.
func (x *xmlWriter) judged(c *xmlCase, r *table.Row, g *table.Gate) {
	message := g.Verdict
	if g.Reason != "" {
		message = g.Reason
	}
	text := table.GateText(r, g)
	switch {
	case g.Verdict == string(result.Pass):
	case g.Verdict == string(result.NotJudged) && g.Uncompared != "":
		x.skip(c, "skipped", "not-comparable: "+g.Uncompared, text)
	case g.Verdict == string(result.NotJudged):
		x.skip(c, "skipped", message, text)
	case g.Warn:
		x.skip(c, "warning", "warning only: "+message, text)
	case g.Verdict == string(result.Fail) && !g.Fatal:
		x.skip(c, "accepted", g.Term+": "+message, text)
	case g.Verdict == string(result.Fail):
		c.Failure = outcome("limit", message, text)
	case g.Verdict == string(result.Inconclusive) && g.Fatal:
		c.Failure = outcome("inconclusive", message, text)
	case g.Verdict == string(result.Inconclusive):
		x.skip(c, "inconclusive", "inconclusive: "+message, text)
	default:
		c.Error = outcome("gate", message, text)
	}
}

// skip sets no type in the strict profile, because only one of its schemas allows it.
func (x *xmlWriter) skip(c *xmlCase, kind, message, text string) {
	if !x.rich {
		kind = ""
	}
	c.Skipped = outcome(kind, message, text)
}
