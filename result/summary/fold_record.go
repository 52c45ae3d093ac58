package summary

import (
	"errors"
	"math/rand/v2"

	"example.com/suite/result"
)

// FoldsRecord is a summary of samples as a journal keeps it.
type FoldsRecord struct {
	Rows    int                     `json:"rows"`
	Width   int                     `json:"width"`
	Blocks  int                     `json:"blocks"`
	Streams map[string]streamRecord `json:"streams"`
}

type streamRecord struct {
	N      int           `json:"n"`
	Mean   float64       `json:"mean"`
	M2     float64       `json:"m2"`
	Min    float64       `json:"min"`
	Max    float64       `json:"max"`
	Chosen result.Column `json:"chosen"`
	Draw   []byte        `json:"draw"` // state of the generator
}

// Record describes folds, so that those restored from it go on as they would
// have: the same draws included.
func (f *Folds) Record() *FoldsRecord {
	r := &FoldsRecord{Rows: f.rows, Width: f.width, Blocks: f.blocks, Streams: map[string]streamRecord{}}
	for name, s := range f.streams {
		draw, _ := s.source.MarshalBinary() // never fails
		r.Streams[name] = streamRecord{N: s.n, Mean: s.mean, M2: s.m2, Min: s.min, Max: s.max,
			Chosen: s.chosen, Draw: draw}
	}
	return r
}

// Check returns an error if folds of so many rows cannot be restored.
func (r *FoldsRecord) Check(rows int) error {
	wrong := r.Rows != rows || r.Rows < 1 || r.Width < 1 || r.Blocks < 1 || r.Blocks > r.Width
	for _, s := range r.Streams {
		wrong = wrong || len(s.Chosen) < 1 || len(s.Chosen) > chosenOnes || s.N < len(s.Chosen) ||
			new(rand.PCG).UnmarshalBinary(s.Draw) != nil
	}
	if wrong {
		return errors.New("a summary that does not fit its rows")
	}
	return nil
}

// Restore returns the folds of a record that Check has passed.
func (r *FoldsRecord) Restore() *Folds {
	f := &Folds{rows: r.Rows, width: r.Width, blocks: r.Blocks, streams: map[string]*stream{}}
	for name, from := range r.Streams {
		s := newStream()
		_ = s.source.UnmarshalBinary(from.Draw) // checked
		s.n = from.N
		s.mean = from.Mean
		s.m2 = from.M2
		s.min = from.Min
		s.max = from.Max
		s.chosen = from.Chosen
		f.streams[name] = s
	}
	return f
}
