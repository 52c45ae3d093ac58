// Package explain explains the verdicts of a case in words for people who know no
// statistics. It takes a result document and returns pages. Everything is computed from
// the samples of the document, in the same way as its verdicts. The package judges
// nothing.
package explain

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/report/about"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Case returns sections about a case. Those that do not apply to it are left out.
func Case(doc *result.Document, c *result.Case) []page.Block {
	all := []page.Block{page.Under(title(doc, c))}
	add := func(head string, blocks []page.Block) {
		if blocks = page.Blocks(blocks...); len(blocks) > 0 {
			all = append(all, page.Under(head, blocks...))
		}
	}
	add("what it is", about.Identity(doc, c))
	add("what it is compared with", about.Counterpart(doc, c))
	add("why it could not be measured", about.Failure(c))
	add("how it was measured", about.Time(c))
	add("the saved result", about.Saved(doc, c))
	add("its history", about.History(c))
	if c.Pairs != nil {
		add("how it compares with "+c.Pairs.BaseName(), about.Pairs(doc, c))
	}
	add("which functions cost more", about.Profiles(c))
	add("where the time goes", about.Arcs(c))
	if !c.JudgedByInstructions() {
		add("whether this machine can judge", about.Fitness(doc, c))
	}
	add("its gates", about.Gates(doc, c))
	add("what is doubtful", about.Warnings(c))
	return all
}

// title is the name of the case, its result, and how many of its gates passed.
func title(doc *result.Document, c *result.Case) string {
	title := doc.Label(c) + ": "
	switch o := c.MainComparison(); {
	case c.IsVanished():
		return title + "it has vanished from the suite"
	case c.Status == result.Failed:
		return title + "could not be measured"
	case c.Status == result.NotRun:
		return title + "was not reached"
	case c.Status == result.LeftOut:
		return title + "skipped"
	case c.Status == result.Unaffected:
		return title + "not measured, for " + c.Counterpart.Reason
	case o == nil && c.Counterpart.Unmatched() != "":
		title += "measured, and compared with nothing"
	case o == nil:
		title += "measured"
	case o.Change == result.Same:
		title += "the same as " + c.Pairs.BaseName()
	case o.Change == result.Unclear:
		title += "not distinguished from " + c.Pairs.BaseName()
	default:
		title += string(o.Change) + " than " + c.Pairs.BaseName()
	}
	if n := len(c.Gates); n > 0 {
		title += fmt.Sprintf(", %d of %s passed", passed(c), units.Plural(n, "gate"))
	}
	return title
}

func passed(c *result.Case) (n int) {
	for _, g := range c.Gates {
		if g.Verdict == result.Pass {
			n++
		}
	}
	return n
}
