package explain

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Choose returns the cases that patterns mean, in the order of the document. Without patterns
// they are the cases that could not be measured or have a gate that did not pass or, if there are
// none, all cases. match reports whether a pattern means a name. Every pattern must mean a case.
func Choose(doc *result.Document, patterns []string, match func(pattern, name string) bool) ([]*result.Case, error) {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(Names(doc), func(name string) bool { return match(pattern, name) }) {
			return nil, noSuchCase(doc, pattern)
		}
	}
	wanted := func(c *result.Case) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool { return match(pattern, c.Name) })
	}
	if len(patterns) == 0 {
		wanted = isTroubled
	}
	cases := pick(doc, wanted)
	if len(cases) == 0 {
		cases = pick(doc, func(*result.Case) bool { return true })
	}
	if len(cases) == 0 {
		return nil, diag.Hinted("the result has no cases", "")
	}
	return cases, nil
}

func pick(doc *result.Document, wanted func(*result.Case) bool) (cases []*result.Case) {
	for i := range doc.Cases {
		if wanted(&doc.Cases[i]) {
			cases = append(cases, &doc.Cases[i])
		}
	}
	return cases
}

// isTroubled reports whether a case could not be measured or has a gate that did not pass.
func isTroubled(c *result.Case) bool {
	return c.Status != result.Measured ||
		slices.ContainsFunc(c.Gates, func(g result.Gate) bool { return g.Verdict != result.Pass })
}

func noSuchCase(doc *result.Document, pattern string) error {
	names := Names(doc)
	hint := fmt.Sprintf("it has %s, the first is %q", units.Plural(len(names), "case"), append(names, "")[0])
	if near, ok := diag.Nearest(pattern, names); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if n := diag.Containing(pattern, names); n > 0 {
		hint = fmt.Sprintf("'*%s*' matches %s", pattern, units.Plural(n, "case"))
	}
	return diag.Hinted(fmt.Sprintf("the result has no case %q", pattern), hint)
}

// Names lists the cases of a document in its order.
func Names(doc *result.Document) (names []string) {
	for i := range doc.Cases {
		names = append(names, doc.Cases[i].Name)
	}
	return names
}
