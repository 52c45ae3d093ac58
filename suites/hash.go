// Package suites contains the Go benchmarks of the suite files in this folder. They
// are worth measuring as they are, and show how such functions are written.
package suites

import (
	"crypto/sha256"
	"hash/crc32"
	"hash/fnv"

	"example.com/suite/bench"
)

func init() {
	bench.Register("hash/sha256", hashing(func(data []byte) uint64 {
		sum := sha256.Sum256(data)
		return uint64(sum[0])
	}))
	bench.Register("hash/crc32", hashing(func(data []byte) uint64 {
		return uint64(crc32.ChecksumIEEE(data))
	}))
	bench.Register("hash/fnv1a", hashing(func(data []byte) uint64 {
		h := fnv.New64a()
		h.Write(data)
		return h.Sum64()
	}))
}

// hashing measures a hash over `size` bytes.
func hashing(hash func([]byte) uint64) bench.Setup {
	return func(c *bench.Case) bench.Loop {
		data := fill(c.Int("size"))
		c.Work(float64(len(data)), "byte")
		return func(n int) {
			var sum uint64
			for range n {
				sum += hash(data)
			}
			bench.Keep(&sum)
		}
	}
}

// fill makes bytes that are the same in every run and compress badly.
func fill(size int) []byte {
	data, state := make([]byte, size), uint64(88172645463325252)
	for i := range data {
		data[i] = byte(xorshift(&state))
	}
	return data
}

// xorshift steps a 64-bit generator (Marsaglia 2003: 13, 7, 17).
func xorshift(state *uint64) uint64 {
	x := *state
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*state = x
	return x
}
