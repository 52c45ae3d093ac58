package about_test

import (
	"strings"
	"testing"

	"example.com/suite/report/about"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

// pegsOf is a pass in which the arc from check to emit takes so many seconds each.
func pegsOf(check, seconds float64) *result.Pegs {
	p := &result.Pegs{Clock: "x86-rdtsc", Iterations: 1000, Seconds: seconds, Residue: 4e-9, Cost: 22e-9}
	for _, a := range []struct {
		from, to string
		mean     float64
	}{{"check", "emit", check}, {"emit", "start", 0.1e-6}, {"parse", "check", 0.31e-6}, {"start", "tokenise", 3e-9}, {"tokenise", "lex", 0.2e-6}, {"lex", "parse\x1b[31m", 0.05e-6}, {"tokenise", "parse", 0.02e-6}} {
		p.Arcs = append(p.Arcs, result.Arc{From: a.from, To: a.to, Count: 1000, Sum: 1000 * a.mean, Mean: a.mean, Min: a.mean / 2, Max: 2 * a.mean})
	}
	return p
}

// What did not get worse is not blamed on an arc, and neither is anything on one side alone.
func TestPegsBlameNothingWithoutAChange(t *testing.T) {
	d, c := about.Document(200, 1.001)
	about.Compare(c, 0.03, result.Same)
	c.Pegs, c.BasePegs = pegsOf(1.2e-6, 2e-3), pegsOf(0.6e-6, 1.4e-3)
	if text := tell(t, d, c, text.Options{}); strings.Contains(text, "took longer") || !strings.Contains(text, "arc check → emit: 1.20 µs each") {
		t.Error(text)
	}
	d, c = about.Document(240, 1.05)
	about.Compare(c, 0.03, result.Worse)
	c.Pegs = pegsOf(1.2e-6, 2e-3)
	if text := tell(t, d, c, text.Options{}); strings.Contains(text, "took longer") {
		t.Error(text)
	}
}
