package runner

import (
	"slices"
	"strings"

	"example.com/suite/result"
)

// mostLeft names of processes that a case left behind are enough to find the
// place where they are started.
const mostLeft = 4

// leaks adds processes that runs left behind. names are those of the first few.
func (t *track) leaks(count int, names []string) {
	t.Leaked += count
	for _, name := range names {
		if len(t.Left) < mostLeft && !slices.Contains(t.Left, name) {
			t.Left = append(t.Left, name)
		}
	}
}

// doubtLeft says what a case left behind.
func (t *track) doubtLeft() {
	if t.Leaked == 0 {
		return
	}
	who := "it"
	if t.base != nil { // a block of pairs counts those of both sides
		who += " or " + t.base.baseName()
	}
	names := ""
	if len(t.Left) > 0 {
		names = " (" + strings.Join(t.Left, "; ") + ")"
	}
	t.doubt("leaked", result.Say("%s left processes running, which were killed: %s%s", who, result.Number(t.Leaked), names), "end them in the command, or in conclude")
}
