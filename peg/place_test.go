//go:build !nopeg

package peg

import (
	"regexp"
	"runtime"
	"testing"
)

func TestHereIsOnePointOfALine(t *testing.T) {
	var points []*Point
	for range 3 {
		points = append(points, Here())
	}
	if !regexp.MustCompile(`^place_test.go:\d+$`).MatchString(points[0].name) || points[0] != points[1] || points[1] != points[2] {
		t.Errorf("points %q, %q, %q", points[0].name, points[1].name, points[2].name)
	}
	if other := Here(); other == points[0] {
		t.Error("another line has the same point")
	}
}

// inlined wherever it is called, a function has many places and one line.
func inlined() *Point { return Here() }

func TestHereInInlinedFunctions(t *testing.T) {
	if a, b := inlined(), inlined(); a != b || a.number == 0 {
		t.Errorf("points %q and %q", a.name, b.name)
	}
}

func TestHereInFilesOfOneName(t *testing.T) {
	r := newRegistry()
	for file, want := range map[string]bool{"/x/a/main.go": true, "/x/b/main.go": true, "/y/b/main.go": true} {
		p := r.addPoint(r.placeName(file, 7), "", file, 7)
		if (p.number != 0) != want {
			t.Errorf("%s is dead, called %q", file, p.name)
		}
	}
	if r.names["main.go:7"] == nil || len(r.names) != 3 {
		t.Errorf("names %q", r.sortedNames())
	}
}

func TestPointsKnowWhereTheyWereMade(t *testing.T) {
	p, q := New("where"), Directed("where from", "where")
	_, file, line, _ := runtime.Caller(0)
	for _, p := range []*Point{p, q} {
		if p.file != file || p.line != line-1 {
			t.Errorf("%s: made at %s:%d, want %s:%d", p.name, p.file, p.line, file, line-1)
		}
	}
}
