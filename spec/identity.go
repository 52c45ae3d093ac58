package spec

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// trait is a part of what a case is: what is measured, and in which unit. How it
// is sampled and judged is none.
type trait struct {
	name string
	text func(p *Plan, c *Case) string
}

// traits of a case. Paths are absolute, so that cases can be compared that are
// planned in one folder.
var traits = []trait{
	{"kind", func(_ *Plan, c *Case) string { return kindOf(c.Kind) }},
	{"function", func(p *Plan, c *Case) string { return c.functionText(p) }},
	{"command", func(_ *Plan, c *Case) string { return words(c.Argv) }},
	{"shell text", func(_ *Plan, c *Case) string { return c.Shell }},
	{"benchmark", func(_ *Plan, c *Case) string { return c.benchmarkText() }},
	{"parameters", func(_ *Plan, c *Case) string { return paramsText(c.Params) }},
	{"unit", func(_ *Plan, c *Case) string { return c.Unit }},
	{"work", func(_ *Plan, c *Case) string { return lang.FormatNumber(c.Work) }},
	{"standard input", func(p *Plan, c *Case) string { return c.stdinText(p.Dir) }},
	{"batch", func(_ *Plan, c *Case) string { return orWord(c.Settings.Batch == 0, "auto", c.Settings.Batch) }},
	{"benchtime", func(_ *Plan, c *Case) string { return c.benchtimeText() }},
}

// Differs says in what a case of a plan is not what it was as a case of another
// one, in the same folder: the part's name, and what it is and was. differs is
// false where they are the same.
func (c *Case) Differs(plan *Plan, was *Case, of *Plan) (part, now, then string, differs bool) {
	for _, t := range traits {
		if now, then = t.text(plan, c), t.text(of, was); now != then {
			return t.name, cmp.Or(now, "none"), cmp.Or(then, "none"), true
		}
	}
	return "", "", "", false
}

func kindOf(k result.Kind) string {
	if k == result.KindShell {
		return "a line for a shell"
	}
	return family(k)
}

// functionText tells functions of packages from those of suite itself.
func (c *Case) functionText(p *Plan) string {
	if c.Kind == result.KindGo && p.Packages == nil {
		return c.Function + " of suite itself"
	}
	return c.Function
}

func (c *Case) benchmarkText() string {
	if c.GoTest == nil {
		return ""
	}
	g := *c.GoTest
	g.Top = false
	return g.text()
}

// benchtimeText is that of a fixed number of iterations: a time is a wish.
func (c *Case) benchtimeText() string {
	if c.Settings.Benchtime.N == 0 {
		return "auto"
	}
	return c.Settings.Benchtime.String()
}

func paramsText(params []Param) string {
	var all []string
	for _, p := range params {
		all = append(all, p.Name+" = "+p.Value.Text)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// stdinText is what it reads: a file, relative to the folder of the suite file where
// it lies in there, or a text.
func (c *Case) stdinText(dir string) string {
	switch rel, err := filepath.Rel(dir, c.Stdin); {
	case c.Stdin == "" && c.StdinText == "":
		return ""
	case c.Stdin == "":
		return "text " + strconv.Quote(c.StdinText)
	case err == nil && filepath.IsLocal(rel):
		return filepath.ToSlash(rel)
	}
	return c.Stdin
}

// changedReason says of two texts that they differ, as far as a line holds them.
func changedReason(part, now, then, base string) string {
	return fmt.Sprintf("its %s changed from %s in %s to %s", part, diag.Quote(then), base, diag.Quote(now))
}
