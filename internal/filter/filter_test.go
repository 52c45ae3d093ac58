package filter

import "testing"

// A pattern means whole parts of a name, unless it has a *.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"sort", "sort", true},
		{"sort", "sort/1e6", true},
		{"sort", "sorted", false},
		{"sort/1e6", "sort", false},
		{"sort*", "sorted/1e6", true},
		{"*", "", true},
		{"*/1e6", "sort/1e6", true},
		{"*/1e6", "sort/1e67", false},
		{"s*t", "st", true},
		{"st*t", "st", false}, // no character counts twice
		{"a*b*c", "a-b/b-c", true},
		{"a*b*c", "a-c-b", false},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("Match(%q, %q) = %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}
