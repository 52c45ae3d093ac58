package result

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Planned is what a run set out to judge, recorded before the first sample. If a case
// or a gate is lost later, or a gate is made milder, the document no longer matches
// it.
type Planned struct {
	Cases  int    `json:"cases"`  // that the filter selected, without vanished ones
	Gates  int    `json:"gates"`  // of these cases, warnings included
	Digest string `json:"digest"` // sha256:… of names, expressions, severities and on_inconclusive, in order
}

// PlannedOf computes Planned from the cases of a suite. Cases that only the other
// tree has are no part of a plan. Samples and verdicts do not matter.
func PlannedOf(cases []Case, suite string) Planned {
	var p Planned
	sum := sha256.New()
	for i := range cases {
		c := &cases[i]
		if c.Suite != suite || c.IsVanished() {
			continue
		}
		p.Cases++
		p.Gates += len(c.Gates)
		fmt.Fprintf(sum, "%q\n", c.Name)
		for _, g := range c.Gates {
			fmt.Fprintf(sum, "\t%q %q %q %q\n", g.ID, g.Expr, g.Severity, g.OnInconclusive)
		}
	}
	p.Digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return p
}
