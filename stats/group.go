package stats

// Group is what the pairs of one group say: those that belong to one launch, or
// to one set-up of both sides. However many there are, they are one piece of
// evidence, because what the group has drawn by chance (where its memory lies)
// is in all of them.
type Group struct {
	Ratio       float64 // median log ratio of the pairs used
	First, Last int     // rows, the last one included
	Used        int     // pairs of it
	Why         Use
	Counts      []bool // which of its pairs are used, in order
}

// Groups cuts pairs where their group changes and gives the one number of each.
// logRatios, pairs and group are in the order of the pairs and of one length.
func Groups(logRatios []float64, pairs []Disturbed, group []int) (all []Group) {
	for start := 0; start < len(group); {
		end := runEnd(group, start)
		g := Group{First: start, Last: end - 1}
		g.Ratio, g.Used, g.Why = LaunchMedian(logRatios[start:end], pairs[start:end])
		g.Counts, _ = SetAside(pairs[start:end])
		all, start = append(all, g), end
	}
	return all
}
