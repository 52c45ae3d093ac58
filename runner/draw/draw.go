// Package draw makes every random decision of a run: which side goes first in a pair,
// which order the cases of a round have, which layouts programs are linked in. All of it
// follows from one seed, so a run can be repeated and its document can be verified.
package draw

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	mathrand "math/rand/v2"
)

// Seed is the source of all random numbers of a run.
type Seed [16]byte

// NewSeed lets the system draw a seed.
func NewSeed() (s Seed) {
	_, _ = rand.Read(s[:]) // never fails since Go 1.24
	return s
}

// ParseSeed reads a seed as it is printed: 32 hexadecimal digits. Shorter ones
// are filled with zeros on the left, so that `--seed 1` works.
func ParseSeed(text string) (s Seed, err error) {
	if text == "" || len(text) > 2*len(s) {
		return s, fmt.Errorf("seed %q: want 1 to %d hexadecimal digits", text, 2*len(s))
	}
	if _, err := hex.Decode(s[:], fmt.Appendf(nil, "%032s", text)); err != nil {
		return s, fmt.Errorf("seed %q: want 1 to %d hexadecimal digits", text, 2*len(s))
	}
	return s, nil
}

// String formats the seed as 32 hexadecimal digits.
func (s Seed) String() string { return hex.EncodeToString(s[:]) }

// Draw makes the random numbers of one purpose. They are a function of the seed, the
// purpose, the identity of what they are for, the launch and an index, and of nothing
// else. So no draw depends on the order in which others were made.
func (s Seed) Draw(purpose, identity string, launch, index int) *mathrand.Rand {
	mac := hmac.New(sha256.New, s[:])
	fmt.Fprintf(mac, "%q %q %d %d", purpose, identity, launch, index)
	sum := mac.Sum(nil)
	return mathrand.New(mathrand.NewPCG(binary.LittleEndian.Uint64(sum), binary.LittleEndian.Uint64(sum[8:])))
}

// Coin decides who goes first in a pair: 0 is the base, 1 the case. launch and pair
// belong to the row that the pair becomes in the samples of the case: its launch, and
// its index from 0, counted over all launches. So a result document contains all that
// the coin depends on, and suite verify draws each coin again. A pair that is thrown
// away has an index below 0 and no row.
func (s Seed) Coin(suite, name string, launch, pair int) int {
	return s.Draw("coin", fmt.Sprintf("%q %q", suite, name), launch, pair).IntN(2)
}

// Layout decides at which addresses functions and data are.
type Layout struct {
	Order int64 // of the functions, from 1 to 2³¹−1
	Start int   // where each of them starts within the lines of the cache, from 0 to Starts−1
	Data  int   // by how many bytes data are moved, from 1 to MostData; 0: not at all
}

// MostData is the most by which data are moved, bytes: what depends on a place repeats from page to page.
const MostData = 4095

// Starts is how many places within a line of the cache a layout distinguishes.
const Starts = 4

// Layout draws the layout of one draw of a suite. All cases of a suite share the draws, so that one link serves
// them all; the launches of one case never share a draw, unless links take so long that they have to.
//
// Both sides take the same one: programs with equally many functions then get the same order, functions start at
// the same place, and most of what a layout costs is the same on both sides of a pair. With an order for each side,
// sorting needed 46 to 122 launches for a tolerance of 3 %, with one for both it needs 14 to 18. Over many draws
// each side still meets all orders and starts equally often, so no side is favoured.
//
// Starts take turns, from a random one: what is faster at one place only is seen in as many launches as what is slower
// there. Draws 0 and 1, 2 and 3, … have the same one, because a sentinel compares them.
func (s Seed) Layout(suite string, draw int) Layout {
	name := fmt.Sprintf("%q", suite)
	first := s.Draw("start", name, 0, 0).IntN(Starts)
	r := s.Draw("layout", name, 0, draw)
	return Layout{Order: 1 + r.Int64N(math.MaxInt32), Start: (first + draw/2) % Starts, Data: 1 + r.IntN(MostData)}
}

// Counted draws the layout of one of the runs of a side in which instructions are counted. Unlike launches of a
// pair, no two runs have the same: if two sides differ in nothing but their places, the numbers of both come from
// one distribution, and whatever order they have is by chance. A run of each side has the layouts of two draws, by
// coin, which launches may have had already, so that nothing has to be linked for it. Their starts are the same, which
// makes it less likely that all runs of one side are above all of the other.
func (s Seed) Counted(suite string, base bool, run int) Layout {
	coin := s.Draw("counted", fmt.Sprintf("%q", suite), 0, run).IntN(2) == 1
	if base == coin {
		return s.Layout(suite, 2*run)
	}
	return s.Layout(suite, 2*run+1)
}
