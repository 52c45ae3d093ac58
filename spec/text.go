package spec

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Text writes the plan for people: every case with what it runs, its parameters and gates,
// and its settings with where each came from. The error is the one from writing to w.
func (p *Plan) Text(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "suite %s: %s, clock %s\n", p.Suite, cases(len(p.Cases)), strings.Join(p.Timer.Clock, ","))
	if !slices.Equal(p.Timer.Cycle, []string{defaultCycle}) {
		fmt.Fprintf(&b, "  cycle counters: %s\n", strings.Join(p.Timer.Cycle, ","))
	}
	if p.Packages != nil {
		fmt.Fprintf(&b, "  packages: %s\n", words(p.Packages.Patterns))
	}
	if p.Build != nil {
		fmt.Fprintf(&b, "  build: %s\n", words(p.Build.Argv))
	}
	if p.Report != defaultReport {
		fmt.Fprintf(&b, "  report: %s\n", p.Report)
	}
	if p.Unaffected != ByExecution {
		fmt.Fprintf(&b, "  unaffected: %s\n", p.Unaffected)
	}
	if said := p.Errors.text(); said != "" {
		fmt.Fprintf(&b, "  errors: %s\n", said)
	}
	if p.Budget > 0 {
		fmt.Fprintf(&b, "  budget: %s\n", p.Budget)
	}
	if p.Against != nil {
		fmt.Fprintf(&b, "  against: %s\n", againstText(p.Against))
	}
	for i := range p.Cases {
		p.Cases[i].text(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func cases(n int) string {
	if n == 1 {
		return "1 case"
	}
	return fmt.Sprintf("%d cases", n)
}

func (c *Case) text(w io.Writer) {
	fmt.Fprintf(w, "\n%s  (%s)\n", c.Name, c.Place)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(key, value string) {
		if value != "" {
			fmt.Fprintf(t, "  %s\t%s\n", key, oneLine(value))
		}
	}
	line("description", c.Description)
	line(string(c.Kind), c.Function+words(c.Argv)+c.Shell+c.GoTest.text())
	line("harness", c.Harness.text())
	line("tags", strings.Join(c.Tags, ", "))
	for _, p := range c.Params {
		line("parameter", p.Name+" = "+p.Value.Text)
	}
	line("work", lang.FormatNumber(c.Work)+" "+c.Unit)
	if c.Kind != result.KindGo && c.Kind != result.KindGoTest && c.Harness == nil {
		line("stdin", c.Stdin)
		line("stdin text", diag.Clip(c.StdinText))
		line("stdout", c.Stdout)
		line("exit_codes", orWord(c.AnyExit, anyStatus, strings.Trim(fmt.Sprint(c.ExitCodes), "[]")))
		line("reject", strings.Trim(fmt.Sprint(c.Reject), "[]"))
	}
	line("inputs", words(c.Inputs))
	line("requires", words(c.Requires))
	if len(c.Missing) > 0 {
		line("skipped", result.MissingText(c.Missing))
	}
	for _, m := range c.Metrics {
		line("metric", m.text())
	}
	for _, d := range c.Reports {
		line("metric", fmt.Sprintf("%s: reported by the function, %s is better", d.Name, d.Better))
	}
	if c.SameOutput {
		line("same_output", cmp.Or(c.OutputName, "true"))
	}
	line("counters", c.countersText())
	line("pegs", c.pegsText())
	line("env", words(c.Env))
	c.hooks(line)
	for i := range c.Services {
		line("service", c.Services[i].text())
	}
	line("base", c.baseText())
	line("was", words(c.Was))
	line("against", counterpartText(c.Counterpart))
	for _, s := range settings {
		from, ok := c.Origins[s.key]
		compares := c.Base != "" || c.Counterpart != nil
		if ok && (from != FromBuiltin || s.key != judgeKey && s.key != whenUndecidedKey &&
			(s.key != toleranceKey || compares)) {
			fmt.Fprintf(t, "  %s\t%s\t%s\n", s.key, s.show(&c.Settings), from)
		}
	}
	fmt.Fprintf(t, "  %s\t%s\t%s\n", timerKey, c.Timer, c.Origins[timerKey])
	for _, g := range c.Gates {
		line("gate", g.text())
	}
	t.Flush()
}

func (c *Case) countersText() string {
	names := slices.Clone(c.Counters)
	if c.Callgrind {
		names = append(names, "instructions counted by valgrind")
	}
	return strings.Join(names, ", ")
}

func (c *Case) hooks(line func(key, value string)) {
	for _, h := range []struct {
		key  string
		hook *Hook
	}{{"setup", c.Setup}, {"prepare", c.Prepare}, {"conclude", c.Conclude}, {"cleanup", c.Cleanup}} {
		if h.hook != nil {
			line(h.key, words(h.hook.Argv))
		}
	}
}

func (g *Gate) text() string {
	s := oneLine(g.Expr.Value)
	if g.ID != s {
		s = g.ID + ": " + s
	}
	if g.Severity != defaultSeverity {
		s += " (" + g.Severity + ")"
	}
	if g.OnInconclusive != defaultOnInconclusive {
		s += " (inconclusive: " + g.OnInconclusive + ")"
	}
	return s
}

// words prints a command so that its words can be told apart.
func words(argv []string) string {
	quoted := make([]string, len(argv))
	for i, word := range argv {
		quoted[i] = word
		if word == "" || strings.ContainsAny(word, " \t\n\"'\\$") {
			quoted[i] = fmt.Sprintf("%q", word)
		}
	}
	return strings.Join(quoted, " ")
}

func againstText(a *result.Against) string {
	text := a.Asked
	if a.Revision != "" {
		text += ", commit " + a.Revision[:min(10, len(a.Revision))]
	}
	if a.MergeBase {
		text += ", where HEAD has left it"
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"removed", a.Removed}, {"gone, and not in removed", a.Vanished}} {
		if len(list.names) > 0 {
			text += "\n    " + list.what + ": " + strings.Join(list.names, ", ")
		}
	}
	return text
}

func counterpartText(c *result.Counterpart) string {
	if c == nil {
		return ""
	}
	text := string(c.State)
	if c.Name != "" {
		text += " (" + c.Name + " there)"
	}
	if c.Reason != "" {
		text += ": " + c.Reason
	} else if c.Evidence != nil {
		text += ": " + c.Evidence.String()
	}
	return text
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c *Case) pegsText() string {
	switch {
	case !c.Pegs:
		return ""
	case c.PegPoints == nil:
		return "all points, in a pass after the samples"
	}
	return strings.Join(c.PegPoints, ", ") + ", in a pass after the samples"
}

func (c *Case) baseText() string {
	if c.Base == "" || c.Origins[toleranceKey] != FromBuiltin {
		return c.Base
	}
	return c.Base + " (a ratio and no gate; tolerance: adds one)"
}
