package pegs

import "testing"

// A field has no blanks, and none is empty.
func TestFieldsHaveNoBlanks(t *testing.T) {
	for name, want := range map[string]string{"": `""`, "-": `"-"`, "->": `"->"`, "a b": `"a\x20b"`, "a\nb": `"a\nb"`, `"`: `"\""`, "é→": "é→", "a\u00a0b": `"a\u00a0b"`} {
		if got := field(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

// By hand: what tpt showed as nothing is 0.00, and is rounded and not cut.
func TestMicroseconds(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0.00", 4e-9: "0.00", 6e-9: "0.01", 99.6e-9: "0.10", 1.239e-6: "1.24", 0.001: "1,000.00", 1234.5678901: "1,234,567,890.10", 999.994e-6: "999.99", 999.996e-6: "1,000.00"} {
		if got := microseconds(seconds); got != want {
			t.Errorf("%g s: got %s, want %s", seconds, got, want)
		}
	}
}
