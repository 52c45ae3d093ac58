package changes

import "slices"

// Threshold returns the greatest P with which a series counts as one that changed, when
// each of a family of series has the given P: the procedure of Benjamini and Hochberg with
// the error alpha. next is the threshold that one more series would have to reach.
//
// If none of them changed, one has a P up to threshold with probability alpha at most. If
// some did, the share of those that did not, among all up to threshold, is alpha at most on
// average. Both hold for series that are independent or move together.
//
// Sources: Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, JRSS B 57
// (1995); Y. Benjamini and D. Yekutieli, The control of the false discovery rate in multiple
// testing under dependency, Annals of Statistics 29 (2001).
func Threshold(ps []float64, alpha float64) (threshold, next float64) {
	sorted := slices.Sorted(slices.Values(ps))
	share := alpha / float64(max(1, len(ps)))
	rejected := 0
	for i, p := range sorted {
		if p <= share*float64(i+1) {
			rejected = i + 1
		}
	}
	return share * float64(rejected), share * float64(min(rejected+1, max(1, len(ps))))
}
