package bench

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"example.com/suite/internal/benchcase"
)

// Case is one case of a suite as its setup sees it. Its methods are for the
// setup; only Fatal and Fatalf may be called from the loop.
type Case struct{ host *benchcase.Case }

// Name returns the name of the case, such as hash/sha256/1KiB.
func (c *Case) Name() string { return c.host.Name }

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
	c.host.Read[name] = true
	_, ok := c.host.Params[name]
	return ok
}

// Cleanup registers f to be run when the case is finished, last registered
// first, also after a failure.
func (c *Case) Cleanup(f func()) { c.host.Cleanups = append(c.host.Cleanups, f) }

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
	c.host.Work = n
	c.host.Unit = unit
}

// Fatal ends the case with an error: it could not be measured. Other cases go on.
func (c *Case) Fatal(args ...any) {
	panic(benchcase.Failure{Message: strings.TrimSuffix(fmt.Sprintln(args...), "\n")})
}

// Fatalf is Fatal with a format.
func (c *Case) Fatalf(format string, args ...any) {
	panic(benchcase.Failure{Message: fmt.Sprintf(format, args...)})
}

// Try returns a loop around an operation that may declare an iteration void, by
// returning false: what it met this time is not what the benchmark is about (a
// cache was cold, a lock was taken, a retry was needed). A void iteration, and
// only it, is left out; it is counted, and a case of which too few iterations
// count fails (reject.quorum in the suite file).
//
// To know the time of each iteration the clock is read after every one of them,
// 29 ns each, which is subtracted: use it for operations of a microsecond and
// more. A setup that calls Try returns the loop that it gave.
func (c *Case) Try(op func() bool) Loop {
	c.host.Trial = op
	return func(n int) {
		for range n {
			op()
		}
	}
}

func (c *Case) number(name, want string) float64 {
	p := c.param(name)
	if p.Number == nil {
		c.mismatch(name, want)
	}
	return *p.Number
}

func (c *Case) param(name string) benchcase.Param {
	c.host.Read[name] = true
	p, ok := c.host.Params[name]
	if !ok {
		c.Fatalf("parameter %q is missing; the suite file gives: %s", name, c.given())
	}
	return p
}

func (c *Case) mismatch(name, want string) {
	c.Fatalf("parameter %q is %q, want %s", name, c.host.Params[name].Text, want)
}

func (c *Case) given() string {
	if len(c.host.Params) == 0 {
		return "none"
	}
	names := make([]string, 0, len(c.host.Params))
	for name := range c.host.Params {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}
