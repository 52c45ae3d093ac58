package result

import "slices"

// Part is the median of one block of samples, or of one launch.
type Part struct {
	Number int     // of the block, or of the launch
	Rows   int     // samples in it
	Median float64 // of their values
}

// manyLaunches is the number of launches from which on each launch is one
// observation, in place of each block: an interval of 95 % needs six.
const manyLaunches = 6

// Parts returns the observations that intervals are computed from, in order: the
// medians of launches if there are at least six, else the medians of blocks. It uses
// the samples of Headline, and returns nil if there are none. Each run of a command
// is a block.
func (s *Samples) Parts(metric string) []Part {
	xs, blocks, _ := s.Headline(metric)
	if len(xs) == 0 {
		return nil
	}
	if n := s.launches(); n >= manyLaunches && n < len(xs) {
		for i, row := range s.HeadlineRows(metric) {
			blocks[i] = s.Launch[row]
		}
	}
	var parts []Part
	for start := 0; start < len(xs); {
		end := start + 1
		for end < len(xs) && blocks[end] == blocks[start] {
			end++
		}
		parts = append(parts, Part{blocks[start], end - start, middleOf(xs[start:end])})
		start = end
	}
	return parts
}

func (s *Samples) launches() int {
	return len(slices.Compact(slices.Sorted(slices.Values(s.Launch))))
}

// HeadlineRows returns the row of each sample of Headline.
func (s *Samples) HeadlineRows(metric string) []int {
	numbered := *s
	numbered.Block = make([]int, s.Len())
	for i := range numbered.Block {
		numbered.Block[i] = i
	}
	_, rows, _ := numbered.Headline(metric)
	return rows
}

func middleOf(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return xs[(n-1)/2]/2 + xs[n/2]/2
}
