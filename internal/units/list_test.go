package units

import (
	"strings"
	"testing"
)

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 cases", 1: "1 case", 2: "2 cases"} {
		if got := Plural(n, "case"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestList(t *testing.T) {
	words := []string{"a", "b", "c", "d"}
	for few, want := range map[int]string{1: "a and 3 more", 3: "a, b, c and 1 more", 4: "a, b, c, d", 9: "a, b, c, d"} {
		if got := List(words, few); got != want {
			t.Errorf("%d: %q, want %q", few, got, want)
		}
	}
}

func TestDistinct(t *testing.T) {
	if got := strings.Join(Distinct([]string{"b", "a", "b", "c", "a"}), ""); got != "bac" {
		t.Error(got)
	}
}

func TestThousands(t *testing.T) {
	for text, want := range map[string]string{"3200 runs": "3200 runs", "41200 runs": "41,200 runs", "1234567": "1,234,567", "": "", "x": "x"} {
		if got := Thousands(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Grouped("1024.50"); got != "1,024.50" {
		t.Error(got)
	}
}

// The styles of shares differ in their digits alone.
func TestStylesOfShares(t *testing.T) {
	for _, c := range []struct {
		share                      float64
		tenths, whole, rough, fine string
	}{
		{0, "0.0%", "0%", "0%", "0%"},
		{0.0004, "<0.1%", "<1%", "0.04%", "0.04%"},
		{0.0052, "0.5%", "1%", "0.52%", "0.52%"},
		{0.1234, "12.3%", "12%", "12%", "12.3%"},
		{0.997, "99.7%", "100%", "99%", "99.7%"},
		{1, "100.0%", "100%", "100%", "100%"},
	} {
		if a, b, c2, d := Tenths(c.share), Whole(c.share), Rough(c.share), Fine(c.share); a != c.tenths || b != c.whole || c2 != c.rough || d != c.fine {
			t.Errorf("%g: %s %s %s %s, want %+v", c.share, a, b, c2, d, c)
		}
	}
	for share, want := range map[float64]string{0.95: "95%", 0.999: "99.9%", 0.001: "0.1%", 1e-6: "0.0001%"} {
		if got := Exact(share); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
	for change, want := range map[float64]string{0.03: "+3%", -0.03: "−3%", 0: "0%"} {
		if got := Signed(change, Rough); got != want {
			t.Errorf("%g: %s, want %s", change, got, want)
		}
	}
	for change, want := range map[float64]string{9.5: "+950.0%", 1699: "×1700", -0.999: "−99.9%"} {
		if got := Signed(change, Tenths); got != want {
			t.Errorf("%g: %s, want %s", change, got, want)
		}
	}
}
