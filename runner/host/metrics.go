package host

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/wire"
)

// maxOutput is how much of what a run prints is looked at, bytes. More is an
// error: the number could be in the part that is not looked at.
const maxOutput = 16 << 20

// finders has a find function for each metric of a command, in their order.
func finders(extract Extract, metrics []wire.Metric) (finds []func([]byte) (float64, error), failure *wire.Failure) {
	if len(metrics) > 0 && extract == nil {
		return nil, newFailure(wire.PhaseSetup, wire.FailedProtocol, "this host cannot look for metrics", "")
	}
	for _, m := range metrics {
		find, err := extract(m)
		if err != nil {
			return nil, newFailure(wire.PhaseSetup, wire.FailedError, fmt.Sprintf("metric %q: %v", m.Name, err), "")
		}
		finds = append(finds, find)
	}
	return finds, nil
}

// captured reports whether what a run prints is looked at.
func (c *command) captured() bool {
	return c.spec.SameOutput || slices.ContainsFunc(c.spec.Metrics, func(m wire.Metric) bool {
		return m.From == wire.Stdout
	})
}

// openOutput opens standard output for a run. If the output is looked at, that is
// a file that can be read back, without a name unless the suite file names one.
// Each run has a new file, so that no process of an earlier run writes to it.
func (c *command) openOutput() (*os.File, error) {
	if !c.captured() {
		return openPlain("stdout", c.spec.Stdout, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	}
	if c.spec.Stdout == "" {
		return scratchFile()
	}
	f, err := openPlain("stdout", c.spec.Stdout, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("stdout %q is no plain file, and what is printed cannot be read back from it",
			c.spec.Stdout)
	}
	return f, nil
}

// shut closes standard output of a run.
func (c *command) shut(stdout *os.File) {
	if c.captured() && c.spec.Stdout == "" {
		scratch.Discard(stdout)
		return
	}
	stdout.Close()
}

// filesBefore records the state of the files of metrics before a run.
func filesBefore(metrics []wire.Metric) map[string]os.FileInfo {
	known := map[string]os.FileInfo{}
	for _, m := range metrics {
		if m.From == wire.Stdout || m.From == wire.Stderr {
			continue
		}
		if info, err := os.Stat(m.From); err == nil {
			known[m.From] = info
		}
	}
	return known
}

// look reads what a run has printed: it compares that with what all runs print,
// and extracts the metrics. It is called after the run and is not timed.
func (c *command) look(r *run, stdout *os.File, before map[string]os.FileInfo) *wire.Failure {
	c.texts = c.texts.renewed()
	if c.spec.SameOutput {
		text, failure := c.text(wire.Stdout, stdout, nil)
		if failure == nil {
			failure = c.same(text)
		}
		if failure != nil {
			return failure
		}
	}
	return c.numbers(r, func(m wire.Metric) ([]byte, *wire.Failure) { return c.text(m.From, stdout, before[m.From]) })
}

// numbers finds the numbers of a run in the text that each metric is in.
func (c *command) numbers(r *run, textOf func(wire.Metric) ([]byte, *wire.Failure)) *wire.Failure {
	for i, m := range c.spec.Metrics {
		text, failure := textOf(m)
		if failure != nil {
			failure.Message = fmt.Sprintf("metric %q: %s", m.Name, failure.Message)
			return failure
		}
		x, err := c.finds[i](text)
		value := scaled(x, m.Scale)
		if err == nil && !(math.Abs(value) <= wire.LargestValue) {
			err = fmt.Errorf("%g is too large a number", x)
		}
		if err != nil {
			return missingMetric(m, text, err)
		}
		r.values = append(r.values, value)
	}
	return nil
}

func missingMetric(m wire.Metric, text []byte, err error) *wire.Failure {
	where := m.From
	if where != wire.Stdout && where != wire.Stderr {
		where = filepath.Base(where)
	}
	detail := scratch.TailOf(text)
	message := fmt.Sprintf("metric %q: in %s, %v", m.Name, where, err)
	if detail == "" {
		message = fmt.Sprintf("metric %q: %s is empty", m.Name, where)
	}
	return newFailure(wire.PhaseMetrics, wire.FailedMissing, message, detail)
}

// texts are what the last run has printed, by the source of the metric. Their
// memory is used again: no garbage is collected while a block runs.
type texts map[string]*struct {
	buf   []byte
	known bool
}

func (t texts) renewed() texts {
	if t == nil {
		return texts{}
	}
	for _, x := range t {
		x.known = false
	}
	return t
}

// Each source of metrics is read once per run.
func (c *command) text(from string, stdout *os.File, before os.FileInfo) ([]byte, *wire.Failure) {
	t := c.texts[from]
	if t == nil {
		t = &struct {
			buf   []byte
			known bool
		}{}
		c.texts[from] = t
	}
	if t.known {
		return t.buf, nil
	}
	f := map[string]*os.File{wire.Stdout: stdout, wire.Stderr: c.stderr}[from]
	if f == nil {
		var err error
		f, err = written(from, before)
		if err != nil {
			return nil, newFailure(wire.PhaseMetrics, wire.FailedMissing, err.Error(), "")
		}
		defer f.Close()
	}
	var err error
	t.buf, err = whole(t.buf[:0], f)
	if err != nil {
		return nil, newFailure(wire.PhaseMetrics, wire.FailedError, fmt.Sprintf("%s: %v", from, err), "")
	}
	t.known = true
	return t.buf, nil
}

// stale is the age from which a file that looks as before a run was not written by it.
// Clocks of file systems step by up to 16 ms, and by up to two seconds if they store
// whole seconds.
func stale(written time.Time) time.Duration {
	if written.Nanosecond() == 0 {
		return 2 * time.Second
	}
	return 50 * time.Millisecond
}

// written opens a file that a run should have written.
func written(path string, before os.FileInfo) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("file %q does not exist after the run", path)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("file %q is no plain file", path)
	case before != nil && os.SameFile(before, info) && before.ModTime().Equal(info.ModTime()) &&
		time.Since(info.ModTime()) > stale(info.ModTime()):
		return nil, fmt.Errorf("file %q was not written by the run: it was last changed %s", path,
			info.ModTime().Format(time.DateTime))
	}
	return os.Open(path)
}

var errTooMuch = fmt.Errorf("more than %d MiB were written, and no more is looked at", maxOutput>>20)

// whole appends all of a file to buf, from its beginning on.
func whole(buf []byte, f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return buf, err
	}
	if info.Size() > maxOutput {
		return buf, errTooMuch
	}
	buf = slices.Grow(buf, int(info.Size()))[:info.Size()]
	n, err := f.ReadAt(buf, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return buf[:n], err
}

// scaled converts to SI base units. It divides by units smaller than those: 12.5·10⁻⁹
// is not 12.5e-9 to a float64, and 12.5/10⁹ is.
func scaled(x, scale float64) float64 {
	if scale < 1 {
		return x / math.Round(1/scale)
	}
	return x * scale
}
