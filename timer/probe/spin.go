package probe

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strings"
	"time"

	"example.com/suite/stats"
	"example.com/suite/timer"
)

// Lengths of the spin loop. A batch of 1 ms mostly fits between two preemptions,
// and a suite's blocks have ten batches too.
const (
	batchTime  = int64(time.Millisecond)
	perBlock   = 10
	warmUp     = int64(100 * time.Millisecond) // the core raises its frequency within tens of ms
	warmUpPart = 10                            // of the duration at most
)

// spinning is a series of batches of one loop, and the system's counts during it.
// A counter that this machine does not have is timer.Absent.
type spinning struct {
	n        int       // operations of a batch
	xs       []float64 // ns of one operation, by batch
	lost     []bool    // by batch: it had an involuntary switch
	elapsed  int64     // ns
	switches int64     // involuntary
	waited   int64     // ns on the run queue
	cpu      int64     // ns of this process
	machine  usage     // of all CPUs
	read     bool      // machine could be read
}

// spin times batches of Work until duration is over or ctx ends.
func (m *Machine) spin(ctx context.Context, duration time.Duration) (*spinning, error) {
	n, err := m.size(ctx)
	if err != nil {
		return nil, err
	}
	m.warm(ctx, n, min(warmUp, int64(duration)/warmUpPart))
	s := &spinning{n: n}
	before, ok := readUsage(m.Files)
	cpu, waited := m.System.ProcessCPU(), m.System.Wait()
	_, first := m.System.Switches(true)
	for start := m.Clock.Now(); ctx.Err() == nil && s.elapsed < int64(duration); {
		s.batch(m)
		s.elapsed = m.Clock.Now() - start
	}
	_, last := m.System.Switches(true)
	s.switches = since(first, last)
	s.waited, s.cpu = since(waited, m.System.Wait()), since(cpu, m.System.ProcessCPU())
	after, again := readUsage(m.Files)
	s.machine, s.read = after.since(before), ok && again
	return s, nil
}

// size finds how many operations make a batch of 1 ms.
func (m *Machine) size(ctx context.Context) (int, error) {
	for n := int64(1); ; {
		next, done := timer.Adapt(n, m.fastest(int(n)), batchTime)
		switch {
		case done || ctx.Err() != nil:
			return int(n), nil
		case next <= n:
			return 0, errors.New("the clock " + m.Clock.Name() + " does not advance")
		}
		n = next
	}
}

// fastest is the shortest of five batches of n operations, in ns. A single batch that
// lost the processor would end the search for n far too early.
func (m *Machine) fastest(n int) int64 {
	least := int64(math.MaxInt64)
	for range 5 {
		start := m.Clock.Now()
		m.Work(n)
		least = min(least, m.Clock.Now()-start)
	}
	return least
}

func (m *Machine) warm(ctx context.Context, n int, ns int64) {
	for start := m.Clock.Now(); ctx.Err() == nil && m.Clock.Now()-start < ns; {
		m.Work(n)
	}
}

func (s *spinning) batch(m *Machine) {
	_, before := m.System.Switches(true)
	start := m.Clock.Now()
	m.Work(s.n)
	took := m.Clock.Now() - start
	_, after := m.System.Switches(true)
	s.xs = append(s.xs, float64(took)/float64(s.n))
	s.lost = append(s.lost, since(before, after) > 0)
}

// since is timer.Absent if either reading is absent.
func since(before, after int64) int64 {
	if before == timer.Absent || after == timer.Absent {
		return timer.Absent
	}
	return after - before
}

// usable selects the batches in [from, to) that kept the processor, or all of them if
// fewer than half did. block has the block of each.
func (s *spinning) usable(from, to int) (xs []float64, block []int) {
	kept := 0
	for _, lost := range s.lost[from:to] {
		if !lost {
			kept++
		}
	}
	all := 2*kept < to-from
	for i := from; i < to; i++ {
		if all || !s.lost[i] {
			xs, block = append(xs, s.xs[i]), append(block, i/perBlock)
		}
	}
	return xs, block
}

// The medians of the blocks are in ns per operation.
func (s *spinning) blocks() []float64 { return stats.GroupMedians(s.usable(0, len(s.xs))) }

// file reads a file of the system and trims white space; false if it is not readable.
func file(files fs.FS, name string) (string, bool) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return "", false
	}
	return strings.TrimSpace(string(text)), true
}
