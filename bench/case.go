package bench

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"example.com/suite/internal/benchcase"
)

// Case is one case of a suite in one launch. Its methods are for the setup; only Report,
// Fatal and Fatalf may be called from the loop. A method that reads a parameter fails the case
// if the suite file does not set it, or sets it to a value of another type.
type Case struct{ host *benchcase.Case }

// Name is the name of the case, such as hash/sha256/1KiB.
func (c *Case) Name() string { return c.host.Name }

// Int returns a parameter that is a whole number. Sizes are in bytes: 1KiB is 1024.
func (c *Case) Int(name string) int {
	x := c.number(name, "a whole number")
	if x != float64(int(x)) {
		c.mismatch(name, "a whole number")
	}
	return int(x)
}

// Float returns a parameter that is a number, in SI base units: 2ms is 0.002, 3% is 0.03.
func (c *Case) Float(name string) float64 { return c.number(name, "a number") }

// Duration returns a parameter such as 2ms.
func (c *Case) Duration(name string) time.Duration {
	return time.Duration(c.number(name, "a duration") * float64(time.Second))
}

// String returns any parameter as it is spelt in the suite file.
func (c *Case) String(name string) string { return c.param(name).Text }

// Bool returns a parameter that is true or false.
func (c *Case) Bool(name string) bool {
	p := c.param(name)
	if p.Bool == nil {
		c.mismatch(name, "true or false")
	}
	return *p.Bool
}

// Has reports whether the suite file sets a parameter. It makes defaults possible.
func (c *Case) Has(name string) bool {
	c.host.Read[name] = true
	_, ok := c.host.Params[name]
	return ok
}

// Cleanup registers a function that runs at the end of the launch, also after a failure.
// The function registered last runs first.
func (c *Case) Cleanup(f func()) { c.host.Cleanups = append(c.host.Cleanups, f) }

// leastWork and mostWork bound the work of an iteration, so that no time per unit overflows.
const (
	leastWork = 1e-30
	mostWork  = 1e30
)

// Work declares that one iteration does n units of work, 1e-30 ≤ n ≤ 1e30, so that times
// are per unit and rates are units per second. `work` and `unit` in the suite file have
// precedence.
func (c *Case) Work(n float64, unit string) {
	if !(n >= leastWork && n <= mostWork) || unit == "" {
		c.Fatalf("Work needs an amount from %g to %g and a unit, got %g %q", leastWork, mostWork, n, unit)
	}
	c.host.Work = n
	c.host.Unit = unit
}

// Fatal ends the case with an error, formatted like fmt.Sprintln. The case then counts as
// not measured; other cases continue.
func (c *Case) Fatal(args ...any) {
	panic(benchcase.Failure{Message: strings.TrimSuffix(fmt.Sprintln(args...), "\n")})
}

// Fatalf is Fatal with the format of fmt.Sprintf.
func (c *Case) Fatalf(format string, args ...any) {
	panic(benchcase.Failure{Message: fmt.Sprintf(format, args...)})
}

// Try returns a loop whose operation can declare an iteration void by returning false,
// because it did not do what the benchmark measures: a cache was cold, a lock was taken,
// a retry was needed. Void iterations are left out of the samples and counted. If too
// few iterations remain, the case fails (reject.quorum in the suite file).
//
// The loop reads the clock after every iteration. The cost, about 29 ns, is subtracted,
// but makes Try unsuitable for operations below a microsecond. A setup that calls Try
// has to return this loop.
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
