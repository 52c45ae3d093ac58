package draw

import (
	"strings"
	"testing"
)

// A coin is fair, is the same at every call, and depends on everything that identifies
// a pair and on nothing else.
func TestCoin(t *testing.T) {
	seed, err := ParseSeed("9f3c51d07a2be84466f01c9d5e3a7b18")
	if err != nil {
		t.Fatal(err)
	}
	other, _ := ParseSeed("1")
	const n = 10_000
	ones, same := 0, map[string]int{}
	for i := range n {
		c := seed.Coin("s", "c", 0, i)
		if ones += c; c != seed.Coin("s", "c", 0, i) || c < 0 || c > 1 {
			t.Fatalf("coin %d is not one thing: %d", i, c)
		}
		for what, d := range map[string]int{"seed": other.Coin("s", "c", 0, i), "suite": seed.Coin("t", "c", 0, i), "case": seed.Coin("s", "d", 0, i),
			"launch": seed.Coin("s", "c", 1, i), "place of the space": seed.Coin("s c", "", 0, i)} {
			if c == d {
				same[what]++
			}
		}
	}
	same["coin"] = ones
	for what, k := range same { // five standard deviations of a fair coin
		if k < n/2-250 || k > n/2+250 {
			t.Errorf("%s: %d of %d", what, k, n)
		}
	}
}

func TestParseSeed(t *testing.T) {
	s, err := ParseSeed("1")
	if err != nil || s.String() != "00000000000000000000000000000001" {
		t.Errorf("ParseSeed(1) = %v, %v", s, err)
	}
	for _, bad := range []string{"", "xyz", strings.Repeat("0", 33)} {
		if _, err := ParseSeed(bad); err == nil {
			t.Errorf("ParseSeed(%q) is accepted", bad)
		}
	}
}

// Orders are all different. Starts take turns, two draws each, and come from the seed and the suite.
func TestLayout(t *testing.T) {
	orders, firsts := map[int64]bool{}, map[int]bool{}
	for n := range 20 {
		seed := Seed{byte(n)}
		firsts[seed.Layout("s", 0).Start] = true
		for draw := range 40 {
			l := seed.Layout("s", draw)
			if orders[l.Order] || l.Order < 1 || l != seed.Layout("s", draw) {
				t.Fatalf("draw %d of seed %d: order %d", draw, n, l.Order)
			}
			orders[l.Order] = true
			if want := (seed.Layout("s", 0).Start + draw/2) % Starts; l.Start != want || l.Start != seed.Layout("s", draw^1).Start {
				t.Errorf("draw %d of seed %d starts at %d, want %d", draw, n, l.Start, want)
			}
		}
	}
	if len(firsts) != Starts {
		t.Errorf("20 seeds start with %v", firsts)
	}
}

// Each run of each side that is counted has a layout of its own, one of two draws by coin, and its data may be anywhere
// in a page.
func TestCounted(t *testing.T) {
	all, quarters, first := map[Layout]bool{}, map[int]int{}, 0
	for run := range 200 {
		for _, base := range []bool{false, true} {
			l := Seed{1}.Counted("s", base, run)
			if all[l] || l != (Seed{1}).Counted("s", base, run) || l.Order < 1 || l.Data < 1 || l.Data > MostData {
				t.Fatalf("run %d has %+v", run, l)
			}
			if l != (Seed{1}).Layout("s", 2*run) && l != (Seed{1}).Layout("s", 2*run+1) {
				t.Errorf("run %d has the layout of no draw that is its own: %+v", run, l)
			}
			all[l] = true
			if base && l == (Seed{1}).Layout("s", 2*run) {
				first++
			}
			quarters[l.Data/1024]++
		}
	}
	for quarter := range 4 { // 100 ± 9
		if n := quarters[quarter]; n < 60 || n > 140 {
			t.Errorf("%d of 400 are in quarter %d", n, quarter)
		}
	}
	if first < 60 || first > 140 { // 100 ± 7
		t.Errorf("the base has the first of two draws in %d of 200 runs", first)
	}
}
