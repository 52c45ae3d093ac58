package bench

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// Param is a parameter as the suite file states it: its spelling and, where it
// is a number, the number in SI base units (1KiB is 1024, 2ms is 0.002).
type Param struct {
	Text   string   `json:"text"`
	Number *float64 `json:"number,omitempty"`
	Bool   *bool    `json:"bool,omitempty"`
}

// Case is one case of a suite as its set-up sees it. Its methods are for the
// set-up; only Fatal and Fatalf may be called from the loop.
type Case struct {
	name     string
	params   map[string]Param
	read     map[string]bool
	cleanups []func()
	work     float64
	unit     string
	trial    func() bool
}

// NewCase is for hosts: a case with its name and parameters.
func NewCase(name string, params map[string]Param) *Case {
	return &Case{name: name, params: params, read: map[string]bool{}}
}

// Failure is what Fatal panics with; hosts recover it.
type Failure struct{ Message string }

// Error returns the message.
func (f Failure) Error() string { return f.Message }

// Name is the name of the case: hash/sha256/1KiB.
func (c *Case) Name() string { return c.name }

// Int returns a whole-number parameter. A size counts bytes: 1KiB is 1024.
// A missing parameter, or one of another type, fails the case with a message.
func (c *Case) Int(name string) int {
	x := c.number(name, "a whole number")
	if x != float64(int(x)) {
		c.mismatch(name, "a whole number")
	}
	return int(x)
}

// Float returns a number parameter in SI base units: 2ms is 0.002, 3% is 0.03.
func (c *Case) Float(name string) float64 { return c.number(name, "a number") }

// Duration returns a parameter such as 2ms.
func (c *Case) Duration(name string) time.Duration {
	return time.Duration(c.number(name, "a duration") * float64(time.Second))
}

// String returns a parameter as it is spelt in the suite file.
func (c *Case) String(name string) string { return c.param(name).Text }

// Bool returns a true or false parameter.
func (c *Case) Bool(name string) bool {
	p := c.param(name)
	if p.Bool == nil {
		c.mismatch(name, "true or false")
	}
	return *p.Bool
}

// Has reports whether the suite sets a parameter, for those with a default.
func (c *Case) Has(name string) bool {
	c.read[name] = true
	_, ok := c.params[name]
	return ok
}

// Cleanup registers f to be run when the case is finished, last registered
// first, also after a failure.
func (c *Case) Cleanup(f func()) { c.cleanups = append(c.cleanups, f) }

// leastWork and mostWork bound what Work takes, so that no time per unit overflows.
const (
	leastWork = 1e-30
	mostWork  = 1e30
)

// Work declares that one iteration does n units of work, 1e-30 ≤ n ≤ 1e30, so that times
// are per unit and rates are units per second. The suite file's own `work` and
// `unit` win.
func (c *Case) Work(n float64, unit string) {
	if !(n >= leastWork && n <= mostWork) || unit == "" {
		c.Fatalf("Work needs an amount from %g to %g and a unit, got %g %q", leastWork, mostWork, n, unit)
	}
	c.work, c.unit = n, unit
}

// Fatal ends the case with an error: it could not be measured. Other cases go on.
func (c *Case) Fatal(args ...any) { panic(Failure{strings.TrimSuffix(fmt.Sprintln(args...), "\n")}) }

// Fatalf is Fatal with a format.
func (c *Case) Fatalf(format string, args ...any) { panic(Failure{fmt.Sprintf(format, args...)}) }

// Declared is for hosts: what Work was told, 0 and "" if nothing.
func (c *Case) Declared() (work float64, unit string) { return c.work, c.unit }

// Unread is for hosts: the parameters that the set-up never asked for, sorted.
// A suite that varies one of them measures the same thing many times.
func (c *Case) Unread() []string {
	var names []string
	for name := range c.params {
		if !c.read[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Close is for hosts: it runs the cleanups, last registered first, each of
// them once. One that panics does not keep the others from running.
func (c *Case) Close() {
	last := len(c.cleanups) - 1
	if last < 0 {
		return
	}
	f := c.cleanups[last]
	c.cleanups = c.cleanups[:last]
	defer c.Close()
	f()
}

func (c *Case) number(name, want string) float64 {
	p := c.param(name)
	if p.Number == nil {
		c.mismatch(name, want)
	}
	return *p.Number
}

func (c *Case) param(name string) Param {
	c.read[name] = true
	p, ok := c.params[name]
	if !ok {
		c.Fatalf("parameter %q is missing; the suite file gives: %s", name, c.given())
	}
	return p
}

func (c *Case) mismatch(name, want string) {
	c.Fatalf("parameter %q is %q, want %s", name, c.params[name].Text, want)
}

func (c *Case) given() string {
	if len(c.params) == 0 {
		return "none"
	}
	names := make([]string, 0, len(c.params))
	for name := range c.params {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
