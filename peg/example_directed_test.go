//go:build !nopeg

package peg_test

import (
	"fmt"

	"example.com/suite/peg"
)

// Both ways lead through the same steps, so the last arc cannot tell where they came
// from. A directed point looks back to the one that it names, whatever lies between.
var (
	cached  = peg.New("page/cached")
	fetched = peg.New("page/fetched")
	parsed  = peg.New("page/parsed")
	shown   = peg.New("page/shown")
	fresh   = peg.Directed("page/fresh", "page/fetched")
)

func show(lane *peg.Lane, fromCache bool) {
	if fromCache {
		lane.Start(cached)
	} else {
		lane.Start(fetched)
	}
	lane.Hit(parsed)
	lane.Hit(shown)
	if !fromCache {
		lane.Hit(fresh)
	}
}

// A directed point measures the whole way.
func ExampleDirected() {
	peg.Enable()
	defer peg.Disable()
	peg.Reset()

	lane := peg.NewLane("pages")
	defer lane.Close()
	for i := range 10 {
		show(lane, i%5 != 0)
	}
	for _, a := range peg.Snapshot().Arcs {
		fmt.Printf("%s → %s: %d times, kind %q\n", a.From, a.To, a.Count, a.Kind)
	}
	// Output:
	// page/cached → page/parsed: 8 times, kind ""
	// page/fetched → page/fresh: 2 times, kind "directed"
	// page/fetched → page/parsed: 2 times, kind ""
	// page/parsed → page/shown: 10 times, kind ""
}
