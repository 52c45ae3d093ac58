package runner

import (
	"time"

	"example.com/suite/runner/host/wire"
)

// own makes a function that charges a case, at each call, with the time since the last
// call that no host reported: in that time suite itself worked for the case. A host
// reports 60 µs for a block of ten batches of 40 ns; with its message and answer the
// block takes 220 µs, so without this such a case lasts four times its max_time.
func (w *window) own(t *track) (charge func()) {
	since, reported := w.busy(), t.reported
	return func() {
		now := w.busy()
		t.charged(max(now-since-(t.reported-reported), 0))
		since, reported = now, t.reported
	}
}

// answered adds the time that a host reports for a block. Time in which the host was
// stopped is charged to no case.
func (t *track) answered(r *wire.Readings) {
	took := time.Duration(r.Elapsed)
	if t.remote != nil {
		took = max(took, t.remote.Stopped)
	}
	t.reported += took
}

// dense is the least time of a block if only a summary of it is kept, as long as
// mostDense samples fill it. Asking and answering costs 150 µs a block and 3 µs a
// sample, and taking a tiny sample 3 µs: blocks of 100 produce 1.6 times the samples
// of blocks of 10, and longer ones hardly more.
const (
	dense     = time.Millisecond
	mostDense = 100
)

// blockSize is the number of samples that the case takes in a row.
func (t *side) blockSize() int {
	if t.folds == nil || t.Batch <= 0 {
		return blockSize
	}
	return max(blockSize, int(min(dense/t.Batch, mostDense)))
}
