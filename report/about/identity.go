package about

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Identity describes what a case runs, where it is declared, and the run that measured it.
func Identity(doc *result.Document, c *result.Case) []page.Block {
	m, seed := doc.MachineOf(c)
	if c.Shard > 0 && seed == "" {
		return sentence("A case of shard %d of %d. The result of that shard is missing, and what the case runs is not "+
			"known without it.",
			c.Shard, doc.Division.Count)
	}
	var lines page.Paragraph
	if c.Description != "" {
		lines.Say("%s", c.Description)
	}
	lines.Say("%s, declared at %s.", body(c), cmp.Or(c.Place.String(), "an unknown place"))
	var params []string
	for _, p := range c.Params {
		params = append(params, p.Name+" = "+p.Text)
	}
	if len(params) > 0 {
		lines.Say("Parameters: %s.", strings.Join(params, ", "))
	}
	where := machine(m)
	if c.Shard > 0 {
		where = fmt.Sprintf("shard %d of %d, %s", c.Shard, doc.Division.Count, where)
	}
	lines.Say("Run on %s with %s, %s, seed %s.",
		doc.Started.UTC().Format("2006-01-02 15:04 UTC"), doc.Tool.Name+" "+doc.Tool.Version, where, seed)
	return []page.Block{lines}
}

func machine(m result.Machine) string {
	return strings.TrimSpace(fmt.Sprintf("%s, %s/%s, %s",
		cmp.Or(m.CPU, "an unknown CPU"), m.OS, m.Arch, units.Plural(m.CPUs, "CPU")))
}

func body(c *result.Case) string {
	switch c.Kind {
	case result.KindShell:
		return fmt.Sprintf("The shell line %q", c.Identity.Shell)
	case result.KindGoTest:
		return "The Go benchmark " + c.Identity.Benchmark + " of " + c.Identity.Package
	case result.KindCommand:
		if h := c.Identity.Harness; h != "" {
			return fmt.Sprintf("The benchmark %s of %s in %s", c.Identity.Benchmark, h,
				strings.Join(c.Identity.Argv, " "))
		}
		return "The command " + strings.Join(c.Identity.Argv, " ")
	}
	return "The Go function " + cmp.Or(c.Identity.Function, c.Name)
}

// Origins are what the case runs, how it was measured, and what else its numbers depend on.
func Origins(doc *result.Document, c *result.Case) (facts page.Facts) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, [2]string{name, value})
		}
	}
	add("function", c.Identity.Function)
	add("command", units.List(c.Identity.Argv, number.MostNamed))
	add("shell", c.Identity.Shell)
	add("benchmark", c.Identity.Benchmark)
	add("harness", c.Identity.Harness)
	for _, f := range table.Facts(c) {
		add(strings.TrimPrefix(f.Name, "param."), f.Value)
	}
	add("launches", fmt.Sprint(c.Launches))
	add("sampling ended", string(c.Stop))
	add("machine", table.MachineOf(doc, c))
	return facts
}
