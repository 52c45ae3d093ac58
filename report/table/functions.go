package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// WitnessOf is what the instructions of both sides show about a case: where its time comes from, and which functions
// execute more or less. It is empty if nothing is known.
func WitnessOf(c *result.Case) string {
	said, moved := "", movedFunctions(c)
	if o := c.Comparison("time"); o != nil {
		said = WitnessText(o)
	}
	switch {
	case moved == "":
		return said
	case said != "":
		return said + ", " + moved
	}
	base, own, _ := c.CountedRuns()
	if own[len(own)-1] < base[len(base)-1] {
		return "it executes less " + moved
	}
	return "it executes more " + moved
}

// mostMovedNames is how many functions a line names.
const mostMovedNames = 3

// movedFunctions names the functions whose instructions moved as the case's did, as far as they make up a fifth
// of the change: "zstd.(*Encoder).Encode +286 (+4.0%)". It is empty if nothing is known of them, if no function stands
// out, or if the counts of both sides overlap: what differs between two runs may then differ between any two.
func movedFunctions(c *result.Case) string {
	base, own, ok := c.CountedRuns()
	if !ok || len(c.Counted.Moved) == 0 ||
		slices.Min(own) <= slices.Max(base) && slices.Min(base) <= slices.Max(own) {
		return ""
	}
	change := own[len(own)-1] - base[len(base)-1]
	var names []string
	for _, m := range c.Counted.Moved {
		by := m.Candidate - m.Base
		if by*change > 0 && math.Abs(by) >= math.Abs(change)/5 && len(names) < mostMovedNames {
			names = append(names, ShortFunction(m.Function)+" "+MoveOf(&m))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "in " + strings.Join(names, ", ")
}

// MoveOf is by how much the instructions of a function moved: +286 (+4.0%).
func MoveOf(m *result.MovedFunction) string {
	by := m.Candidate - m.Base
	text := "+" + units.Format(by, "")
	if by < 0 {
		text = "−" + units.Format(-by, "")
	}
	switch {
	case m.Base == 0:
		return text + " (new)"
	case m.Candidate == 0:
		return text + " (gone)"
	}
	return fmt.Sprintf("%s (%s)", text, number.RatioText(m.Candidate/m.Base, 1))
}

// ShortFunction leaves the folders of its package out of the name of a Go function.
func ShortFunction(name string) string {
	arguments := strings.IndexAny(name, "[(")
	if arguments < 0 {
		arguments = len(name)
	}
	return name[strings.LastIndexByte(name[:arguments], '/')+1:]
}
