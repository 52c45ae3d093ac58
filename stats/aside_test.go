package stats

import (
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

func TestMedianOfALaunch(t *testing.T) {
	xs := []float64{0.3, 9, 0.1, 0.2, 7}
	one := make([]int, len(xs))
	if g := Groups(xs, flags(".b..x"), one, nil); len(g) != 1 || g[0].Ratio != 0.2 || g[0].Used != 3 || g[0].Why != UseUndisturbed {
		t.Errorf("two of five disturbed: %+v", g)
	}
	if g := Groups(xs, flags(".bc.x"), one, nil); len(g) != 1 || g[0].Ratio != 0.3 || g[0].Used != 5 || g[0].Why != UseAllForMost {
		t.Errorf("three of five disturbed: %+v", g)
	}
	if g := Groups(nil, nil, nil, nil); len(g) != 0 {
		t.Errorf("no pair: %+v", g)
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
