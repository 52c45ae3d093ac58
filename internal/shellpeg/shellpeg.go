// Package shellpeg marks points of shell scripts, as suite peg does: each call is a process
// of its own, so what one call has to know of the last is in files next to the file of
// lines that the script is measured with.
package shellpeg

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"example.com/suite/internal/diag"
)

// Deed is what one call does. At most one of Start, Stop, Begin and End is set.
type Deed struct {
	Name  string // of the point or span
	From  string // point at which the arc begins; empty: the last one
	Lane  string // whose points these are
	Start bool   // begin an arc and end none
	Stop  bool   // end an arc and begin none
	Begin bool   // open a span
	End   bool   // close a span
}

// Mark does a deed in a file of lines, which it creates if there is none.
func (d Deed) Mark(path string) error { return pegFile{path}.mark(d) }

// Check refuses words that contradict each other, and names that the protocol cannot hold.
func (d Deed) Check() error {
	var chosen []string
	for i, set := range []bool{d.Start, d.Stop, d.Begin, d.End} {
		if set {
			chosen = append(chosen, []string{"--start", "--stop", "--begin", "--end"}[i])
		}
	}
	if len(chosen) > 1 {
		return diag.Hinted(strings.Join(chosen, " and ")+" contradict each other", "leave out one of them")
	}
	if d.From != "" && len(chosen) == 1 && !d.Stop {
		return diag.Hinted("--from and "+chosen[0]+" contradict each other: an arc from a point is one that ends",
			"leave out one of them")
	}
	return errors.Join(checkPoint("point", d.Name, false), checkPoint("point", d.From, true),
		checkPoint("lane", d.Lane, true))
}

// mostPoint is the length of a name, in bytes: the name of a lane is part of a file name.
const mostPoint = 100

// checkPoint refuses a name that a line of the protocol cannot hold.
func checkPoint(what, name string, empty bool) error {
	bad := ""
	switch {
	case name == "" && !empty:
		bad = "is empty"
	case len(name) > mostPoint:
		name, bad = strings.ToValidUTF8(name[:20], "")+"…", fmt.Sprintf("has more than %d bytes", mostPoint)
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }):
		bad = "contains a tab, a line break or something else that is not text"
	case strings.HasPrefix(name, " ") || strings.HasPrefix(name, "#") || strings.HasPrefix(name, "{"):
		bad = "begins with a blank, # or {, which mean something else in the file"
	default:
		return nil
	}
	return diag.Hinted(fmt.Sprintf("the name of a %s, %q, %s", what, name, bad), "suite peg 'input sorted'")
}
