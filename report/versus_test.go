package report

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
)

// ± with one number is used only if the interval is about as long on both sides:
// +17.7 % ± 85.6 % was shown for +3.6 to +103 %.
func TestLopsidedIntervalsAreShown(t *testing.T) {
	for want, bounds := range map[string][2]float64{
		"(4.8 … 12.4)": {4.8e-3, 12.4e-3}, "± 10.9%": {5.1e-3, 6.1e-3}, "(4.80 ms … 13.0 s)": {4.8e-3, 13}, "(0.40 … 5.6)": {0.4e-3, 5.6e-3},
	} {
		d := reporttest.Document("s")
		s := reporttest.Measure(d, "a", 5.5e-3, 0.01).Summary("time")
		s.Low, s.High = &bounds[0], &bounds[1]
		for _, format := range []string{"text", "markdown", "html"} {
			if page := render(t, format, d, table.Options{}); !strings.Contains(page, want) {
				t.Errorf("%s of 5.5 ms within %v does not hold %q", format, bounds, want)
			}
		}
	}
}

// The base is named once in the heading, or at each case if they differ.
func TestBaseIsNamed(t *testing.T) {
	d := reporttest.Compared()
	if text := render(t, "text", d, table.Options{}); !strings.Contains(text, "vs sort/base") {
		t.Error("no heading names the base")
	}
	d.Cases[2].Pairs.Base = "sort/same"
	text := render(t, "text", d, table.Options{})
	if !strings.Contains(text, "compared with sort/same") || !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return w == "vs" }) {
		t.Errorf("no footnote names the base:\n%s", text)
	}
}
