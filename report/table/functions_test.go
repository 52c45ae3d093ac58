package table

import (
	"testing"

	"example.com/suite/result"
)

func TestFunctionsThatMoveACase(t *testing.T) {
	const encode = "github.com/klauspost/compress/zstd.(*fastEncoder).EncodeNoHist"
	for what, c := range map[string]struct {
		own   []float64
		moved []result.MovedFunction
		want  string
	}{
		"one explains it":      {[]float64{1100, 1100}, []result.MovedFunction{{Function: encode, Base: 500, Candidate: 590}, {Function: "main", Base: 10, Candidate: 20}}, "it executes more in zstd.(*fastEncoder).EncodeNoHist +90 (+18.0%)"},
		"two, one of them new": {[]float64{1100, 1100}, []result.MovedFunction{{Function: "a/b.f[c/d.T]", Candidate: 60}, {Function: "g", Base: 40, Candidate: 80}}, "it executes more in b.f[c/d.T] +60 (new), g +40 (+100.0%)"},
		"others move back":     {[]float64{900, 900}, []result.MovedFunction{{Function: "f", Base: 200, Candidate: 50}, {Function: "g", Base: 0, Candidate: 50}}, "it executes less in f −150 (−75.0%)"},
		"gone":                 {[]float64{900, 900}, []result.MovedFunction{{Function: "f", Base: 100}}, "it executes less in f −100 (gone)"},
		"many a little":        {[]float64{1100, 1100}, []result.MovedFunction{{Function: "f", Base: 100, Candidate: 110}}, ""},
		"the runs overlap":     {[]float64{1010, 1100}, []result.MovedFunction{{Function: encode, Base: 500, Candidate: 590}}, ""},
		"none":                 {[]float64{1100, 1100}, nil, ""},
	} {
		one := &result.Case{Status: result.Measured, Settings: result.Settings{Judge: result.JudgeInstructions},
			Counted: &result.Counted{Runs: c.own, Iterations: 1, Moved: c.moved},
			Pairs:   &result.Pairs{Base: "b", Counted: &result.Counted{Runs: []float64{1000, 1020}, Iterations: 1}}}
		if got := WitnessOf(one); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}
