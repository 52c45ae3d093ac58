package arcs

import "example.com/suite/result"

// visible is the smallest part of a time that is shown as a range: of three digits, the
// last one changes.
const visible = 0.01

// Bounds returns the range that x, a time of the arc a, is shown as. low is 0 if an arc with
// nothing in it may show x. Otherwise the range goes from x, which has the full cost of the
// arc's hits subtracted, to what it is with the part that the program may have worked in
// added. Both are x if they hardly differ.
func Bounds(p *result.Pegs, a *result.Arc, x float64) (low, high float64) {
	residue := p.ResidueOf(a)
	overlap := p.OverlapOf(a)
	switch {
	case residue > 0 && x <= residue:
		return 0, max(residue, x+overlap)
	case overlap > visible*x:
		return x, x + overlap
	}
	return x, x
}
