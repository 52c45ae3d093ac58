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
	t.leaked += count
	for _, name := range names {
		if len(t.orphans) < mostLeft && !slices.Contains(t.orphans, name) {
			t.orphans = append(t.orphans, name)
		}
	}
}

// doubtLeft says what a case left behind.
func (t *track) doubtLeft() {
	if t.leaked == 0 {
		return
	}
	who := "it"
	if t.base != nil { // a block of pairs counts those of both sides
		who += " or " + t.base.baseName()
	}
	names := ""
	if len(t.orphans) > 0 {
		names = " (" + strings.Join(t.orphans, "; ") + ")"
	}
	t.doubt("leaked", result.Say("%s left processes running, which were killed: %s%s", who, result.Number(t.leaked), names), "end them in the command, or in conclude")
}
