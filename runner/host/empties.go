package host

import (
	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
)

// empties are the empty loops of one kind as cases, used in turn, because the
// address of a loop changes its speed.
type empties struct {
	loops []*function
	next  int
}

func newEmpties(m Machine) map[int]*empties {
	all := map[int]*empties{}
	for id, loops := range map[int]func() []bench.Loop{wire.EmptyDirect: m.Direct, wire.EmptyIndirect: m.Indirect} {
		all[id] = &empties{}
		for _, loop := range loops() {
			all[id].loops = append(all[id].loops,
				&function{spec: wire.Function{GC: "on"}, c: benchcase.New("", nil), loop: loop, locked: true})
		}
	}
	return all
}

// direct has empty loops as a user writes them, each at another address of the program:
// the spread between them is part of the error.
func direct() []bench.Loop {
	return []bench.Loop{
		func(n int) {
			for range n {
			}
		},
		func(n int) {
			for i := 0; i < n; i++ {
			}
		},
		func(n int) {
			for ; n > 0; n-- {
			}
		},
	}
}

func indirect() []bench.Loop {
	return []bench.Loop{bench.Each(func() {}), bench.Each(empty), bench.Each(another)}
}

//go:noinline
func empty() {}

//go:noinline
func another() {}
