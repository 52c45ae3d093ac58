package report

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
)

// The gallery has what it is for.
func TestGallery(t *testing.T) {
	var found []string
	for _, c := range reporttest.Gallery().Cases {
		for _, o := range c.Comparisons {
			found = append(found, fmt.Sprint(o.Change))
		}
		for _, g := range c.Gates {
			found = append(found, string(g.Verdict))
		}
	}
	for _, want := range []string{"worse", "better", "same", "unclear", "pass", "fail", "inconclusive"} {
		if !strings.Contains(strings.Join(found, " "), want) {
			t.Errorf("nothing is %s: %q", want, found)
		}
	}
}
