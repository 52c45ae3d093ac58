package result

import "testing"

// What is farthest beyond its limit is named first, and what two gates of a case have found is
// named once.
func TestFindingsWorstFirst(t *testing.T) {
	failed := func(ratio float64) Gate {
		return Gate{Verdict: Fail, Finding: &Finding{Text: "time", Ratio: &ratio, Operator: "<=", Limit: 1.05, Base: new(float64)}}
	}
	d := &Document{}
	for i, ratio := range []float64{1.1, 1.2, 3} {
		d.Cases = append(d.Cases, Case{Name: []string{"a", "b", "c"}[i], Status: Measured, Gates: []Gate{failed(ratio), failed(ratio)}})
	}
	d.Cases[0].Gates = append(d.Cases[0].Gates, Gate{ID: "odd", Verdict: Fail})
	o := d.Outcome()
	if got, want := o.String(), "FAIL: c +200% (limit +5%); b +20% (limit +5%); a +10% (limit +5%); a: odd; 7 of 7 gates failed"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
