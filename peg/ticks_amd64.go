//go:build !nopeg

package peg

func readTicks() uint64
func cpuid(leaf uint32) (a, d uint32)

const (
	leafHighest  = 0x80000000 // returns the highest of these leaves
	leafPower    = 0x80000007
	edxInvariant = 1 << 8
)

// hasTicks reports whether the time stamp counter goes on at one speed, whatever the core does.
func hasTicks() bool {
	if highest, _ := cpuid(leafHighest); highest < leafPower {
		return false
	}
	_, d := cpuid(leafPower)
	return d&edxInvariant != 0
}
