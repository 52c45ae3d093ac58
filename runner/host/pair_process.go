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
	// Files that stay in a watched folder are reported.
	watched() []folder
}

// processPairs makes runs of two commands. Garbage is collected before the first of
// them and not between, as in runs of one.
func (h *Host) processPairs(
	ps map[int]process, batches []wire.Batch, pads []int, limit, start int64, out *wire.Readings,
) *wire.Failure {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before []folder
	for _, p := range ps {
		for _, f := range p.watched() {
			if !slices.ContainsFunc(before, func(known folder) bool { return known.dir == f.dir }) {
				before = append(before, f)
			}
		}
	}
	runtime.GC()
	defer func() { out.Peak, out.Remains = h.kit.starter.Peak(), remains(before) }()
	for i, b := range batches {
		late := h.kit.now()-start >= limit || len(out.Killed) > 0 // the controller decides whether there is to be more
		if h.kit.stop.Load() || i%2 == 0 && i > 0 && late {
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
