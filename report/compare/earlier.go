package compare

import (
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// now is the name of the current run in notes that also name a saved file.
const now = "this run"

// Doubts are the reasons not to compare a case with the same case of a saved result:
// the machine is another one, or the case is measured differently.
func Doubts(saved table.Saved, was *result.Case, doc *result.Document, c *result.Case) (doubts []string) {
	for _, d := range surroundings(saved.Doc, doc) {
		if d.grave {
			doubts = append(doubts, d.text(saved.Name, now))
		}
	}
	if c.Status != result.Measured || was.Status != result.Measured {
		return doubts
	}
	if why := incomparable(was, c); why != "" {
		return append(doubts, "it "+why+" in "+now)
	}
	return append(doubts, changed(was, c, saved.Name, now)...)
}

// Asides are the other differences to a saved run. A ratio still means something, but
// they may explain it.
func Asides(saved table.Saved, doc *result.Document, suite string) (notes []string) {
	for _, d := range surroundings(saved.Doc, doc) {
		if !d.grave {
			notes = append(notes, d.text(saved.Name, now))
		}
	}
	if was, is := saved.Doc.Suite(suite), doc.Suite(suite); was != nil && is != nil && was.Hash != is.Hash {
		notes = append(notes, "the suite file was changed after "+saved.Name+" was measured")
	}
	if saved.Doc.Interrupted != "" {
		notes = append(notes, saved.Name+" is of a run that was interrupted")
	}
	return notes
}
