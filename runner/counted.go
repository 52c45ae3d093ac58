package runner

import "example.com/suite/result"

// evenCounts finds how many iterations each case counts allocations over: a base and
// its candidates the same number. What a body allocates once in a batch is 1/n of
// an object for an iteration, so that the same code over 41 and over 49 iterations
// differs by a fifth.
func (w *window) evenCounts() map[*track]int {
	counts := map[*track]int{}
	for _, t := range w.tracks {
		switch {
		case t.spec.Kind != result.KindGo:
		case t.final:
			counts[t] = min(int(t.result.Iterations), mostCounted) // they have been counted
		default:
			counts[t] = t.countable(t.afterwards(w.allowance))
			if t.isApart() {
				counts[t] = min(counts[t], t.base.countable(t.base.afterwards(w.allowance)))
			}
		}
	}
	for changed := true; changed; { // by way of a base others may be reached
		changed = false
		for _, t := range w.tracks {
			base := w.ownTrack(t)
			if base == nil || counts[t] < 1 || counts[base] < 1 || counts[t] == counts[base] {
				continue
			}
			n := min(counts[t], counts[base])
			counts[t], counts[base], changed = n, n, true
		}
	}
	return counts
}
