package suites

import (
	"sync"

	"example.com/suite/bench"
)

func init() { bench.Register("alloc/buffer", buffer) }

const bufferSize = 32 << 10

var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// buffer fills a buffer that is new, or that another use has left in a pool.
func buffer(c *bench.Case) bench.Loop {
	switch from := c.String("from"); from {
	case "make":
		return bench.Each(func() { use(new([bufferSize]byte)) })
	case "pool":
		return bench.Each(func() {
			b := buffers.Get().(*[bufferSize]byte)
			use(b)
			buffers.Put(b)
		})
	default:
		c.Fatalf("buffers come from make or pool, not from %q", from)
	}
	return nil
}

// use writes a page of the buffer, as a short message does.
func use(b *[bufferSize]byte) {
	held = b[:4096]
	clear(held)
}
