package probe

import "example.com/suite/stats"

// Speed is the speed of a chain of dependent operations, which waits for neither
// memory nor other cores: only the core's frequency changes it.
type Speed struct {
	Operation float64 `json:"operation"` // seconds of one operation, median of the block medians
	Blocks    int     `json:"blocks"`    // of 10 batches of 1 ms
	// Low and High bound nine tenths of the block medians, relative to the median:
	// −0.01 is 1 % faster.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Drift is the relative change from the start to the end, positive for slower.
	// Trend reports that chance alone causes such a trend in at most 1 % of series.
	Drift float64 `json:"drift"`
	Trend bool    `json:"trend"`
}

// speed is nil if there is no block.
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

// Precision is the precision that can be expected of a run on this machine.
type Precision struct {
	Run  float64 `json:"run"`  // length of a run in seconds
	Runs int     `json:"runs"` // number of runs into which the probe was cut
	// Within is half the width of the 95 % interval of one run's median, Between
	// the distance of the runs' medians from their middle. Both are relative.
	Within  float64 `json:"within"`
	Between float64 `json:"between"`
	// Moves is the larger one of the two: medians move by about ± Moves.
	Moves float64 `json:"moves"`
}

// leastBlocks is the least number of blocks of a run. Six suffice for its interval,
// but then it reaches from the least block to the greatest.
const leastBlocks = 10

// precision cuts the blocks into runs of about a second and computes the interval of
// each run's median. Runs are longer if a coarse clock makes blocks long. It returns
// nil if there are too few blocks for a single interval.
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

// between is the relative distance from their middle within which 95 % of medians are.
func between(medians []float64) float64 {
	middle, away := stats.Median(medians), []float64(nil)
	for _, m := range medians {
		away = append(away, max(m/middle-1, 1-m/middle))
	}
	return stats.Quantile(away, 0.95)
}

var sink = uint64(88172645463325252)

// chain runs n steps of a linear congruential generator, each a multiplication and an
// addition that wait for each other: about 4 cycles.
func chain(n int) {
	x := sink
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink = x
}
