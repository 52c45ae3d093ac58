// Package hashbench registers the benchmarks of this module for suite.
package hashbench

import (
	"crypto/sha256"

	"example.com/suite/bench"
	"example.org/hashing/internal/fnv"
)

func init() {
	bench.Register("hash/fnv", func(c *bench.Case) bench.Loop {
		data := make([]byte, c.Int("size"))
		return func(n int) {
			var sum uint64
			for range n {
				sum += fnv.Sum64(data)
			}
			bench.Keep(&sum)
		}
	})
	bench.Register("hash/sha256", func(c *bench.Case) bench.Loop {
		data := make([]byte, c.Int("size"))
		return func(n int) {
			var sum [sha256.Size]byte
			for range n {
				sum = sha256.Sum256(data)
			}
			bench.Keep(&sum)
		}
	})
}
