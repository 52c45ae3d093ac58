package host

import "testing"

func TestACrowdedMachine(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]bool{
		"5.01 1.00 1.00 3/345 1234\n": true, "4.99 9.00 9.00 3/345 1234\n": false, "0.00 0.00 0.00 1/2 3\n": false,
		"": false, "unknown": false,
	} {
		if got := isLoaded(list, 2); got != want {
			t.Errorf("%q: %t", list, got)
		}
	}
}
