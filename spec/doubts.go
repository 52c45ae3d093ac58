package spec

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
)

// Doubts finds what is allowed in a suite file but hardly meant: a limit of whole seconds
// without a unit, and the tolerance of a benchmark whose cases have no base, in a run
// that compares no trees.
func (p *Plan) Doubts() (doubts diag.Problems) {
	for i := range p.Cases {
		for _, g := range p.Cases[i].Gates {
			doubts = append(doubts, unitless(g.Expr)...)
		}
	}
	doubts = doubts.Unique()
	if p.Against != nil {
		return doubts
	}
	compares := map[diag.Place]bool{}
	var places []diag.Place
	for i := range p.Cases {
		c := &p.Cases[i]
		switch c.Origins[toleranceKey] {
		case FromBuiltin, FromSuite, FromDefaults: // for --against, which not every run has
			continue
		}
		at := c.tolerance
		if at == (diag.Place{}) {
			at = c.Place
		}
		if _, seen := compares[at]; !seen {
			places = append(places, at)
		}
		compares[at] = compares[at] || c.Base != ""
	}
	for _, at := range places {
		if !compares[at] {
			doubts = append(doubts, diag.Problem{
				Code:    diag.NoEffect,
				Place:   at,
				Message: "the tolerance has no effect: no case with it has a base",
				Hint:    "add base: NAME, or compare with --against",
			})
		}
	}
	return doubts
}

// timeLimit matches a limit of a time that is a number of seconds, 1 or more, without a
// unit.
var timeLimit = lazy.Regexp(
	`\b(?:time|wall|cpu|thread_cpu|user|system|wait|tree_cpu|tree_wait)` +
		`\.(?:median|mean|min|max|p[0-9]+|stddev|mad|low|high)` +
		`\s*(?:[<>]=?|==)\s*([1-9][0-9_]*(?:\.[0-9]+)?)\s*(?:$|[)&|]|and\b|or\b)`)

// unitless warns of limits that people write in milliseconds or nanoseconds, as other
// tools print them: time.median < 200 never fails.
func unitless(expr lang.Text) (doubts diag.Problems) {
	for _, at := range timeLimit().FindAllStringSubmatchIndex(expr.Value, -1) {
		number := expr.Value[at[2]:at[3]]
		p := expr.Problem(utf8.RuneCountInString(expr.Value[:at[2]]),
			fmt.Sprintf("%s has no unit, so it is %s seconds", number, number),
			fmt.Sprintf("write %sms, %sus or %sns; or %ss, if it is meant", number, number, number, number))
		doubts = append(doubts, p.Coded(diag.NoUnit))
	}
	return doubts
}

// FindMissing sets, for each case, the required programs that the machine lacks. has reports
// whether there is a program of this name in the PATH. A case needs the programs of its base
// too, because both are measured together.
func (p *Plan) FindMissing(has func(name string) bool) {
	byName := make(map[string]*Case, len(p.Cases))
	for i := range p.Cases {
		byName[p.Cases[i].Name] = &p.Cases[i]
	}
	for i := range p.Cases {
		c := &p.Cases[i]
		c.Missing = nil
		seen := map[*Case]bool{}
		for of := c; of != nil && !seen[of]; of = byName[of.Base] {
			seen[of] = true
			c.Missing = append(c.Missing, lacking(of.Requires, c.Missing, has)...)
		}
	}
}

// lacking lists the programs that are not there and not in known.
func lacking(names, known []string, has func(name string) bool) (missing []string) {
	for _, name := range names {
		if !slices.Contains(known, name) && !has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}
