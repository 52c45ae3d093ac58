//go:build !nopeg

package peg_test

import (
	"fmt"

	"example.com/suite/peg"
)

var folder = peg.New("walk/folder")

// tree is a folder with those in it.
type tree []tree

// walk is a span, with the spans of the folders inside it.
func (t tree) walk(lane *peg.Lane) {
	defer lane.Begin(folder).End() // also where it returns early, or panics
	for _, inner := range t {
		inner.walk(lane)
	}
}

// Spans nest. The arc of a span goes from the span around it, and from "" where it is
// the outermost.
func ExampleLane_Begin() {
	peg.Enable()
	defer peg.Disable()
	peg.Reset()

	lane := peg.NewLane("walk")
	defer lane.Close()
	tree{{}, {{}, {}}}.walk(lane)
	for _, a := range peg.Snapshot().Arcs {
		fmt.Printf("%q inside %q: %d times\n", a.To, a.From, a.Count)
	}
	// Output:
	// "walk/folder" inside "": 1 times
	// "walk/folder" inside "walk/folder": 4 times
}
