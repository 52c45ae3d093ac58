package result

// Column gives one number per sample for a metric: a stored column, or one
// derived from a stored one. It is nil where the case has no such samples.
func (s *Samples) Column(metric string) []float64 {
	if metric != "throughput" {
		return s.Columns[metric]
	}
	times := s.Columns["time"]
	rates := make([]float64, len(times))
	for i, t := range times {
		rates[i] = 1 / t
	}
	return rates
}

// Headline gives the samples of a metric that its summary rests on, in order,
// with the block of each: the undisturbed ones where they are at least half,
// else all (design.md §8.6). all says that disturbed ones had to be used.
func (s *Samples) Headline(metric string) (xs []float64, blocks []int, all bool) {
	col := s.Column(metric)
	if len(s.Disturbed)*2 > len(col) {
		return col, s.Block, true
	}
	next := 0 // into Disturbed
	for i, x := range col {
		if next < len(s.Disturbed) && s.Disturbed[next].Index == i {
			next++
			continue
		}
		xs, blocks = append(xs, x), append(blocks, s.Block[i])
	}
	return xs, blocks, false
}
