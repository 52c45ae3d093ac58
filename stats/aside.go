package stats

import "slices"

// Disturbed records which sides of a pair the machine disturbed.
type Disturbed struct{ Base, Candidate bool }

// Use is the rule by which the pairs of a comparison count, and its reason. The numbers are
// stable.
type Use int

const (
	// UseUndisturbed sets disturbed pairs aside.
	UseUndisturbed Use = iota
	// UseAllForMost takes all pairs because more than half are disturbed: the
	// others would describe rare moments of a machine that is always busy.
	UseAllForMost
	// UseAllForOneSide takes all pairs because disturbances fall on one side more
	// often than chance explains. Then that side causes them, and leaving them
	// out would flatter it.
	UseAllForOneSide
	// UseMiddle takes the middle of three ratios, because other work took the CPU in an eighth of the pairs or more:
	// of Times.
	UseMiddle
)

func (u Use) String() string {
	switch u {
	case UseAllForMost:
		return "all, for more than half are disturbed"
	case UseAllForOneSide:
		return "all, for disturbances fall on one side more often"
	case UseMiddle:
		return "the middle of three ratios, for the machine is busy"
	}
	return "undisturbed"
}

// oneSided is the p-value of the sign test below which one side is taken to cause
// the disturbances.
const oneSided = 0.001

// disturbances counts pairs by the side that was disturbed. The zero value is
// ready to use.
type disturbances struct {
	// Pairs counts all pairs, Base and Candidate those with that side alone
	// disturbed, Both those with both.
	Pairs, Base, Candidate, Both int
}

// Add counts one pair.
func (d *disturbances) Add(pair Disturbed) {
	d.Pairs++
	switch pair {
	case Disturbed{true, true}:
		d.Both++
	case Disturbed{Base: true}:
		d.Base++
	case Disturbed{Candidate: true}:
		d.Candidate++
	}
}

// Use is the rule by which pairs count, from all pairs added so far. Their order does
// not matter.
func (d *disturbances) Use() Use {
	switch {
	case d.isOneSided():
		return UseAllForOneSide
	case 2*(d.Base+d.Candidate+d.Both) > d.Pairs:
		return UseAllForMost
	}
	return UseUndisturbed
}

// isBusy reports whether other work disturbed an eighth of the pairs or more. It does not matter which side, for all
// batches of a side are in one process, which may have the busier processor for the whole launch.
func isBusy(pairs []Disturbed) bool {
	var d disturbances
	for _, pair := range pairs {
		d.Add(pair)
	}
	return busyShare*(d.Base+d.Candidate+d.Both) >= d.Pairs
}

// busyShare is how many pairs there are for one disturbed pair on a machine that is busy.
const busyShare = 8

// isOneSided reports whether P is below oneSided. It never is within two standard
// deviations of a fair coin, where nearly all calls end without a sum.
func (d *disturbances) isOneSided() bool {
	more := d.Base - d.Candidate
	return more*more > 4*(d.Base+d.Candidate) && d.P() < oneSided
}

// P is the two-sided p-value of the sign test between pairs with only the base
// disturbed and pairs with only the candidate disturbed. Fewer than eleven such pairs
// never reach 0.001.
func (d *disturbances) P() float64 { return signTest(d.Base, d.Candidate) }

// setAside reports for each pair of a finished set, such as the pairs of one launch,
// whether it is used, in the order of pairs, and why. A pair with either side
// disturbed is set aside; all are used if more than half are disturbed or if
// disturbances fall on one side more often (two-sided sign test, p < 0.001). The
// choice does not depend on the measured values, and exchanging base and candidate
// does not change it.
func setAside(pairs []Disturbed) (used []bool, why Use) {
	var count disturbances
	for _, pair := range pairs {
		count.Add(pair)
	}
	why = count.Use()
	used = make([]bool, len(pairs))
	for i, pair := range pairs {
		used[i] = why != UseUndisturbed || pair == Disturbed{}
	}
	return used, why
}

// medianOf returns the median of the values that are used, and their number.
func medianOf(xs []float64, use []bool) (median float64, used int) {
	kept := make([]float64, 0, len(xs))
	for i, x := range xs {
		if use[i] {
			kept = append(kept, x)
		}
	}
	slices.Sort(kept)
	return medianSorted(kept), len(kept)
}
