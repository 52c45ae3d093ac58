package runner

import (
	"slices"

	"example.com/suite/runner/host/wire"
)

// mostLeft names of processes that outlive a case are enough to find the code that
// starts them.
const mostLeft = 4

// leaks adds processes that outlived runs. names are the command lines of the first.
func (t *recorded) leaks(count int, names []string) {
	t.Leaked += count
	for _, name := range names {
		if len(t.Left) < mostLeft && !slices.Contains(t.Left, name) {
			t.Left = append(t.Left, name)
		}
	}
}

// remain adds up the files that stayed after a block, by folder.
func (t *recorded) remain(r *wire.Readings) {
	t.Looked += len(r.ID)
	for _, more := range r.Remains {
		i := slices.IndexFunc(t.Remains, func(had wire.Remains) bool { return had.Dir == more.Dir })
		if i < 0 {
			t.Remains = append(t.Remains, more)
			continue
		}
		had := &t.Remains[i]
		had.Count += more.Count
		had.Names = append(had.Names, more.Names[:min(len(more.Names), max(mostLeft-len(had.Names), 0))]...)
	}
}
