package result

// Column gives one number per row for a metric: a stored column, or one derived
// from a stored one, NaN in rows that have none. It is nil where no row has any.
func (s *Samples) Column(metric string) Column {
	name := metric
	if metric == "throughput" && s.Columns[metric] == nil { // else a benchmark has printed it
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

// Headline gives the samples of a metric that its summary rests on, in order,
// with the block of each: those that have a value, and of them the undisturbed
// ones where they are at least half, else all. Where runs were
// killed it is all: leaving out disturbed ones, which killed ones never are, would
// make killed ones more than they were. all says that disturbed ones had to be
// used. None of xs is NaN.
func (s *Samples) Headline(metric string) (xs []float64, blocks []int, all bool) {
	col := s.Column(metric)
	if xs, blocks = s.rows(col, s.Disturbed); len(s.Disturbed) == 0 {
		return xs, blocks, false
	}
	if every, of := s.rows(col, nil); 2*len(xs) < len(every) || len(s.Censored) > 0 {
		return every, of, true
	}
	return xs, blocks, false
}

// rows gives the values of a column but for absent ones and those of the rows
// that are left out.
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

// RateUnit is what the throughput of a case counts: units of its work, or bytes
// where an existing benchmark has printed MB/s (b.SetBytes).
func (c *Case) RateUnit() string {
	if c.Samples.Columns["throughput"] != nil {
		return "byte"
	}
	return c.Unit
}
