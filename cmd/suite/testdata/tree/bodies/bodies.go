// Package bodies registers functions of 1 µs to 1 ms.
package bodies

import (
	"crypto/sha256"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"example.com/suite/bench"
)

func init() {
	bench.Register("tree/shift", shift)
	bench.Register("tree/walk", walk)
	bench.Register("tree/append", grow)
	bench.Register("tree/encode", encode)
	bench.Register("tree/fields", fields)
	bench.Register("tree/hash", hash)
	bench.Register("tree/map", lookUp)
	bench.Register("tree/sort", order)
}

// shift never leaves the registers.
func shift(c *bench.Case) bench.Loop {
	steps, x := c.Int("steps"), uint64(88172645463325252)
	return bench.Each(func() {
		for range steps {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		bench.Keep(&x)
	})
}

// walk goes through 1 MiB in an order that no prefetcher knows.
func walk(c *bench.Case) bench.Loop {
	steps, at := c.Int("steps"), 0
	next := rand.New(rand.NewPCG(1, 2)).Perm(1 << 17)
	return bench.Each(func() {
		for i := range steps {
			at = next[(at+i)%len(next)]
		}
		bench.Keep(&at)
	})
}

// grow allocates ten times for 1000.
func grow(c *bench.Case) bench.Loop {
	size := c.Int("size")
	return bench.Each(func() {
		var all []int
		for i := range size {
			all = append(all, i)
		}
		bench.Keep(&all)
	})
}

// text is 200 words.
var text = strings.Repeat("the quick brown fox ", 50)

func encode(c *bench.Case) bench.Loop {
	value := map[string]any{"id": 4711, "customer": "Ada Lovelace", "items": strings.Fields(text)}
	return bench.Each(func() {
		if _, err := json.Marshal(value); err != nil {
			c.Fatal(err)
		}
	})
}

func fields(*bench.Case) bench.Loop {
	return bench.Each(func() {
		words := strings.Fields(text)
		bench.Keep(&words)
	})
}

func hash(c *bench.Case) bench.Loop {
	data := make([]byte, c.Int("size"))
	return bench.Each(func() {
		sum := sha256.Sum256(data)
		bench.Keep(&sum)
	})
}

func lookUp(c *bench.Case) bench.Loop {
	m, size, sum := map[int]int{}, c.Int("size"), 0
	for i := range size {
		m[i*i] = i
	}
	return bench.Each(func() {
		for i := range size {
			sum += m[i*i]
		}
		bench.Keep(&sum)
	})
}

func order(c *bench.Case) bench.Loop {
	original := rand.New(rand.NewPCG(1, 2)).Perm(c.Int("size"))
	work := make([]int, len(original))
	return bench.Each(func() {
		copy(work, original)
		slices.Sort(work)
	})
}
