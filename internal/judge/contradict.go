package judge

import (
	"slices"
	"strings"

	"example.com/suite/result"
)

// contradict warns of each case that differs although it counts as unaffected, and that was measured all the same. Then
// the evidence is wrong, or something besides the code has decided the time; no run that trusts the evidence can find
// that out.
func contradict(cases []result.Case) {
	for i := range cases {
		c := &cases[i]
		c.Warnings = slices.DeleteFunc(c.Warnings, func(w result.Warning) bool {
			return w.Code == result.WarnContradicted
		})
		if c.Counterpart == nil || c.Counterpart.State != result.CounterpartPaired || c.Counterpart.Rule == "" {
			continue
		}
		for j := range c.Comparisons {
			if o := &c.Comparisons[j]; o.Change == result.Worse || o.Change == result.Better {
				c.Warn(result.WarnContradicted,
					"counts as unaffected ("+strings.ReplaceAll(string(c.Counterpart.Rule), "-", " ")+
						"), and its "+o.Metric+" is "+string(o.Change), insteadOf(c.Counterpart.Rule))
				break
			}
		}
	}
}

// insteadOf is a remedy by the rule that was wrong.
func insteadOf(rule result.UnaffectedRule) string {
	switch rule {
	case result.SameInputs:
		return "list in inputs: what else it reads, or leave inputs: out"
	case result.DidNotExecute:
		return "with unaffected: reach in the suite file, what a benchmark executed is no evidence"
	}
	return "with unaffected: never in the suite file, everything is measured"
}
