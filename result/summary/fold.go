package summary

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Folds keeps a case in constant memory, for very long runs (samples: {keep:
// summary}). Each block of samples becomes its medians, and a row is the mean of the
// medians of width blocks; width doubles each time there are too many rows. What needs
// single samples is gathered as they pass. The mean of medians is a little above the
// median if the noise is skewed: 0.25 % with log-normal noise of 10 %.
type Folds struct {
	rows    int // of Samples that are medians already
	width   int // blocks in each of them
	blocks  int // in the last of them
	streams map[string]*stream
}

// MostRows of medians: 25 for each of the 20 stretches that an interval rests on.
const MostRows = 512

// NewFolds returns folds without samples.
func NewFolds() *Folds { return &Folds{width: 1, streams: map[string]*stream{}} }

// Rows returns how many rows of the samples are medians already.
func (f *Folds) Rows() int { return f.rows }

// Fold turns the samples after the rows into a row, or into a part of the last one.
func (f *Folds) Fold(s *result.Samples) {
	block := RowsFrom(s, f.rows) // of the running block
	f.gather(&block)
	s.Taken += block.Len()
	if f.blocks == f.width || f.rows == 0 {
		f.rows, f.blocks = f.rows+1, 0
		s.Launch, s.At = append(s.Launch[:f.rows-1], block.Launch[0]), append(s.At[:f.rows-1], block.At[0])
		s.Block = append(s.Block[:f.rows-1], f.rows-1)
	}
	f.blocks++
	for name, column := range s.Columns {
		xs, _, _ := block.Headline(name)
		s.Columns[name] = f.join(column, median(xs))
	}
	s.Launch = s.Launch[:f.rows]
	s.At = s.At[:f.rows]
	s.Block = s.Block[:f.rows]
	s.Disturbed = s.Disturbed[:0]
	if f.rows > MostRows {
		f.halve(s)
	}
}

// join puts the median of a block into the last row: as the first of its blocks,
// or into the mean.
func (f *Folds) join(column result.Column, x float64) result.Column {
	if f.blocks == 1 {
		return append(column[:f.rows-1], x)
	}
	column = column[:f.rows]
	switch mean := &column[f.rows-1]; {
	case math.IsNaN(*mean):
		*mean = x
	case !math.IsNaN(x):
		*mean += (x - *mean) / float64(f.blocks)
	}
	return column
}

// gather adds the samples of a block to what passes by.
func (f *Folds) gather(block *result.Samples) {
	for _, name := range append(slices.Sorted(maps.Keys(block.Columns)), "throughput") {
		xs, _, _ := block.Headline(name)
		for _, x := range xs {
			if math.IsInf(x, 0) {
				continue // throughput of a time of 0: it has no summary, and JSON cannot express it
			}
			if f.streams[name] == nil {
				f.streams[name] = newStream()
			}
			f.streams[name].add(x)
		}
	}
}

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	return stats.Median(xs)
}

// halve joins rows two by two: each then has twice as many blocks. A last row
// without a partner stays, as the first half of a new one.
func (f *Folds) halve(s *result.Samples) {
	half := f.rows / 2
	for name, column := range s.Columns {
		for i := range half {
			column[i] = mean(result.Column{column[2*i], column[2*i+1]}.Present())
		}
		s.Columns[name] = append(column[:half], column[2*half:]...)
	}
	for i := range half {
		s.Launch[i], s.At[i] = s.Launch[2*i], s.At[2*i]
	}
	s.Launch = append(s.Launch[:half], s.Launch[2*half:]...)
	s.At = append(s.At[:half], s.At[2*half:]...)
	s.Block = s.Block[:f.rows-half]
	f.rows, f.width = f.rows-half, 2*f.width
}

func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	return stats.Mean(xs)
}

// stream summarises all samples of a metric.
type stream struct {
	n        int
	mean, m2 float64 // m2 is the sum of squared deviations from the mean
	min, max float64
	chosen   []float64
	source   *rand.PCG
	draw     *rand.Rand // from source
}

// chosenOnes samples, drawn with equal chance from all, are what quantiles are
// computed from: p99 is then right to within 0.16 points in two of three runs.
const chosenOnes = 4096

// newStream always starts with the same seed: which samples are chosen must depend
// only on how many there are.
func newStream() *stream {
	source := rand.NewPCG(1, 2)
	return &stream{source: source, draw: rand.New(source)}
}

// add takes one sample. Mean and deviation are kept as Welford does (Technometrics
// 4, 1962), from the first value on, so that nothing cancels; which values stay
// follows Vitter's algorithm R (ACM TOMS 11, 1985).
func (s *stream) add(x float64) {
	if s.n++; s.n == 1 {
		s.min, s.max = x, x
	}
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.m2 += d * (x - s.mean)
	s.min, s.max = min(s.min, x), max(s.max, x)
	if len(s.chosen) < chosenOnes {
		s.chosen = append(s.chosen, x)
	} else if i := s.draw.IntN(s.n); i < chosenOnes {
		s.chosen[i] = x
	}
}

// describe replaces the parts of a summary that rows of medians would get wrong.
func (s *stream) describe(to *result.Summary) {
	to.N = s.n
	to.Mean = s.mean
	to.StdDev = 0
	to.Min = s.min
	to.Max = s.max
	if s.n > 1 {
		to.StdDev = math.Sqrt(s.m2 / float64(s.n-1))
	}
	xs := s.chosen
	to.MAD = stats.MAD(xs)
	to.P50 = stats.Quantile(xs, 0.5)
	to.P90 = stats.Quantile(xs, 0.9)
	to.P95 = stats.Quantile(xs, 0.95)
	to.P99 = stats.Quantile(xs, 0.99)
	to.OutliersLow, to.OutliersHigh = 0, 0 // they would be a guess
}

// RowsFrom returns copies of the rows from an index on, with disturbed ones
// counted from there.
func RowsFrom(s *result.Samples, from int) result.Samples {
	rows := result.Samples{
		Launch:  slices.Clone(s.Launch[from:]),
		Block:   slices.Clone(s.Block[from:]),
		At:      slices.Clone(s.At[from:]),
		Columns: map[string]result.Column{},
	}
	for name, column := range s.Columns {
		rows.Columns[name] = slices.Clone(column[from:])
	}
	for _, i := range s.Censored {
		if i >= from {
			rows.Censored = append(rows.Censored, i-from)
		}
	}
	for _, d := range s.Disturbed {
		if d.Index >= from {
			rows.Disturbed = append(rows.Disturbed, result.Disturbed{Index: d.Index - from, Cause: d.Cause})
		}
	}
	return rows
}
