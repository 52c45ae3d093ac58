// Package again makes the gates of a saved document ready to judge it again, from the
// document alone.
package again

import (
	"fmt"

	"example.com/suite/gate"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Gates compiles the gates of a document, for the machines that measured it. Their errors
// are divided among the calls that the document has; see Share.
func Gates(doc *result.Document) (*gate.Compiled, error) {
	set, problems := gate.Compile(sources(doc), names(doc))
	if len(problems) > 0 {
		return nil, fmt.Errorf("the document has gates that cannot be compiled: %w", problems)
	}
	for i := range doc.Suites {
		if doc.IsPartial() {
			set = set.Partial(doc.Suites[i].Name)
		}
	}
	return set.On(func(shard int) gate.Host {
		m, _ := doc.MachineOf(&result.Case{Shard: shard})
		return gate.Host{OS: m.OS, Arch: m.Arch, CPUs: float64(m.CPUs)}
	}), nil
}

// Share returns the gates with the division of errors that the document states, which also
// counts the calls of cases that were not run.
func Share(set *gate.Compiled, doc *result.Document) *gate.Compiled {
	for i := range doc.Suites {
		if s := &doc.Suites[i]; s.Errors != nil {
			set = set.Divided(s.Name, *s.Errors)
		}
	}
	return set
}

// sources returns the gates of the document, in its order. It does not check that cases
// have the pegs that their gates need, because that was checked before the run.
func sources(doc *result.Document) (all []gate.Source) {
	declared := map[string]gate.Declared{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if declared[c.Suite] == nil {
			declared[c.Suite] = gate.Declared{}
		}
		if len(c.Declared) > 0 {
			declared[c.Suite][c.Name] = c.Declared
		}
	}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		for _, g := range c.Gates {
			all = append(all,
				basis(doc, c, gate.Source{
					Suite:          c.Suite,
					Case:           c.Name,
					Kind:           c.Kind,
					ID:             g.ID,
					Expr:           lang.Text{Value: g.Expr, Place: g.Place},
					Severity:       g.Severity,
					OnInconclusive: g.OnInconclusive,
					Params:         c.Params,
					Metrics:        optIn(),
					Callgrind:      c.Settings.Callgrind,
					ByInstructions: c.Settings.WhenUndecided == result.JudgeInstructions,
					Pegs:           true,
					Declared:       declared[c.Suite],
					Shard:          c.Shard,
				}))
		}
	}
	return all
}

// optIn returns all metrics that a case must ask for. Whether the case asked was checked before
// the run.
func optIn() (metrics []string) {
	for _, m := range result.Metrics() {
		if m.OptIn != "" {
			metrics = append(metrics, m.Name)
		}
	}
	return metrics
}

func names(doc *result.Document) map[string][]string {
	all := map[string][]string{}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		all[c.Suite] = append(all[c.Suite], c.Name)
	}
	return all
}
