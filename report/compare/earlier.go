package compare

import (
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// now is what the run at hand is called beside the file of a saved one.
const now = "this run"

// Doubts says why a case of a run cannot be compared with the same case of a saved
// result: the machine is another one, or the case is measured otherwise. It is empty
// where it can.
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

// Asides says what else was not alike, which a ratio to a saved result may be due to.
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
