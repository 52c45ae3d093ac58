package runner

import (
	"slices"
	"strings"

	"example.com/suite/result"
)

// mostLeft names of processes that outlive a case are enough to find the code that
// starts them.
const mostLeft = 4

// leaks adds processes that outlived runs. names are the command lines of the first.
func (t *side) leaks(count int, names []string) {
	t.Leaked += count
	for _, name := range names {
		if len(t.Left) < mostLeft && !slices.Contains(t.Left, name) {
			t.Left = append(t.Left, name)
		}
	}
}

// doubtLeft warns of processes that outlived the runs of a case.
func (t *track) doubtLeft() {
	if t.Leaked == 0 {
		return
	}
	who := "it"
	if t.base != nil { // a block of pairs counts both sides' processes
		who += " or " + t.base.baseName()
	}
	names := ""
	if len(t.Left) > 0 {
		names = " (" + strings.Join(t.Left, "; ") + ")"
	}
	t.doubt(result.WarnLeaked, result.Say("%s left processes running, which were killed: %s%s", who, result.Number(t.Leaked), names), "end them in the command, or in conclude")
}
