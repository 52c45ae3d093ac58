package stats

import "slices"

// Disturbed says which side of a pair the machine disturbed.
type Disturbed struct{ Base, Candidate bool }

// Use says which pairs of a comparison count, and why. The numbers are stable.
type Use int

const (
	// UseUndisturbed sets disturbed pairs aside.
	UseUndisturbed Use = iota
	// UseAllForMost takes all pairs, since more than half are disturbed: those
	// left would speak of rare moments of a machine that is always busy.
	UseAllForMost
	// UseAllForOneSide takes all pairs, since disturbances fall on one side more
	// often than chance explains: what disturbs belongs to that side then, and
	// leaving it out would flatter it.
	UseAllForOneSide
)

func (u Use) String() string {
	switch u {
	case UseAllForMost:
		return "all, for more than half are disturbed"
	case UseAllForOneSide:
		return "all, for disturbances fall on one side more often"
	}
	return "undisturbed"
}

// oneSided is the p-value of the sign test below which disturbances are taken to
// belong to one side.
const oneSided = 0.001

// disturbances counts pairs by the side that was disturbed. The zero value is
// ready to use.
type disturbances struct {
	// Pairs are all of them; in Base and Candidate that side alone was
	// disturbed, in Both both.
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

// Use says which pairs count, given all of them up to now; it takes Add's pairs
// in any order.
func (d *disturbances) Use() Use {
	switch {
	case d.P() < oneSided:
		return UseAllForOneSide
	case 2*(d.Base+d.Candidate+d.Both) > d.Pairs:
		return UseAllForMost
	}
	return UseUndisturbed
}

// P is the p-value of the sign test between pairs with the base alone disturbed
// and those with the candidate alone; fewer than eleven are never below 0.001.
func (d *disturbances) P() float64 { return signTest(d.Base, d.Candidate) }

// Settle says whether a pair is used in a sequence of pairs that is looked at
// while it grows, and counts it: it is used if neither side is disturbed, or if
// Use says so of the pairs before it, of which there are a block of ten at least.
//
// What is settled stays so. To choose anew after every pair, for all pairs at
// once, would be to ask two sequences in turn, each of which may be wrong with
// chance α: where half of the pairs are disturbed, that called 1.3 % of equal
// sides slower within 3000 pairs at α = 1 %, and this 0.7 %. Whether a pair is
// used depends on the past and on both its sides alike, never on its coin, so
// the chance of one that is used to lie on either side stays 1/2.
func (d *disturbances) Settle(pair Disturbed) (used bool) {
	used = pair == Disturbed{} || d.Pairs >= settled && d.Use() != UseUndisturbed
	d.Add(pair)
	return used
}

// settled is the least number of pairs that speak for those to come: with
// fewer, one or two would decide.
const settled = 10

// setAside says which pairs of a finished set, such as those of one launch, are
// used, in their order, and why. A pair with either side disturbed is set
// aside; all are used if more than half are disturbed or if disturbances fall on
// one side more often (two-sided sign test, p < 0.001). Values are not
// asked for, and exchanging base and candidate changes nothing. For pairs that
// are judged one by one see Settle.
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

// LaunchMedian gives the one number of a launch, the median log ratio of its
// pairs that setAside uses, how many these are, and why they. logRatios and
// pairs are in the order of the pairs and of one length. Without a pair it
// gives 0, 0.
func LaunchMedian(logRatios []float64, pairs []Disturbed) (median float64, used int, why Use) {
	use, why := setAside(pairs)
	var kept []float64
	for i, x := range logRatios {
		if use[i] {
			kept = append(kept, x)
		}
	}
	slices.Sort(kept)
	return medianSorted(kept), len(kept), why
}
