package arcs_test

import (
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

// Spans that hold themselves are found by any number of others between, and no others.
func TestRecursive(t *testing.T) {
	for nested, want := range map[string]string{
		"":                        "",
		"-a ab bc ac":             "",    // a diamond
		"-a aa ab":                "a",   // at once
		"-e et tf fe fn -n":       "eft", // by way of others; n is in them and holds none
		"-a ab bb bc cd dc -x xa": "bcd", // two rings, and a way to them
		"-a ab bc ca cd de ed df": "abcde",
	} {
		p := &result.Pegs{Arcs: []result.Arc{arc("q", "q", 1)}} // no span
		for _, pair := range strings.Fields(nested) {
			p.Arcs = append(p.Arcs, ofKind(result.ArcSpan, arc(strings.Trim(pair[:1], "-"), pair[1:], 1)))
		}
		if got := strings.Join(arcs.Recursive(p), ""); got != want {
			t.Errorf("%s: %s, want %s", nested, got, want)
		}
	}
}
