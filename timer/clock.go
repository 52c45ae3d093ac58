// Package timer reads clocks and says what reading them costs. A Timer is one
// clock chosen from a preference list; a System reads everything else that is
// kept for a batch. It knows nothing of suite files or verdicts.
package timer

import (
	"fmt"
	"slices"
	"strings"
)

// Clock reads one kind of time.
type Clock interface {
	// Name is the word used in preference lists: wall.
	Name() string
	// Now gives nanoseconds since a moment that stays fixed while the clock lives.
	Now() int64
}

// Subtimer is one row of the table of clocks and cycle counters.
type Subtimer struct {
	Name  string
	Kind  Kind
	Help  string
	Check func() error // nil error: it works here; else the reason why not
	clock func() Clock // nil for cycle counters
}

// Kind tells clocks, which measure time, from cycle counters.
type Kind string

// ThreadCPU is the clock of the CPU time of the calling thread. It can time only
// what stays on one thread.
const ThreadCPU = "posix-thread-cputime"

// The kinds of subtimer.
const (
	KindClock Kind = "clock"
	KindCycle Kind = "cycle"
)

// Subtimers lists all of them, in default order of preference within a kind.
func Subtimers() []Subtimer {
	works := func() error { return nil }
	return append([]Subtimer{
		{"wall", KindClock, "monotonic wall-clock time, by the runtime and without a system call", works, newWall},
	}, append(cpuClocks(),
		Subtimer{"null", KindCycle, "no cycle counter: cycles are absent", works, nil},
	)...)
}

// Names lists the subtimers of a kind.
func Names(kind Kind) []string {
	var names []string
	for _, s := range Subtimers() {
		if s.Kind == kind {
			names = append(names, s.Name)
		}
	}
	return names
}

// Skipped is a preferred clock that could not be used, and why.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Open gives the first clock of prefs that works on this machine and those
// that were passed over. An empty list means wall. An unknown name is an
// error that lists the known ones, also behind a clock that works.
func Open(prefs []string) (Clock, []Skipped, error) {
	if len(prefs) == 0 {
		prefs = []string{"wall"}
	}
	if err := known(prefs); err != nil {
		return nil, nil, err
	}
	var skipped []Skipped
	for _, name := range prefs {
		s := find(name)
		err := s.Check()
		if err == nil {
			return s.clock(), skipped, nil
		}
		skipped = append(skipped, Skipped{name, err.Error()})
	}
	return nil, skipped, fmt.Errorf("no clock of the list works here: %s", reasons(skipped))
}

func known(prefs []string) error {
	names := Names(KindClock)
	for _, name := range prefs {
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown clock %q; known are %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

func find(name string) Subtimer {
	for _, s := range Subtimers() {
		if s.Name == name {
			return s
		}
	}
	return Subtimer{}
}

func reasons(skipped []Skipped) string {
	texts := make([]string, len(skipped))
	for i, s := range skipped {
		texts[i] = s.Name + ": " + s.Reason
	}
	return strings.Join(texts, "; ")
}
