package diag

import (
	"errors"
	"fmt"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"warmup", "target_time", "max_time", "samples", "go", "gc", "median", "KiB"}
	for _, c := range []struct{ word, want string }{
		{"warmpu", "warmup"},  // swap
		{"warmups", "warmup"}, // insert
		{"wamup", "warmup"},   // delete
		{"WARMUP", "warmup"},  // case alone
		{"target-time", "target_time"},
		{"medain", "median"},
		{"kib", "KiB"},
		{"gp", "go"}, // one of two; the first of equals
		{"throughput", ""},
		{"x", ""}, // one letter is no evidence
		{"", ""},
		{"sampling", ""}, // three letters of eight
	} {
		got, ok := Nearest(c.word, known)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("Nearest(%q) = %q, %v; want %q", c.word, got, ok, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"kitten", "sitting", 3},
		{"ca", "abc", 3}, // 2 only where a swapped pair may be edited again
		{"ab", "ba", 1}, {"größe", "grösse", 2},
	} {
		if got := distance(c.a, c.b, 99); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestProblemPrintsPlaceSourceAndHint(t *testing.T) {
	p := Problem{Place: Place{"sort.yaml", 3, 5}, Message: `unknown field "medain"`, Source: "time.medain < 1", Caret: 5, Hint: `did you mean "median"?`}
	want := "sort.yaml:3:5: unknown field \"medain\"\n    time.medain < 1\n         ^\n\thint: did you mean \"median\"?"
	if p.Error() != want {
		t.Errorf("got  %q\nwant %q", p.Error(), want)
	}
	if got := (Problem{Place: Place{File: "a.yaml"}, Message: "the file is empty"}).Error(); got != "a.yaml: the file is empty" {
		t.Errorf("a problem of the whole file prints as %q", got)
	}
}

func TestSortOrdersAndDropsRepeats(t *testing.T) {
	at := func(file string, line, col int, m string) Problem {
		return Problem{Place: Place{file, line, col}, Message: m}
	}
	ps := Problems{at("b", 1, 1, "x"), at("a", 2, 1, "x"), at("a", 1, 9, "x"), at("a", 1, 2, "y"), at("a", 1, 2, "x"), at("b", 1, 1, "x")}.Sort()
	if got, want := ps.Error(), "a:1:2: x\na:1:2: y\na:1:9: x\na:2:1: x\nb:1:1: x"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The same text of defaults has other known names in each benchmark that takes it.
func TestAProblemIsSaidOnceWhateverItsHints(t *testing.T) {
	ps := Problems{{Place: Place{"b", 1, 1}, Message: "x", Hint: "known: a"}, {Place: Place{"a", 1, 1}, Message: "x"}, {Place: Place{"b", 1, 1}, Message: "x", Hint: "known: a, b"}}
	if got, want := ps.Unique().Error(), "b:1:1: x\n\thint: known: a\na:1:1: x"; got != want {
		t.Errorf("unique\n%s\nwant\n%s", got, want)
	}
	if got, want := ps.Sort().Error(), "a:1:1: x\nb:1:1: x\n\thint: known: a"; got != want {
		t.Errorf("sorted\n%s\nwant\n%s", got, want)
	}
}

func TestErrAndAsProblems(t *testing.T) {
	if err := (Problems{}).Err(); err != nil {
		t.Errorf("no problems are the error %v", err)
	}
	ps := Problems{{Message: "x"}}
	if got, ok := AsProblems(fmt.Errorf("wrapped: %w", ps.Err())); !ok || len(got) != 1 {
		t.Errorf("AsProblems = %v, %v", got, ok)
	}
	if _, ok := AsProblems(errors.New("other")); ok {
		t.Error("another error is taken for problems")
	}
}

// The name of a file may hold line feeds: what it says stays on one line.
func TestPlaceIsOneLine(t *testing.T) {
	for want, place := range map[string]Place{
		`a\n::error::b.yaml:3:5`: {"a\n::error::b.yaml", 3, 5}, `a\r\nb`: {File: "a\r\nb"}, "a.yaml:1:2": {"a.yaml", 1, 2},
	} {
		if got := place.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
