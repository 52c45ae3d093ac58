package probe

import "example.com/suite/stats"

// Speed is how fast the core ran a chain of dependent operations, which waits
// for neither memory nor other cores: only the frequency changes its speed.
type Speed struct {
	Operation float64 `json:"operation"` // seconds of one operation, median of the block medians
	Blocks    int     `json:"blocks"`    // of 10 batches of 1 ms
	// Low and High bound nine tenths of the block medians, relative to the median:
	// −0.01 is 1 % faster.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Drift is the relative change from the start to the end, positive for slower,
	// and Trend says that chance would make such a one in at most 1 % of series.
	Drift float64 `json:"drift"`
	Trend bool    `json:"trend"`
}

// speed is nil before the first block.
func (s *spinning) speed() *Speed {
	medians := s.blocks()
	middle := stats.Median(medians)
	if len(medians) == 0 || middle <= 0 {
		return nil
	}
	f := &Speed{Operation: middle / 1e9, Blocks: len(medians)}
	f.Low, f.High = stats.Quantile(medians, 0.05)/middle-1, stats.Quantile(medians, 0.95)/middle-1
	f.Drift, f.Trend = stats.Drift(medians)
	return f
}

// Precision is what a run on this machine can be expected to show.
type Precision struct {
	Run  float64 `json:"run"`  // seconds: the length of the runs that this is about
	Runs int     `json:"runs"` // how many of them the probe was cut into
	// Within is half of the 95 % interval of the median of one such run, relative,
	// and Between how far the medians of the runs lie from their middle.
	Within  float64 `json:"within"`
	Between float64 `json:"between"`
	// Moves is the larger one of the two: medians move by about ± so much.
	Moves float64 `json:"moves"`
}

// leastBlocks of a run: its interval needs six, and would then reach from the
// least to the greatest of them.
const leastBlocks = 10

// precision cuts the blocks into runs of about a second, each of which says how
// well its median is known. Behind a coarse clock, where blocks are long, the runs
// are longer. It is nil where there are too few blocks for a single interval.
func (s *spinning) precision() *Precision {
	blocks := len(s.xs) / perBlock
	p := &Precision{Runs: max(1, min(int(float64(s.elapsed)/1e9+0.1), blocks/leastBlocks))}
	p.Run = float64(s.elapsed) / 1e9 / float64(p.Runs)
	var medians, halves []float64
	for i := range p.Runs {
		xs, block := s.usable(i*blocks/p.Runs*perBlock, (i+1)*blocks/p.Runs*perBlock)
		low, high, err := stats.BlockInterval(xs, block, 0.95)
		middle := stats.Median(xs)
		if err != nil || middle <= 0 {
			continue
		}
		medians, halves = append(medians, middle), append(halves, (high-low)/2/middle)
	}
	if len(medians) == 0 {
		return nil
	}
	p.Within, p.Between = stats.Median(halves), between(medians)
	p.Moves = max(p.Within, p.Between)
	return p
}

// between is the distance from their middle that 95 % of medians keep, relative.
func between(medians []float64) float64 {
	middle, away := stats.Median(medians), []float64(nil)
	for _, m := range medians {
		away = append(away, max(m/middle-1, 1-m/middle))
	}
	return stats.Quantile(away, 0.95)
}

var sink = uint64(88172645463325252)

// chain is n steps of a linear congruential generator: a multiplication and an
// addition that wait for each other, about 4 cycles.
func chain(n int) {
	x := sink
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink = x
}
