// Package bench makes Go code measurable by suite. A package registers its benchmarks
// under a name, and a suite file refers to them with `go: name`. The package has the
// parameters of a case, a way to fail, and cleanups. It needs only the standard library,
// so that importing it adds one line to go.mod.
//
// A benchmark is a setup that returns a loop. The setup runs once per launch, before
// warm-up. The loop runs the operation n times and is the only code that is timed:
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
// The compiler deletes work whose result is not used. Two ways prevent that and add no
// instruction to the loop: assign to a package-level variable, such as sink above, or
// collect the results in a local variable and pass its address to Keep once, after the
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

import (
	"embed"

	"example.com/suite/internal/benchcase"
)

// Loop runs the benchmarked operation n times, n ≥ 0. It is the only code that
// is timed.
type Loop func(n int)

// Setup makes the loop of one case. It runs once per launch, before warm-up.
type Setup func(c *Case) Loop

// Register makes a benchmark available to suite files under name. setup runs
// once per launch and returns the loop, the only code that is timed. Call Register from
// init. It panics if the name is taken: results under one name have to be comparable.
func Register(name string, setup func(*Case) Loop) {
	if name == "" || setup == nil {
		panic("bench: Register needs a name and a setup")
	}
	benchcase.Register(name, func(c *benchcase.Case) func(n int) { return setup(&Case{c}) })
}

// Each returns a loop that calls op n times. Use it for operations so long that an
// indirect call does not matter (1.4 ns on a 3 GHz machine). The cost of an empty loop is
// measured separately for loops of Each and for loops in the source of a benchmark.
//
// Each is never inlined, so that all its loops share one code address.
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

// Keep makes the compiler treat *v as used. Call it once, after the loop: it takes one
// call per batch and nothing per iteration.
//
//go:noinline
func Keep[T any](v *T) { _ = v }

// Source contains the files of this package. Hosts are built from it, and its hash shows
// which timing code a host runs.
//
//go:embed *.go
var Source embed.FS
