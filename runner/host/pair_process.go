package host

import (
	"runtime"
	"runtime/debug"
	"slices"

	"example.com/suite/runner/host/wire"
)

// process is a case each batch of which is a process.
type process interface {
	body
	// single makes the one run of a batch, with so many bytes of padding, and
	// appends it.
	single(k *kit, b wire.Batch, pad int, out *wire.Readings) *wire.Failure
	// startBlock is called before the batches of a block, the first of which has n iterations. Files that stay in one
	// of the folders are reported.
	startBlock(n int, paired bool) ([]folder, *wire.Failure)
}

// processes makes the runs of one command, or of two in pairs: paired is 1 or 2. Garbage is collected before the first
// of them and not between: no collection falls into a timed run, and this process stays small, which matters because
// the peak memory of every child starts from its size.
func (h *Host) processes(
	ps map[int]process, paired int, batches []wire.Batch, pads []int, limit, start int64, out *wire.Readings,
) *wire.Failure {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	var before []folder
	for _, p := range ps {
		folders, failure := p.startBlock(batches[0].N, paired > 1)
		if failure != nil {
			return failure
		}
		for _, f := range folders {
			if !slices.ContainsFunc(before, func(known folder) bool { return known.dir == f.dir }) {
				before = append(before, f)
			}
		}
	}
	killed := len(out.Killed)
	defer func() { out.Peak, out.Remains = h.kit.starter.Peak(), remains(before) }()
	for i, b := range batches {
		late := h.kit.now()-start >= limit || len(out.Killed) > killed // the controller decides whether to go on
		if h.kit.stop.Load() || i%paired == 0 && i > 0 && late {
			return nil
		}
		if failure := ps[b.ID].single(&h.kit, b, padOf(pads, i), out); failure != nil {
			failure.Batch = i + 1
			return failure
		}
	}
	return nil
}

func padOf(pads []int, batch int) int {
	if batch < len(pads) {
		return pads[batch]
	}
	return 0
}
