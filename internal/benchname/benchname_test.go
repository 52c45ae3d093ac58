package benchname

import (
	"strings"
	"testing"
)

func TestMatchPicksAsTestingDoes(t *testing.T) {
	for _, c := range []struct {
		pattern, name  string
		picks, reaches bool
	}{
		{"", "BenchmarkParse/small", true, true},
		{"Parse", "BenchmarkParse", true, true},
		{"^Parse$", "BenchmarkParse/small", true, true},
		{"^Parse$", "BenchmarkParser", false, false},
		{"arse", "BenchmarkParse", true, true}, // not anchored
		{"Parse/small", "BenchmarkParse", false, true},
		{"Parse/small", "BenchmarkParse/small", true, true},
		{"Parse/small", "BenchmarkParse/small/deep", true, true},
		{"Parse/small", "BenchmarkParse/large", false, false},
		{"Parse//deep", "BenchmarkParse/any/deep", true, true},
		{"Parse/a|Format", "BenchmarkFormat", true, true},
		{"Parse/a|Format", "BenchmarkParse/b", false, false},
		{"(Parse|Format)", "BenchmarkFormat", true, true},
		{"Parse/[a/b]", "BenchmarkParse/b", true, true},
		{`Parse/x\/y`, "BenchmarkParse/x/y", false, false}, // an escaped slash is in one part, and no part has one
	} {
		m, err := ParseMatch(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
		} else if m.Picks(c.name) != c.picks || m.Reaches(c.name) != c.reaches {
			t.Errorf("%q and %s: picks %v, reaches %v; want %v, %v", c.pattern, c.name, m.Picks(c.name), m.Reaches(c.name), c.picks, c.reaches)
		}
	}
	for _, pattern := range []string{"(", "Parse/[a", "a|*"} {
		if _, err := ParseMatch(pattern); err == nil {
			t.Errorf("%q is taken", pattern)
		}
	}
}

func TestOnlyIsReadBackAsOneName(t *testing.T) {
	for _, name := range []string{"BenchmarkX", "BenchmarkX/a_b", "BenchmarkX/p=[1]|(2)", "BenchmarkX/small#01", "BenchmarkX/x/y", `BenchmarkX/c\x00d`, "BenchmarkX/日本", "BenchmarkX/"} {
		m, err := ParseMatch(strings.TrimPrefix(Only(name), "^Benchmark"))
		if err != nil {
			t.Fatal(err)
		}
		if !m.Picks(name) || m.Picks(name+"y") || m.Picks("BenchmarkY/a") {
			t.Errorf("%s becomes %s", name, Only(name))
		}
	}
}

// A pattern for several benchmarks selects all of them, others only if each part of their names is a part of one.
func TestOnlyOfSeveralNames(t *testing.T) {
	for _, c := range []struct {
		names        []string
		want         string
		picks, skips string // names, separated by spaces
	}{
		{[]string{"BenchmarkX/a", "BenchmarkX/b"}, "^BenchmarkX$/^(a|b)$", "BenchmarkX/a BenchmarkX/b", "BenchmarkX/c BenchmarkX BenchmarkY/a"},
		{[]string{"BenchmarkX/b/1", "BenchmarkX/a/2", "BenchmarkX/a/1"}, "^BenchmarkX$/^(a|b)$/^(1|2)$", "BenchmarkX/a/1 BenchmarkX/b/2", "BenchmarkX/a BenchmarkX/a/3"},
		{[]string{"BenchmarkX/a", "BenchmarkX/b/1"}, "^BenchmarkX$/^(a|b)$", "BenchmarkX/a BenchmarkX/b/1 BenchmarkX/b/2", "BenchmarkX/c"},
		{[]string{"BenchmarkX/a|b", "BenchmarkX/(c)"}, `^BenchmarkX$/^(\(c\)|a\|b)$`, "BenchmarkX/a|b BenchmarkX/(c)", "BenchmarkX/a BenchmarkX/b BenchmarkX/c"},
	} {
		got := Only(c.names...)
		m, err := ParseMatch(strings.TrimPrefix(got, "^Benchmark"))
		if got != c.want || err != nil {
			t.Errorf("%q becomes %s, %v; want %s", c.names, got, err, c.want)
		}
		for _, name := range strings.Fields(c.picks) {
			if !m.Picks(name) {
				t.Errorf("%s does not pick %s", got, name)
			}
		}
		for _, name := range strings.Fields(c.skips) {
			if m.Picks(name) {
				t.Errorf("%s picks %s", got, name)
			}
		}
	}
}

func TestIdentifier(t *testing.T) {
	for unit, want := range map[string]string{
		"p99-ns/op": "p99_ns_op", "hits/s": "hits_s", "GC": "GC", "99%": "m_99_percent", "%hit": "percent_hit",
		"a--b//c": "a_b_c", "-x-": "x", "µs/op": "s_op", "…": "", "": "",
	} {
		if got := Identifier(unit); got != want {
			t.Errorf("%q: %q, want %q", unit, got, want)
		}
	}
	if !HigherIsBetter("req/s") || HigherIsBetter("ns/op") || HigherIsBetter("bytes") {
		t.Error("a direction is wrong")
	}
}
