package stats

import "slices"

// The largest numbers of groups for an interval of a median. Ten to thirty groups
// yield nearly the narrowest interval, and fewer groups are longer, so that
// neighbours resemble each other less.
const (
	stretches  = 20
	sequential = 28 // halved when reached; 14 is the least that 99.9 % needs
)

// BlockInterval returns bounds of the median of a series in which neighbours
// resemble each other, in the unit of xs: MedianInterval over blockMedians.
//
// xs holds samples in the order in which they were taken, block the block of
// each, non-decreasing; conf is in (0, 1). The error is ErrTooFew when there
// are too few blocks: a 95 % interval needs six, a 99 % interval eight.
//
// An interval over the samples themselves would be far too narrow, and one over
// blocks of 10 without a pause between them still is: under AR(1) noise with
// ρ = 0.9 they contain the median in 44 % and 86 % of series, and this interval
// in 95 %.
//
// The bounds include the median of xs. Medians of blocks of two samples are
// means, which are longer than the median if some samples are long, and the
// interval over them may be above it.
//
// Source: B. Schmeiser, Batch size effects in the analysis of simulation
// output, Operations Research 30 (1982).
func BlockInterval(xs []float64, block []int, conf float64) (lo, hi float64, err error) {
	lo, hi, err = MedianInterval(blockMedians(xs, block), conf)
	return around(xs, lo, hi, err)
}

// around widens bounds until they include the median of xs.
func around(xs []float64, lo, hi float64, err error) (float64, float64, error) {
	if err != nil {
		return lo, hi, err
	}
	median := Median(xs)
	return min(lo, median), max(hi, median), nil
}

// SequentialBlockInterval returns bounds of the median of a growing series in
// which neighbours resemble each other, in the unit of xs; one may look at it
// again and again. It is sequentialInterval over medians of 1, 2, 4, … whole
// blocks: 14 to 27 medians from the fourteenth block on.
//
// xs, block and conf are as for BlockInterval; blocks that do not fill a group
// yet are left out, but the bounds include the median of xs. The error is ErrTooFew when there are too few blocks: 99 %
// needs 11, 99.9 % needs 14. Because each doubling forms the groups anew, the
// chance of excluding the median at some look is above 1 − conf: at 99.9 % and
// within 150 blocks it was 0.1 % for independent blocks, and 1.2 % for blocks one
// batch apart in AR(1) noise with ρ = 0.9 (2.1 % without the doubling).
func SequentialBlockInterval(xs []float64, block []int, conf float64) (lo, hi float64, err error) {
	blocks, size := countRuns(block), 1
	for blocks/size >= sequential {
		size *= 2
	}
	if size > 1 {
		block = renumber(block, func(i int) int { return i / size })
	}
	medians := GroupMedians(xs, block)
	lo, hi, err = sequentialInterval(medians[:min(blocks/size, len(medians))], conf)
	return around(xs, lo, hi, err)
}

// blockMedians are the medians of at most 20 stretches of xs, in order and in the
// unit of xs. A stretch consists of whole blocks, and two stretches differ by at most
// one block. xs and block are as for GroupMedians; up to 20 blocks the result is the
// same.
func blockMedians(xs []float64, block []int) []float64 {
	blocks := countRuns(block)
	if blocks > stretches {
		block = renumber(block, func(i int) int { return i * stretches / blocks })
	}
	return GroupMedians(xs, block)
}

// GroupMedians returns the median of each run of equal group numbers, in the
// order in which they appear, in the unit of xs. group contains the group number
// of each sample, non-decreasing; if the two lengths differ, the shorter one counts.
func GroupMedians(xs []float64, group []int) []float64 {
	n := min(len(xs), len(group))
	var medians, scratch []float64
	for start := 0; start < n; {
		end := runEnd(group[:n], start)
		scratch = append(scratch[:0], xs[start:end]...)
		slices.Sort(scratch)
		medians = append(medians, medianSorted(scratch))
		start = end
	}
	return medians
}

// runEnd is the index after the run of equal group numbers that begins at start.
func runEnd(group []int, start int) int {
	end := start + 1
	for end < len(group) && group[end] == group[start] {
		end++
	}
	return end
}

func countRuns(group []int) int {
	runs := 0
	for start := 0; start < len(group); start = runEnd(group, start) {
		runs++
	}
	return runs
}

// renumber replaces the number of the i-th run of group, from 0, by to(i).
func renumber(group []int, to func(i int) int) []int {
	fresh := make([]int, 0, len(group))
	for i, start := 0, 0; start < len(group); i++ {
		end := runEnd(group, start)
		for range end - start {
			fresh = append(fresh, to(i))
		}
		start = end
	}
	return fresh
}
