package stats

import "slices"

// How many groups an interval of a headline rests on at most. Ten to thirty
// are enough for nearly the narrowest interval, and the fewer they are the
// longer each is and the less it resembles its neighbour.
const (
	stretches  = 20
	sequential = 28 // halved when reached; 14 is the least that 99.9 % needs
)

// BlockInterval returns bounds of the median of a series in which neighbours
// resemble each other, in the unit of xs: MedianInterval over blockMedians.
//
// xs holds samples in the order in which they were taken, block the block of
// each, non-decreasing; conf lies in (0, 1). The error is ErrTooFew when there
// are too few blocks: a 95 % interval needs six, a 99 % interval eight.
//
// An interval over the samples themselves would be far too narrow, and one
// over blocks of 10 that follow each other without a pause still is: under
// AR(1) noise with ρ = 0.9 they hold the median in 44 % and 86 % of series
// where this one holds it in 95 %.
//
// Source: B. Schmeiser, Batch size effects in the analysis of simulation
// output, Operations Research 30 (1982).
func BlockInterval(xs []float64, block []int, conf float64) (lo, hi float64, err error) {
	return MedianInterval(blockMedians(xs, block), conf)
}

// SequentialBlockInterval returns bounds of the median of a series in which
// neighbours resemble each other, for looking again and again while it grows,
// in the unit of xs: sequentialInterval over medians of 1, 2, 4, … whole
// blocks, so that there are 14 to 27 of them from the fourteenth block on.
//
// xs, block and conf are as for BlockInterval; blocks that do not fill a group
// yet are left out. The error is ErrTooFew when there are too few blocks: 99 %
// needs 11, 99.9 % needs 14. Because groups are formed anew at every doubling
// the chance of excluding the median at some look is above 1 − conf: at 99.9 %
// and in 150 blocks it was 0.1 % where they are independent, and 1.2 % where
// AR(1) noise with ρ = 0.9 runs on with one batch between them (2.1 % without
// the doubling).
func SequentialBlockInterval(xs []float64, block []int, conf float64) (lo, hi float64, err error) {
	blocks, size := countRuns(block), 1
	for blocks/size >= sequential {
		size *= 2
	}
	if size > 1 {
		block = renumber(block, func(i int) int { return i / size })
	}
	medians := GroupMedians(xs, block)
	return sequentialInterval(medians[:min(blocks/size, len(medians))], conf)
}

// blockMedians returns the medians of at most 20 stretches of xs, in order and
// in the unit of xs; the stretches consist of whole blocks, their numbers of
// blocks differ by one at most. xs and block are as for GroupMedians; up to 20
// blocks the result is the same.
func blockMedians(xs []float64, block []int) []float64 {
	blocks := countRuns(block)
	if blocks > stretches {
		block = renumber(block, func(i int) int { return i * stretches / blocks })
	}
	return GroupMedians(xs, block)
}

// GroupMedians returns the median of each run of equal group numbers, in the
// order in which they appear, in the unit of xs. group says which group each
// sample belongs to and is non-decreasing; where the two lengths differ the
// shorter one counts.
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

// runEnd is the index after the last of the equal group numbers from start.
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

// renumber gives the i-th group, from 0, the number to(i).
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
