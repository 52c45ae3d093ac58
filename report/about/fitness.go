package about

import (
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Fitness explains what the run found when it compared code with itself, and what that
// means for a case that was compared with other code.
func Fitness(doc *result.Document, c *result.Case) []page.Block {
	s := doc.Suite(c.Suite)
	if s == nil || c.Pairs == nil {
		return nil
	}
	var lines page.Paragraph
	if n := s.SentinelOf(c); n != nil {
		lines.Say("%s.", table.SentinelText(n).Text)
		lines.Say("That is the sentinel: code that was compared with itself in the same run, as the cases were " +
			"with their bases. If it had been called different (false alarms: 0.1%% each way), no comparison " +
			"would have made the run fail.")
		if n.Unfit != "" {
			lines[1] = page.Say("That is the sentinel: code that was compared with itself in the same run, as the " +
				"cases were with their bases. Whatever made it differ may also have made the cases differ.")
		}
	}
	switch floor := s.FloorOf(c); {
	case floor > 0:
		lines.Say("Both sides are programs of their own, and two builds of one source differ because their "+
			"code has other addresses. A gate that allows less than %s is red here only if the whole interval of "+
			"the change is beyond that.", number.RoundedUp(floor))
	case c.TwoPrograms():
		lines.Say("Each launch ran both sides from new files with their functions in a new order, so the " +
			"effects of a build, a file or an address are noise between launches and not part of the change.")
	}
	return []page.Block{lines}
}

const tight = "More samples do not help: allow more, or set a smaller floor with errors: {floor: …}."
