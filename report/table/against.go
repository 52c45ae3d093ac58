package table

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/result"
)

// Against describes the other tree that a suite was compared with: "against main:
// 1a2b3c4d5e (merge base), the work tree has changes". Remarks follow, one in each
// line. It is nil if there was no other tree.
func Against(a *result.Against) []string {
	if a == nil {
		return nil
	}
	return slices.Concat([]string{againstLine(a)}, a.Notes, gateChanges(a))
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

// unmatchedCodes are the codes of cases that were not compared with the other tree.
var unmatchedCodes = map[result.CounterpartState]result.WarningCode{
	result.CounterpartNew:     result.WarnCounterpartNew,
	result.CounterpartChanged: result.WarnCounterpartChanged,
	result.CounterpartUnable:  result.WarnCounterpartUnable,
}

// counterpart warns that the other tree lacks the case, or has it in another form or
// under another name.
func (ns *notes) counterpart(c *result.Case) []result.Warning {
	p, s := c.Counterpart, ns.doc.Suite(c.Suite)
	switch {
	case p == nil || s == nil || s.Against == nil:
		return nil
	case p.Unmatched() != "":
		return []result.Warning{{Code: unmatchedCodes[p.State], Message: fmt.Sprintf("%s: %s", uncompared(c), p.Reason)}}
	case p.Name != "":
		return []result.Warning{{Code: result.WarnCounterpartRenamed, Message: fmt.Sprintf("called %s in %s", p.Name, s.Against.Asked)}}
	}
	return nil
}

func counterpartFacts(c *result.Case) (fs []Fact) {
	p := c.Counterpart
	if p == nil {
		return nil
	}
	fs = append(fs, Fact{"counterpart", string(p.State)})
	if p.Name != "" {
		fs = append(fs, Fact{"counterpart.name", p.Name})
	}
	if p.Reason != "" {
		fs = append(fs, Fact{"counterpart.reason", p.Reason})
	}
	return fs
}
