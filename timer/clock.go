package timer

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Clock reads one kind of time.
type Clock interface {
	// Name is the word used in preference lists: wall.
	Name() string
	// Now counts nanoseconds from a moment that stays fixed while the clock lives.
	Now() int64
}

// Subtimer is one row of the table of clocks and cycle counters.
type Subtimer struct {
	Name    string
	Kind    Kind
	Unit    Unit // of cycle counters
	Help    string
	Aliases []string
	ByName  bool // never tried unless it is named
	// An open function fails with the reason why the subtimer does not work here. A
	// clock is handed the counter that was chosen, nil for none.
	openClock   func(Counter) (Clock, error)
	openCounter func() (Counter, error)
}

// Kind separates clocks, which measure time, from cycle counters.
type Kind string

// Clocks of CPU time. ThreadCPU can time only code that stays on the calling thread.
const (
	ThreadCPU  = "posix-thread-cputime"
	ProcessCPU = "posix-process-cputime"
	StdcClock  = "stdc-clock"
)

// Null is the cycle counter that never reports any cycles. Any in a list of cycle
// counters means all in the table that are not ByName.
const (
	Null = "null"
	Any  = "any"
)

// The kinds of subtimer.
const (
	KindClock Kind = "clock"
	KindCycle Kind = "cycle"
)

// Subtimers lists all of them, in default order of preference within a kind.
func Subtimers() []Subtimer {
	return slices.Concat([]Subtimer{wallClock()}, cpuClocks(), perfClocks(), perfCounters(), tickCounters(),
		[]Subtimer{nullCounter()})
}

// OneThread reports whether a clock can time only code that stays on one thread.
func OneThread(clock string) bool { return clock == ThreadCPU || clock == rdpmcName }

// Check reports why the subtimer does not work on this machine, nil if it does. It
// opens the subtimer on the calling thread and closes it again.
func (s *Subtimer) Check() error {
	prefs := Prefs{Clock: []string{s.Name}}
	if s.Kind == KindCycle {
		prefs = Prefs{Cycle: []string{s.Name}}
	} else if s.Name == rdpmcName {
		prefs.Cycle = []string{s.Name}
	}
	t, err := Open(prefs)
	if err != nil {
		return reasonOf(err)
	}
	return t.Close()
}

// Names lists the words that a preference list of this kind may contain.
func Names(kind Kind) []string {
	var names []string
	for _, s := range Subtimers() {
		if s.Kind == kind {
			names = append(append(names, s.Name), s.Aliases...)
		}
	}
	if kind == KindCycle {
		names = append(names, Any)
	}
	return names
}

// Skipped is a preferred subtimer that could not be used, and why.
type Skipped struct {
	Kind   Kind   `json:"kind"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Open opens the first clock and the first cycle counter of prefs that work on this
// machine; Skipped lists those before them that do not. The counter is ready on the
// calling thread. An unknown name anywhere in a list is an error that lists the known
// names. If nothing of a list works, the error contains every reason.
func Open(prefs Prefs) (*Timer, error) {
	if len(prefs.Clock) == 0 {
		prefs.Clock = []string{"wall"}
	}
	if len(prefs.Cycle) == 0 {
		prefs.Cycle = []string{Null}
	}
	clocks, err := rows(KindClock, prefs.Clock)
	if err != nil {
		return nil, err
	}
	cycles, err := rows(KindCycle, prefs.Cycle)
	if err != nil {
		return nil, err
	}
	counter, passed, err := first(cycles, Subtimer.counter)
	if err != nil {
		return nil, err
	}
	clock, skipped, err := first(clocks, func(s Subtimer) (Clock, error) { return s.openClock(counter) })
	if err != nil {
		if counter != nil {
			counter.Close()
		}
		return nil, err
	}
	t := New(clock, counter)
	t.Skipped = append(skipped, passed...)
	return t, nil
}

// counter opens a counter and makes it ready on this thread.
func (s Subtimer) counter() (Counter, error) {
	c, err := s.openCounter()
	if err != nil || c == nil {
		return nil, err
	}
	if err := c.Preflight(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// unavailable is the error if nothing in a preference list works.
type unavailable []Skipped

func (u unavailable) Error() string {
	what := "clock"
	if u[0].Kind == KindCycle {
		what = "cycle counter"
	}
	texts := make([]string, len(u))
	for i, s := range u {
		texts[i] = s.Name + ": " + s.Reason
	}
	text := strings.Join(texts, "; ")
	if len(u) == 1 {
		return fmt.Sprintf("this %s does not work here: %s", what, text)
	}
	return fmt.Sprintf("no %s of the list works here: %s", what, text)
}

// With only one subtimer in the list its name need not be repeated.
func reasonOf(err error) error {
	if u, ok := err.(unavailable); ok {
		return fmt.Errorf("%s", u[0].Reason)
	}
	return err
}

// first opens the first of a list that works.
func first[T any](list []Subtimer, open func(Subtimer) (T, error)) (found T, skipped []Skipped, err error) {
	for _, s := range list {
		found, err = open(s)
		if err == nil {
			return found, skipped, nil
		}
		skipped = append(skipped, Skipped{s.Kind, s.Name, err.Error()})
	}
	return found, nil, unavailable(skipped)
}

// Is reports whether a word of a preference list means this subtimer.
func (s *Subtimer) Is(name string) bool {
	return s.Name == name || slices.Contains(s.Aliases, name) || s.Kind == KindCycle && name == Any && !s.ByName
}

// rows looks up the subtimers of a list, in the list's order.
func rows(kind Kind, names []string) (list []Subtimer, err error) {
	all := Subtimers()
	for _, name := range names {
		n := len(list)
		for _, s := range all {
			if s.Kind == kind && s.Is(name) {
				list = append(list, s)
			}
		}
		if len(list) == n {
			return nil, fmt.Errorf("unknown %s %q; known are %s", kind, name, strings.Join(Names(kind), ", "))
		}
	}
	return list, nil
}

// The null counter works everywhere and counts nothing.
func nullCounter() Subtimer {
	return Subtimer{Name: Null, Kind: KindCycle, Help: "no cycle counter: cycles and ticks are absent",
		openCounter: func() (Counter, error) { return nil, nil }}
}

// wall is the monotonic clock of the runtime. time.Since with a monotonic base
// takes 13 ns and time.Now 25 ns, because it reads one clock and not two.
type wall struct{ base time.Time }

func wallClock() Subtimer {
	return Subtimer{Name: "wall", Kind: KindClock,
		Help:      "monotonic wall-clock time, by the runtime and without a system call",
		openClock: func(Counter) (Clock, error) { return &wall{time.Now()}, nil }}
}

func (*wall) Name() string { return "wall" }

func (w *wall) Now() int64 { return int64(time.Since(w.base)) }
