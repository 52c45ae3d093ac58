package explain

import (
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// fitness explains what the run found when it compared code with itself, and what that
// means for a case that was compared with other code.
func fitness(doc *result.Document, c *result.Case) []table.Line {
	s := doc.Suite(c.Suite)
	if s == nil {
		return nil
	}
	var lines []table.Line
	if n := s.Sentinel; n != nil {
		lines = append(lines, say("%s.", table.FitnessOf(s).Text))
		lines = append(lines, say("That is the sentinel: code which was compared with itself in the same run, as the cases were with their bases. Had it been called different, with a chance of false alarm of 0.1%% each way, no comparison would have made the run fail."))
		if n.Unfit != "" {
			lines[1] = say("That is the sentinel: code which was compared with itself in the same run, as the cases were with their bases. Whatever made it differ may be all that made the cases differ.")
		}
	}
	switch floor := s.FloorOf(c); {
	case floor > 0:
		lines = append(lines, say("Both sides are programs of their own, and two builds of one source differ by where their code lies. A gate that allows less than %s is red here only for a change that lies wholly beyond that.", table.Bound(floor)))
	case c.TwoPrograms():
		lines = append(lines, say("Each launch ran both sides from new files with their functions in a new order, so what a build, a file or an address decides is noise of the launches and no part of the change."))
	}
	return lines
}

const tight = "More samples do not help: allow more, or say with errors: {floor: …} that builds differ by less."
