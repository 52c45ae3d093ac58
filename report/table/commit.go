package table

import (
	"fmt"
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// commitText is the short hash, and whether the work tree had changes. It is empty if
// the commit is unknown.
func commitText(c *result.Commit) string {
	if c == nil {
		return ""
	}
	text := display.Commit(c.Hash)
	if c.Dirty {
		text += " with changes"
	}
	return text
}

// Commits lists the commits that the suites of a document were at: one for all of
// them, or each with its suites. Suites outside any repository are left out.
func Commits(doc *result.Document) (texts []string) {
	var names [][]string
	for i := range doc.Suites {
		c := doc.Suites[i].Commit
		if c == nil {
			continue
		}
		text := "commit " + commitText(c)
		at := slices.Index(texts, text)
		if at < 0 {
			at = len(texts)
			texts = append(texts, text)
			names = append(names, nil)
		}
		names[at] = append(names[at], doc.Suites[i].Name)
	}
	if len(texts) == 1 && len(names[0]) == len(doc.Suites) {
		return texts
	}
	for i := range texts {
		texts[i] += fmt.Sprintf(" (%s)", units.List(names[i], number.MostNamed))
	}
	return texts
}
