package table

import (
	"fmt"
	"strings"

	"example.com/suite/result"
)

// shortRevision is how many digits of the hash of a commit are shown: git shows 7 to
// 12 of the 40, and 10 are unique in a repository of a million commits.
const shortRevision = 10

// Against says what the cases of a suite were compared with, besides their bases:
// "against main: 1a2b3c4d5e (merge base), the work tree has changes". What a reader has to
// know of it follows, a line each. Nothing for suites that were compared with nothing.
func Against(a *result.Against) []string {
	if a == nil {
		return nil
	}
	return append([]string{againstLine(a)}, a.Notes...)
}

func againstLine(a *result.Against) string {
	line := "against " + a.Asked
	switch a.Kind {
	case result.AgainstFolder:
		line += ", a folder"
	case result.AgainstResult:
		line += ", a saved result: unpaired, a tripwire only"
	}
	if rev := revision(a); rev != "" && !strings.HasPrefix(a.Revision, a.Asked) {
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

func revision(a *result.Against) string { return a.Revision[:min(len(a.Revision), shortRevision)] }

// counterpart are the footnotes of a case that the other tree does not have, or has
// otherwise or by another name.
func (ns *notes) counterpart(c *result.Case) []result.Warning {
	p, s := c.Counterpart, ns.doc.Suite(c.Suite)
	switch {
	case p == nil || s == nil || s.Against == nil:
		return nil
	case p.Unmatched() != "":
		return []result.Warning{{Code: result.WarningCode("counterpart-" + p.State), Message: fmt.Sprintf("%s: %s", uncompared(c), p.Reason)}}
	case p.Name != "":
		return []result.Warning{{Code: "counterpart-renamed", Message: fmt.Sprintf("called %s in %s", p.Name, s.Against.Asked)}}
	}
	return nil
}

// counterpartFacts keep what became of the comparison with the other tree.
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
