package runner

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/spec"
)

// All benchmarks of a test binary are observed in one window.
func TestAWindowThatIsTraced(t *testing.T) {
	for cases, want := range map[int]int{8: 1, 9: 1, countedWindow + 1: 1} {
		tests, functions := &spec.Plan{Traced: true}, &spec.Plan{Traced: true}
		for i := range cases {
			name := strconv.Itoa(i)
			tests.Cases = append(tests.Cases, spec.Case{Name: name, GoTest: &spec.GoTest{}})
			functions.Cases = append(functions.Cases, spec.Case{Name: name})
		}
		if got := groups(tests); len(got) != want {
			t.Errorf("%d benchmarks: %d windows, want %d", cases, len(got), want)
		}
		if got, want := groups(functions), (cases+windowSize-1)/windowSize; len(got) != want {
			t.Errorf("%d functions: %d windows, want %d", cases, len(got), want)
		}
	}
}

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
