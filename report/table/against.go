package table

import (
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Against describes the other tree that a suite was compared with: "against main:
// 1a2b3c4d5e (merge base), the work tree has changes". Remarks follow, one in each
// line, and why cases were measured. It is nil if there was no other tree.
func Against(a *result.Against, cases []*result.Case) []string {
	if a == nil {
		return nil
	}
	return slices.Concat([]string{againstLine(a)}, a.Notes, whyMeasured(cases), gateChanges(a))
}

// mostWhys is how many reasons for measuring are listed.
const mostWhys = 8

// whyMeasured lists the evidence for which cases were compared, each with its cases: "wc and
// script: reads data/big.txt (changed)".
func whyMeasured(cases []*result.Case) (lines []string) {
	names := map[string][]string{}
	var order []string
	for _, c := range cases {
		if c.Counterpart == nil || c.Counterpart.Evidence == nil || !c.Counterpart.Compared() {
			continue
		}
		why := c.Counterpart.Evidence.String()
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], c.Name)
	}
	for _, why := range order[:min(len(order), mostWhys)] {
		lines = append(lines, units.List(names[why], 3)+": "+why)
	}
	if rest := len(order) - mostWhys; rest > 0 {
		lines = append(lines,
			units.Plural(rest, "more reason")+" for which cases were measured: suite explain names that of a case")
	}
	return lines
}

// gateChanges lists the gates of the other tree that this tree removed or relaxed, one in
// each line.
func gateChanges(a *result.Against) (lines []string) {
	for i := range a.Gates {
		lines = append(lines, "gate of "+a.Asked+" "+a.Gates[i].String())
	}
	return lines
}

func againstLine(a *result.Against) string {
	line := "against " + a.Asked
	switch a.Kind {
	case result.AgainstFolder:
		line += ", a folder"
	case result.AgainstResult:
		line += ", a saved result: unpaired, a tripwire only"
	}
	if rev := display.Commit(a.Revision); rev != "" && !strings.HasPrefix(a.Revision, a.Asked) {
		line += ": " + rev
	}
	if a.MergeBase {
		line += " (merge base)"
	}
	if a.Dirty {
		line += ", the work tree has changes"
	}
	return line
}
