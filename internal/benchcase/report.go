package benchcase

import (
	"fmt"
	"math"
	"sync"
)

// Reported is a metric that the loop of a case reports.
type Reported struct {
	Name   string
	Higher bool // more is better

	sum   float64 // of the calls in the running batch
	calls int
}

// Value returns the mean of the calls in the last batch, NaN if there were none.
func (r *Reported) Value() float64 {
	if r.calls == 0 {
		return math.NaN()
	}
	return r.sum / float64(r.calls)
}

// reports collects what the loop of a case reports, possibly from several goroutines.
type reports struct {
	sync.Mutex
	state reporting
	list  []Reported
}

// reporting is what becomes of reports.
type reporting int

const (
	refused reporting = iota // no loop is running
	taken
	ignored
)

// mostReports bounds the names of a case, so that a name with a number in it does not fill
// the memory and the table.
const mostReports = 100

// LargestReport is the largest number that Report takes: its square, and the sum of the
// squares of a million samples, still fit the numbers of JSON.
const LargestReport = 1e100

// Report adds a number to the running batch. It returns why that is wrong, empty if it is
// not. Text of the problem is made only if there is one.
func (c *Case) Report(name string, x float64, higher bool) (problem string) {
	c.reports.Lock()
	defer c.reports.Unlock()
	switch {
	case c.reports.state == refused:
		return "no batch is running: call it from the loop"
	case c.reports.state == ignored:
		return ""
	case !(math.Abs(x) <= LargestReport):
		return fmt.Sprintf("%g is not a number from -%g to %g", x, LargestReport, LargestReport)
	}
	for i := range c.reports.list {
		r := &c.reports.list[i]
		if r.Name != name {
			continue
		}
		if r.Higher != higher {
			return "lower is better in one call, and higher in another"
		}
		r.sum += x
		r.calls++
		return ""
	}
	switch {
	case !isMetricName(name):
		return "gates name it: write letters, digits and _, a letter first"
	case len(c.reports.list) == mostReports:
		return fmt.Sprintf("the case reports more than %d metrics", mostReports)
	}
	c.reports.list = append(c.reports.list, Reported{Name: name, Higher: higher, sum: x, calls: 1})
	return ""
}

func isMetricName(name string) bool {
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return name != ""
}

// OpenReports makes reports count: the loop exists.
func (c *Case) OpenReports() { c.setReports(taken) }

// IgnoreReports makes reports have no effect: a batch of no iterations has nothing to report.
func (c *Case) IgnoreReports() { c.setReports(ignored) }

// CloseReports makes reports problems.
func (c *Case) CloseReports() { c.setReports(refused) }

func (c *Case) setReports(s reporting) {
	c.reports.Lock()
	defer c.reports.Unlock()
	c.reports.state = s
}

// ForgetReports begins a batch, to which no earlier report belongs.
func (c *Case) ForgetReports() {
	c.reports.Lock()
	defer c.reports.Unlock()
	for i := range c.reports.list {
		c.reports.list[i].sum, c.reports.list[i].calls = 0, 0
	}
}

// Reported returns the metrics that have been reported so far, in the order of their first
// calls. It is valid until the next call of Report.
func (c *Case) Reported() []Reported {
	c.reports.Lock()
	defer c.reports.Unlock()
	return c.reports.list
}
