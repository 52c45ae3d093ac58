package runner

import (
	"fmt"
	"slices"
	"strings"
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
	text := fmt.Sprintf("%s left processes running, which were killed: %d", who, t.leaked)
	if len(t.orphans) > 0 {
		text += " (" + strings.Join(t.orphans, "; ") + ")"
	}
	t.warn("leaked", text, "end them in the command, or in conclude")
}
