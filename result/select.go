package result

// Column returns one number per row for a metric, NaN in rows without one. It is nil
// if no row has a number. Throughput is 1 ÷ time unless the samples have a column of
// it.
func (s *Samples) Column(metric string) Column {
	name := metric
	if metric == "throughput" && s.Columns[metric] == nil { // a Go benchmark may have printed MB/s
		name = "time"
	}
	col := s.Columns[name]
	if col.empty() {
		return nil
	}
	if name == metric {
		return col
	}
	rates := make(Column, len(col))
	for i, t := range col {
		rates[i] = 1 / t
	}
	return rates
}

// Headline returns the samples that the summary of a metric is computed from, in
// order, and the block of each. xs has no NaN. Disturbed samples are left out if at
// least half of the samples remain and no run was killed; otherwise all is true.
// Killed runs are never disturbed, so leaving out others would raise their share.
func (s *Samples) Headline(metric string) (xs []float64, blocks []int, all bool) {
	col := s.Column(metric)
	xs, blocks = s.rows(col, s.Disturbed)
	if len(s.Disturbed) == 0 {
		return xs, blocks, false
	}
	if every, of := s.rows(col, nil); 2*len(xs) < len(every) || len(s.Censored) > 0 {
		return every, of, true
	}
	return xs, blocks, false
}

// rows returns the numbers of a column and the block of each, without gaps and the
// rows in leftOut, which ascend.
func (s *Samples) rows(col Column, leftOut []Disturbed) (xs []float64, blocks []int) {
	xs, blocks = make([]float64, 0, len(col)), make([]int, 0, len(col))
	for i, x := range col {
		switch {
		case len(leftOut) > 0 && leftOut[0].Index == i:
			leftOut = leftOut[1:]
		case !absent(x):
			xs, blocks = append(xs, x), append(blocks, s.Block[i])
		}
	}
	return xs, blocks
}

// RateUnit is the unit that the throughput of a case counts: its unit of work, or
// byte if a Go benchmark printed MB/s (b.SetBytes).
func (c *Case) RateUnit() string {
	if c.Samples.Columns["throughput"] != nil {
		return "byte"
	}
	return c.Unit
}
