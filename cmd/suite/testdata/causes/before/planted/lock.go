package planted

import (
	"sync"

	"example.com/suite/bench"
)

func init() {
	register("lock", func(*bench.Case) func() int {
		l := &ledger{counts: map[int]int{}}
		return func() int { return l.enter(text) }
	})
}

// ledger counts texts.
type ledger struct {
	mu     sync.Mutex
	counts map[int]int
}

//go:noinline
func (l *ledger) enter(text string) int {
	key := checksum(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[key]++
	return l.counts[key]
}

//go:noinline
func checksum(text string) (sum int) {
	for range 16 {
		for i := range len(text) {
			sum = sum*31 + int(text[i])
		}
	}
	return sum
}
