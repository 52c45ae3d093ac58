package pegs

import (
	"testing"

	"example.com/suite/peg"
)

// TestMain hands over what pegs have measured, where suite asks for it.
func TestMain(m *testing.M) { peg.Exit(m.Run()) }

// BenchmarkCalculator is the calculator as `go test -bench` runs it.
func BenchmarkCalculator(b *testing.B) {
	source := formula(100)
	b.SetBytes(int64(len(source)))
	lane := peg.NewLane("calculator")
	defer lane.Close()
	for b.Loop() {
		lane.Start(begun)
		if _, err := answer(lane, source); err != nil {
			b.Fatal(err)
		}
	}
}
