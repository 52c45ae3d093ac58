package runner

import (
	"time"

	"example.com/suite/runner/host"
)

// own gives a function that charges a case, each time, with the time that has gone
// since and that no host says it took: that in which suite itself worked for the
// case. Of a block of ten batches of 40 ns a host says that it took 60 µs; with its
// message and answer it takes 220 µs, so that without this a case of them lasts
// four times its max_time.
func (w *window) own(t *track) (charge func()) {
	since, asked := w.busy(), t.asked
	return func() {
		now := w.busy()
		t.charged(max(now-since-(t.asked-asked), 0))
		since, asked = now, t.asked
	}
}

// answered notes how long a host says that a block took. A time in which the host
// was stopped is nobody's, wherever it fell.
func (t *track) answered(r *host.Readings) {
	took := time.Duration(r.Elapsed)
	if t.remote != nil {
		took = max(took, t.remote.Stopped)
	}
	t.asked += took
}

// dense is how long a block lasts at least where only a summary of it is kept, if
// mostDense samples suffice for that. Asking and answering costs 150 µs a block and
// 3 µs a sample, taking a tiny one 3 µs: blocks of 100 give 1.6 times the samples
// of blocks of 10, and longer ones hardly more.
const (
	dense     = time.Millisecond
	mostDense = 100
)

// blockSize is the number of samples that the case takes in a row.
func (t *track) blockSize() int {
	if t.folds == nil || t.Batch <= 0 {
		return blockSize
	}
	return max(blockSize, int(min(dense/t.Batch, mostDense)))
}

// afterwards is what a pass after the sampling may take, whatever has been used: a
// case that went on to max_time has nothing left, and gates on allocations would
// have nothing to judge.
func (t *track) afterwards(allowance time.Duration) time.Duration {
	return max(t.left(allowance), t.maxTime(allowance)/100)
}
