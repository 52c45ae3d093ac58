package sim

import (
	"math/rand/v2"
	"testing"
)

// A promise of 1 % that is broken by a tenth passes as seldom as its confidence allows, and one
// that is kept by a half passes, most often after a quarter of the trials.
func TestBrokenPromisesSeldomPass(t *testing.T) {
	promise := Promise{Share: 0.01, Confidence: 0.9, Trials: 4000}
	try := func(share float64) (passed, early int) {
		rng := rand.New(rand.NewPCG(7, 8))
		for range 300 {
			hits := 0
			kept, trials := promise.Kept(func(from, to int) int {
				for range to - from {
					if rng.Float64() < share {
						hits++
					}
				}
				return hits
			})
			if kept {
				passed++
			}
			if trials == promise.Trials/4 {
				early++
			}
		}
		return passed, early
	}
	if passed, _ := try(0.011); passed > 30 {
		t.Errorf("of 300 broken promises %d pass, at a confidence of 0.9", passed)
	}
	if passed, early := try(0.003); passed < 300 || early < 200 {
		t.Errorf("of 300 promises that are kept %d pass, %d of them early", passed, early)
	}
}
