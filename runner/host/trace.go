package host

import (
	"fmt"
	"io"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// trace is a writer of such lines; nil writes none and costs a comparison.
type trace struct {
	w     io.Writer
	about string // the case, or what is calibrated
}

func (t *trace) of(about string) *trace {
	if t == nil {
		return nil
	}
	return &trace{t.w, about}
}

// batch writes how long n iterations took.
func (t *trace) batch(what string, n int, r *reading, unit timer.Unit) {
	if t == nil {
		return
	}
	line := fmt.Sprintf("%d iterations in %d ns", n, r.time)
	if n > 0 {
		line += fmt.Sprintf(", %.4g ns each", float64(r.time)/float64(n))
	}
	if unit != "" && r.count != timer.Absent {
		line += fmt.Sprintf("; %d %s", r.count, unit)
	}
	t.line(what + " " + line)
}

// sized writes the result of a search.
func (t *trace) sized(s *wire.Sized) {
	if t != nil && s != nil {
		t.line(fmt.Sprintf("sized: batches of %d iterations last %d ns, thread %s; %d batches were run", s.N,
			s.Time, s.Thread, s.Batches))
	}
}

// costs writes the result of a calibration.
func (t *trace) costs(c *wire.Costs) {
	if t == nil {
		return
	}
	t.line(fmt.Sprintf("clock: steps of %d ns, a reading takes %s ns", c.Resolution, shown(c.Reading)))
	t.loop("direct", c.Direct)
	t.loop("indirect", c.Indirect)
}

func (t *trace) loop(kind string, o *timer.Overhead) {
	if o == nil {
		return
	}
	t.line(fmt.Sprintf("%s loop: %s ns an iteration, %s ns a batch", kind,
		shown(o.Time.Iteration), shown(o.Time.Batch)))
	if o.Count != nil {
		t.line(fmt.Sprintf("%s loop: %s counts an iteration, %s a batch", kind,
			shown(o.Count.Iteration), shown(o.Count.Batch)))
	}
}

func shown(e timer.Estimate) string { return fmt.Sprintf("%.4g ± %.2g", e.NS, e.Error) }

func (t *trace) line(text string) { fmt.Fprintf(t.w, "%s: %s: %s\n", wire.DebugTimer, t.about, text) }
