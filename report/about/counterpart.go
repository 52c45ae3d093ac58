package about

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Counterpart explains what the other tree is, and whether it has the case.
func Counterpart(doc *result.Document, c *result.Case) []page.Block {
	s := doc.Suite(c.Suite)
	if s == nil || s.Against == nil || c.Counterpart == nil && !c.IsVanished() {
		return nil
	}
	a := s.Against
	lines := page.Paragraph{page.Text(tree(a))}
	for _, note := range a.Notes {
		lines.Say("%s", sentenceOf(note))
	}
	for i := range a.Gates {
		if g := &a.Gates[i]; g.Case == "" || g.Case == c.Name {
			lines.Say("Gate of %s %s.", a.Asked, g)
		}
	}
	switch p := c.Counterpart; {
	case c.IsVanished():
		lines.Say("%s has this case, and the suite neither has it nor lists it as removed (removed: [%s]). "+
			"Without the case nobody would see that the code got slower, so this is an error.", a.Asked, c.Name)
	case p.Unmatched() != "":
		lines.Say("The case is not compared with it: %s. Gates that need a base are skipped, and no gate "+
			"passes for it.", p.Unmatched())
	case p.Evidence != nil:
		lines.Say("It was measured: %s.", p.Evidence)
	case p.Name != "":
		lines.Say("There the case is called %s (was:).", p.Name)
	}
	return []page.Block{lines}
}

// tree describes what --against named, and what of it was measured.
func tree(a *result.Against) string {
	text := fmt.Sprintf("--against %s: ", a.Asked)
	switch {
	case a.Kind == result.AgainstResult:
		return text +
			"the result of an earlier run. Its numbers come from another time, so this is a tripwire and no verdict."
	case a.Kind == result.AgainstFolder:
		text += "a folder with another copy of the code"
	case a.MergeBase:
		text += "commit " + a.Revision + ", the last one in common with this branch"
	default:
		text += "commit " + a.Revision
	}
	text += ". It was measured together with the code of this tree, and with its definitions."
	if a.Dirty {
		text += " The work tree had changes that no commit has; they were measured."
	}
	return text
}

// sentenceOf adds a capital at the start and a full stop at the end.
func sentenceOf(text string) string {
	if text == "" {
		return ""
	}
	if c := text[0]; c >= 'a' && c <= 'z' {
		text = string(c-'a'+'A') + text[1:]
	}
	if last := text[len(text)-1]; last != '.' && last != '!' && last != '?' {
		text += "."
	}
	return text
}

// launched explains why a launch of two programs counts once, not each of its pairs.
func launched(c *result.Case) page.Line {
	return page.Say("Each side is a program of its own. Every block of pairs, %s, was taken in two new processes, "+
		"started in random order and with an environment of random size. The memory addresses of a process make "+
		"its code a little faster or slower, in all of its pairs alike. So a launch counts once, with the median "+
		"of its pairs.", units.Plural(blocks(c), "time"))
}
