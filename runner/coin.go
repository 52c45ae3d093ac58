package runner

import "fmt"

// Coin decides who goes first in a pair: 0 the base, 1 the case. launch and pair
// are those of the row that the pair becomes in the samples of the case: its launch
// and its index, from 0 and counted over all launches. So a result document tells
// all that the coin depends on, and suite verify draws each one again. A pair that
// is thrown away has an index below 0 and no row.
func (s Seed) Coin(suite, name string, launch, pair int) int {
	return s.Draw("coin", fmt.Sprintf("%q %q", suite, name), launch, pair).IntN(2)
}
