package stats

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// flags reads one letter a pair: . neither, b base, c candidate, x both.
func flags(letters string) []Disturbed {
	of := map[rune]Disturbed{'b': {Base: true}, 'c': {Candidate: true}, 'x': {true, true}}
	var pairs []Disturbed
	for _, letter := range letters {
		pairs = append(pairs, of[letter])
	}
	return pairs
}

func marks(used []bool) string {
	s := ""
	for _, u := range used {
		s += map[bool]string{true: "+", false: "-"}[u]
	}
	return s
}

func TestSetAside(t *testing.T) {
	for _, c := range []struct {
		pairs, want string
		why         Use
	}{
		{"", "", UseUndisturbed},
		{"....", "++++", UseUndisturbed},
		{".b.c..x.", "+-+-++-+", UseUndisturbed},
		{"bb..", "--++", UseUndisturbed},  // half is not more than half
		{"bb.c.", "+++++", UseAllForMost}, // 3 of 5
		{"xxxx", "++++", UseAllForMost},
		{"bbbbbbbbbb..........", "----------++++++++++", UseUndisturbed},                         // p = 2/1024
		{"bbbbbbbbbbb...........", "++++++++++++++++++++++", UseAllForOneSide},                   // p = 2/2048
		{"ccccccccccccccb................", "+++++++++++++++++++++++++++++++", UseAllForOneSide}, // p = 0.00098
		{"cccccccccccccb..............", "--------------++++++++++++++", UseUndisturbed},         // p = 0.0018
		{"cccccccccccxxxxxxxxxxx", "++++++++++++++++++++++", UseAllForOneSide},                   // both reasons
		{"xxxxxxxxxxxxxx..............", "--------------++++++++++++++", UseUndisturbed},         // on both sides
	} {
		used, why := setAside(flags(c.pairs))
		if marks(used) != c.want || why != c.why {
			t.Errorf("%q: got %q, %v; want %q, %v", c.pairs, marks(used), why, c.want, c.why)
		}
	}
}

// Exchanging the sides exchanges nothing but the counts.
func TestSetAsideTreatsSidesAlike(t *testing.T) {
	for _, letters := range []string{".b.c..xbb", "bbbbbbbbbbbb............", "ccb..x"} {
		pairs := flags(letters)
		used, why := setAside(pairs)
		for i, p := range pairs {
			pairs[i] = Disturbed{Base: p.Candidate, Candidate: p.Base}
		}
		if exchanged, because := setAside(pairs); !slices.Equal(used, exchanged) || why != because {
			t.Errorf("%q: %q, %v; exchanged %q, %v", letters, marks(used), why, marks(exchanged), because)
		}
	}
}

// A settled pair stays settled: the decisions for a prefix are the same as within the
// whole.
func TestSettle(t *testing.T) {
	for _, c := range []struct{ pairs, want string }{
		{"..b...c....x.", "++-+++-++++-+"},
		{"xxxxxx....xx", "------++++++"},                         // 6 of 10 were: the eleventh is used
		{"xxxxx.....xx", "-----+++++-+"},                         // 5 of 10, then 6 of 11
		{"xxxxxxxxx", "---------"},                               // nine speak for nothing yet
		{"xxxxxx.........b", "------+++++++++-"},                 // 6 of 15 are not most any more
		{"bbbbbbbbbb..........bb", "----------++++++++++-+"},     // one-sided from the eleventh on
		{"b.b.b.b.b.b.b.b.b.b.b.b.", "-+-+-+-+-+-+-+-+-+-+-+++"}, // likewise, never more than half
	} {
		var count disturbances
		var used []bool
		for _, pair := range flags(c.pairs) {
			used = append(used, count.Settle(pair))
		}
		if marks(used) != c.want {
			t.Errorf("%q: got %q, want %q", c.pairs, marks(used), c.want)
		}
	}
}

func TestDisturbancesAreCounted(t *testing.T) {
	var count disturbances
	for _, pair := range flags("..b.cxc") {
		count.Add(pair)
	}
	if want := (disturbances{Pairs: 7, Base: 1, Candidate: 2, Both: 1}); count != want {
		t.Errorf("got %+v, want %+v", count, want)
	}
	if p := count.P(); p != 1 {
		t.Errorf("1 against 2: p = %v", p)
	}
}

func TestLaunchMedian(t *testing.T) {
	xs := []float64{0.3, 9, 0.1, 0.2, 7}
	if m, used, why := LaunchMedian(xs, flags(".b..x")); m != 0.2 || used != 3 || why != UseUndisturbed {
		t.Errorf("two of five disturbed: %v of %d, %v", m, used, why)
	}
	if m, used, why := LaunchMedian(xs, flags(".bc.x")); m != 0.3 || used != 5 || why != UseAllForMost {
		t.Errorf("three of five disturbed: %v of %d, %v", m, used, why)
	}
	if m, used, _ := LaunchMedian(nil, nil); m != 0 || used != 0 {
		t.Errorf("no pair: %v of %d", m, used)
	}
}

// A pair set aside counts in DecidedAt and nowhere else.
func TestCall(t *testing.T) {
	c, err := NewCall(1.03, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	used := make([]bool, 0)
	for _, pair := range flags("..c.b......") {
		x := math.Log(1.1)
		if pair != (Disturbed{}) {
			x = -5
		}
		u, err := c.Add(x, pair)
		if err != nil {
			t.Fatal(err)
		}
		used = append(used, u)
	}
	if marks(used) != "++-+-++++++" || c.Side() != Above || c.DecidedAt() != 11 || c.Used().DecidedAt() != 9 {
		t.Errorf("%s: %v at %d, %d of them used", marks(used), c.Side(), c.DecidedAt(), c.Used().DecidedAt())
	}
	if _, err := c.Add(math.NaN(), Disturbed{true, true}); !errors.Is(err, ErrNotFinite) || c.disturbances().Pairs != 11 {
		t.Errorf("NaN: %v, %d pairs", err, c.disturbances().Pairs)
	}
	if low, high, err := c.Used().Interval(); err != nil || math.Abs(low-1.1) > 1e-9 || math.Abs(high-1.1) > 1e-9 {
		t.Errorf("the pairs set aside show: [%v, %v], %v", low, high, err)
	}
	if _, err := NewCall(-1, 0.01); !errors.Is(err, ErrLimit) {
		t.Errorf("limit −1: %v", err)
	}
}

// The shortcut of the sign test changes no answer.
func TestOneSidedIsTheSignTest(t *testing.T) {
	for base := range 600 {
		for candidate := range 600 {
			d := disturbances{Base: base, Candidate: candidate}
			if want := d.P() < oneSided; d.isOneSided() != want {
				t.Fatalf("%d against %d: %v, p = %g", base, candidate, !want, d.P())
			}
		}
	}
}
