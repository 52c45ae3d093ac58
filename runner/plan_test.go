package runner

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/suite/spec"
)

// A base and its candidates share a window; others fill windows in their order.
func TestWindows(t *testing.T) {
	for cases, want := range map[string][][]int{
		"":                                    {},
		"a b c":                               {{0, 1, 2}},
		"a b c d e f g h i":                   {{0, 1, 2, 3, 4, 5, 6, 7}, {8}},
		"a:i b c d e f g h i":                 {{0, 8, 1, 2, 3, 4, 5, 6}, {7}},
		"a b c d e f g h:i i":                 {{0, 1, 2, 3, 4, 5, 6}, {7, 8}},
		"a:b b:c c d":                         {{0, 1, 2, 3}},
		"x b:a c:a d:a e:a f:a g:a h:a i:a a": {{0}, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
		"a:gone b":                            {{0, 1}},
	} {
		plan := &spec.Plan{}
		for _, word := range strings.Fields(cases) {
			name, base, _ := strings.Cut(word, ":")
			plan.Cases = append(plan.Cases, spec.Case{Name: name, Base: base})
		}
		got := groups(plan)
		for _, w := range want {
			slices.Sort(w)
		}
		if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", cases, got, want)
		}
	}
}
