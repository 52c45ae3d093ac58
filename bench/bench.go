// Package bench is what a Go benchmark imports. It registers named functions
// that suite files refer to by `go: name`, hands them their parameters, and
// provides them with a way to fail and to clean up. It uses the standard library only,
// so that importing it adds one line to a module.
//
// A benchmark is a setup that returns a loop. The setup runs once per
// launch; the loop is the only code that is timed:
//
//	func init() {
//		bench.Register("hash/sha256", func(c *bench.Case) bench.Loop {
//			data := make([]byte, c.Int("size"))
//			return func(n int) {
//				for range n {
//					sink = sha256.Sum256(data)
//				}
//			}
//		})
//	}
//
// # Keeping results alive
//
// The compiler deletes work whose result nobody uses. Two ways keep it and add
// no instruction to the loop: assign to a package-level variable, as sink
// above, or gather into a local variable and pass it on once, after the
// loop:
//
//	return func(n int) {
//		var sum uint64
//		for i := range n {
//			sum += bits.Reverse64(uint64(i))
//		}
//		bench.Keep(&sum)
//	}
package bench

import "example.com/suite/internal/benchcase"

// Loop runs the benchmarked operation n times, n ≥ 0. It is the only code that
// is timed.
type Loop func(n int)

// Setup makes the loop of one case. It runs once per launch, before warm-up.
type Setup func(c *Case) Loop

// Register makes a benchmark available to suite files under name. setup runs
// once per launch and returns the loop, the only code that is timed.
// Call it from init. A second benchmark under one name panics: results filed
// under that name would no longer be comparable.
func Register(name string, setup func(*Case) Loop) {
	if name == "" || setup == nil {
		panic("bench: Register needs a name and a setup")
	}
	benchcase.Register(name, func(c *benchcase.Case) func(n int) { return setup(&Case{c}) })
}

// Each wraps a single operation in a loop, for operations long enough that an
// indirect call (1.4 ns on a 3 GHz machine) does not matter. Its loops are
// calibrated apart from those written by hand.
//
// It is never inlined, so that all its loops share one code address.
//
//go:noinline
func Each(op func()) Loop {
	return func(n int) {
		for range n {
			op()
		}
	}
}

// Hosts know the loops of Each by their code address.
var _ = benchcase.IndirectLoops(Each(func() {}))

// Keep marks what v points to as used. Call it once, after the loop: it costs
// one call per batch and nothing per iteration.
//
//go:noinline
func Keep[T any](v *T) { _ = v }
