package figure

import (
	"cmp"
	"slices"
)

// spread moves texts in a column apart: at least gap between two, in their order, above
// bottom, and below top if there is room. It returns the new places in the order of at.
func spread(at []float64, gap, top, bottom float64) []float64 {
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
	out := slices.Clone(at)
	for i, k := range order {
		out[k] = max(out[k], top)
		if i > 0 {
			out[k] = max(out[k], out[order[i-1]]+gap)
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		limit := bottom
		if i < len(order)-1 {
			limit = out[order[i+1]] - gap
		}
		out[order[i]] = min(out[order[i]], limit)
	}
	return out
}
