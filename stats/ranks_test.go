package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRankedIsSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	var r ranked
	var xs []float64
	for rank := 0; len(xs) < 500; {
		x := float64(rng.IntN(100)) // with ties
		grow := rng.IntN(3) == 0 || rank == 0
		xs = append(xs, x)
		r.add(x, grow)
		if grow {
			rank++
		}
		s := slices.Sorted(slices.Values(xs))
		if r.at() != s[rank-1] || rank < len(s) && r.next() != s[rank] {
			t.Fatalf("rank %d of %d: got %v, then %v; want %v, then %v", rank, len(s), r.at(), r.next(), s[rank-1], s[rank])
		}
	}
}
