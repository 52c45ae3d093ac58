package benchfmt

import "testing"

// Zeros are written in the unit that benchstat makes of the unit of other numbers.
func TestUnitsAreTidiedAsByBenchstat(t *testing.T) {
	for unit, want := range map[string]string{"ns/op": "sec/op", "read-MB": "read-B", "cpu-ns/ns": "cpu-sec/ns", "dns": "dns", "B/op": "B/op"} {
		if got := tidied(unit); got != want {
			t.Errorf("benchstat makes %[3]s of %[1]s, and not %[2]s", unit, got, want)
		}
	}
}
