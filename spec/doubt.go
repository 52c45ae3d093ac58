package spec

import (
	"example.com/suite/internal/diag"
)

// Doubts are what is right in a suite file and does nothing: a tolerance that was given
// to cases of which none has a base, in a run that compares with no other tree.
func (p *Plan) Doubts() (doubts diag.Problems) {
	if p.Against != nil {
		return nil
	}
	compares := map[diag.Place]bool{}
	var places []diag.Place
	for i := range p.Cases {
		c := &p.Cases[i]
		if c.Origins[toleranceKey] == FromBuiltin {
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
			doubts = append(doubts, diag.Problem{Place: at, Message: "the tolerance makes no gate: no case that has it has a base", Hint: "add base: NAME, or compare with --against"})
		}
	}
	return doubts
}
