package spec

import (
	"strings"

	"example.com/suite/result"
)

// againstText is what a plan is compared with.
func againstText(a *result.Against) string {
	text := a.Asked
	if a.Revision != "" {
		text += ", commit " + a.Revision[:min(10, len(a.Revision))]
	}
	if a.MergeBase {
		text += ", where HEAD has left it"
	}
	for _, list := range []struct {
		what  string
		names []string
	}{{"removed", a.Removed}, {"gone, and not in removed", a.Vanished}} {
		if len(list.names) > 0 {
			text += "\n    " + list.what + ": " + strings.Join(list.names, ", ")
		}
	}
	return text
}

// counterpartText is the counterpart in a line of a plan; empty for none.
func counterpartText(c *result.Counterpart) string {
	if c == nil {
		return ""
	}
	text := string(c.State)
	if c.Name != "" {
		text += " (" + c.Name + " there)"
	}
	if c.Reason != "" {
		text += ": " + c.Reason
	}
	return text
}
