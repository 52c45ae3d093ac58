package observed

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// Cases that share a process when they are measured are observed in one: functions, and the benchmarks of a program
// that can stay. A case with hooks or a process of its own is observed alone.
func TestGroups(t *testing.T) {
	t.Parallel()
	test := func(program string, change ...func(*spec.Case)) *spec.Case {
		c := &spec.Case{Kind: result.KindGoTest, GoTest: &spec.GoTest{Program: program, Serves: true}}
		for _, f := range change {
			f(c)
		}
		return c
	}
	one, other := test("a"), test("b")
	two, another := test("a"), test("b")
	hooked := test("a", func(c *spec.Case) { c.Setup = &spec.Hook{} })
	apart := test("a", func(c *spec.Case) { c.Settings.Isolate = result.IsolateSample })
	old := test("a", func(c *spec.Case) { c.GoTest.Serves = false })
	function, second := &spec.Case{Kind: result.KindGo}, &spec.Case{Kind: result.KindGo}
	command := &spec.Case{Kind: result.KindCommand}
	asked := []*spec.Case{one, other, hooked, apart, old, two, function, second, another, command}
	o := new(Observer)
	for _, c := range []struct {
		of   *spec.Case
		want []*spec.Case
	}{
		{one, []*spec.Case{one, two}}, {two, []*spec.Case{one, two}}, {other, []*spec.Case{other, another}},
		{hooked, nil}, {apart, nil}, {old, nil}, {command, nil}, {second, []*spec.Case{function, second}},
	} {
		var got []*spec.Case
		if g := o.groupOf(c.of, asked); g != nil {
			got = g.cases
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %d cases, want %d", c.of, len(got), len(c.want))
		}
	}
	if alone := new(Observer); alone.groupOf(one, []*spec.Case{one, other}) != nil {
		t.Error("a case is no group")
	}
}

// A group that shows nothing is split into groups, and single cases, which are in none.
func TestPartsOfAGroup(t *testing.T) {
	t.Parallel()
	var asked []*spec.Case
	for range 5 {
		asked = append(asked, &spec.Case{Kind: result.KindGo})
	}
	o := new(Observer)
	o.split(partsOf(o.groupOf(asked[4], asked).cases, false))
	for i, want := range [][]*spec.Case{asked[:3], asked[:3], asked[:3], asked[3:], asked[3:]} {
		if g := o.groupOf(asked[i], asked); g == nil || !slices.Equal(g.cases, want) {
			t.Errorf("case %d: %+v, want %d cases", i, g, len(want))
		}
	}
	o.split(partsOf(o.groupOf(asked[2], asked).cases, false))
	if g := o.groupOf(asked[2], asked); g != nil {
		t.Errorf("a case of three is in a group of %d", len(g.cases))
	}
	if g := o.groupOf(asked[3], asked); g == nil || !slices.Equal(g.cases, asked[3:]) {
		t.Errorf("%+v, want two cases", g)
	}
}

// The benchmarks of a function stay together as long as other functions are in their group. A slow one has no parts.
func TestPartsOfFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cases, want string // parts are separated by commas
		slow        bool
	}{
		{"A/1 A/2 A/3 B/1 C", "A/1 A/2 A/3 B/1, C", false},
		{"A/1 A/2 A/3 B/1", "A/1 A/2 A/3, B/1", false},
		{"A/1 A/2 A/3", "A/1 A/2, A/3", false},
		{"A B C D/1 D/2", "A B, C D/1 D/2", false},
		{"A/1 A/2 AB/1 C", "A/1 A/2, AB/1, C", true},
		{"A/1 A/2 A/3", "", true},
	} {
		if got := partsText(partsOf(benchmarks(c.cases), c.slow)); got != c.want {
			t.Errorf("%s, slow: %v: %s, want %s", c.cases, c.slow, got, c.want)
		}
	}
}

// The cases of a function that fails in a run with others are no longer run with others.
func TestPartsThatFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cases, failed, want string }{
		{"A/1 A/2 B C D", "A/2", "A/1 A/2, B C, D"},
		{"A B/1 B/2 C D/1 D/2", "A D/1", "A, D/1 D/2, B/1 B/2, C"},
		{"A B/1 B/2", "A", "A, B/1, B/2"},
		{"A B", "B", "B, A"},
		{"A/1 A/2", "A/1", ""},
		{"A/1 A/2 B", "A/1 B", ""},
		{"A B C", "", ""},
	} {
		cases := benchmarks(c.cases)
		var failed []*spec.Case
		for _, one := range cases {
			if slices.Contains(strings.Fields(c.failed), shortName(one)) {
				failed = append(failed, one)
			}
		}
		if got := partsText(apart(cases, failed)); got != c.want {
			t.Errorf("%s, %q failed: %s, want %s", c.cases, c.failed, got, c.want)
		}
	}
}

func benchmarks(names string) (cases []*spec.Case) {
	for _, name := range strings.Fields(names) {
		cases = append(cases, &spec.Case{GoTest: &spec.GoTest{Benchmark: "Benchmark" + name}})
	}
	return cases
}

func shortName(c *spec.Case) string { return strings.TrimPrefix(c.GoTest.Benchmark, "Benchmark") }

func partsText(parts [][]*spec.Case) string {
	var text []string
	for _, part := range parts {
		var names []string
		for _, c := range part {
			names = append(names, shortName(c))
		}
		text = append(text, strings.Join(names, " "))
	}
	return strings.Join(text, ", ")
}

// However many cases are observed together, three quarters of the time for all runs are left.
func TestLimitOfAGroup(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]time.Duration{1: limit, 3: 3 * limit, 100: limitAll / 4, 1000: 250 * time.Second} {
		o := &Observer{allowed: limitOfAll(n)}
		if got := o.limitOf(n); got != want {
			t.Errorf("%d cases: %s, want %s", n, got, want)
		}
	}
}
