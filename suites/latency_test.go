package suites_test

import (
	"math"
	"testing"
	"time"

	"example.com/suite/internal/benchcase"
)

// Four operations that wait for each other take longer than one: at least twice
// as long, where four times is right. A chain that the compiler works out, or
// whose operations run side by side, takes the time of one. The fastest of 50
// batches of each is not touched by other work on the machine.
func TestChainsTakeAsLongAsTheirOperations(t *testing.T) {
	for _, name := range []string{"latency/add", "latency/multiply"} {
		one, four := fastest(name, 1), fastest(name, 4)
		if four < 2*one {
			t.Errorf("%s: four in a row take %.2f ns, one %.2f ns", name, four, one)
		}
	}
}

// fastest is the least time of an iteration over batches of some 100 µs, ns.
func fastest(name string, length float64) float64 {
	setup, _ := benchcase.Find(name)
	loop := setup(benchcase.New(name, map[string]benchcase.Param{"length": {Text: "", Number: &length}}))
	const n = 100_000
	least := math.Inf(1)
	for range 50 {
		start := time.Now()
		loop(n)
		least = min(least, float64(time.Since(start))/n)
	}
	return least
}
