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

// trait is a part of what a case is: what it measures, and in which unit. How it is sampled
// and judged is not a trait.
type trait struct {
	name string
	text func(p *Plan, c *Case) string
}

// traits are the traits of a case. A path in the suite's folder is relative to it, so that
// cases of two trees can be compared.
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

// differs finds the first trait in which a case is not what it was as a case of another
// plan: the trait's name, its value now and its value then. differs is false if all
// traits are equal.
func (c *Case) differs(plan *Plan, was *Case, of *Plan) (part, now, then string, differs bool) {
	for _, t := range traits {
		now, then = t.text(plan, c), t.text(of, was)
		if now != then {
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

// The function is marked if it is one of suite's own.
func (c *Case) functionText(p *Plan) string {
	if c.Kind == result.KindGo && p.Packages == nil {
		return c.Function + " of suite itself"
	}
	return c.Function
}

func (c *Case) benchmarkText() string {
	if c.GoTest == nil {
		return c.Harness.text()
	}
	g := *c.GoTest
	g.Top = false
	return g.text()
}

// A benchtime in time is not a trait, because the number of iterations adapts to it.
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

// stdinText is a file, relative to the suite's folder if it is in that folder, or a
// text. It is "" if the case reads nothing.
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

func changedReason(part, now, then, base string) string {
	return fmt.Sprintf("its %s changed from %s in %s to %s", part, diag.Quote(then), base, diag.Quote(now))
}

// Cases can be compared only within a family.
func family(k result.Kind) string {
	switch k {
	case result.KindGo:
		return "a Go function"
	case result.KindGoTest:
		return "a benchmark of gotest:"
	}
	return "a command"
}
