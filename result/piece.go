package result

import "fmt"

// Piece names what counts once as evidence when a case is compared.
type Piece string

// Where the memory of a set-up lies, and how a program lies in a process, make code
// faster or slower in all pairs alike: so pairs of Go functions in one host count by
// their set-ups, those of two programs by their launches, and only a pair of
// commands, which has two processes of its own, counts for itself.
const (
	PiecePair   Piece = "pair"
	PieceSetUp  Piece = "set-up"
	PieceLaunch Piece = "launch"
	PieceLayout Piece = "layout" // of launches that share one
)

// Piece is that of the pairs of a case.
func (c *Case) Piece() Piece {
	switch p := c.Pairs; {
	case p != nil && len(p.Layouts) > 0 && len(p.Layouts) < c.Launches:
		return PieceLayout
	case p != nil && len(p.Layouts) > 0:
		return PieceLaunch
	case c.Kind != KindGo:
		return PiecePair
	case p != nil && p.Tree != "":
		return PieceLaunch
	}
	return PieceSetUp
}

// Plural is the word for several.
func (p Piece) Plural() string {
	if p == PieceLaunch {
		return "launches"
	}
	return string(p) + "s"
}

// Count counts them: 1 pair, 12 launches.
func (p Piece) Count(n int) string {
	if n == 1 {
		return "1 " + string(p)
	}
	return fmt.Sprintf("%d %s", n, p.Plural())
}
