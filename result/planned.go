package result

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Planned is what a run set out to judge, written down before the first sample: a
// document that has lost a case or a gate since, or whose gates have been made
// milder, no longer fits it.
type Planned struct {
	Cases  int    `json:"cases"`  // that the filter has left, those that vanished aside
	Gates  int    `json:"gates"`  // of them, warnings included
	Digest string `json:"digest"` // sha256:… of names, expressions, severities and on_inconclusive, in order
}

// PlannedOf counts the cases of a suite and their gates, in their order. Cases that
// exist in the other tree alone are no part of a plan; what was measured and what
// became of a gate does not matter.
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
