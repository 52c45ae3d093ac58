// Package benchcase is the hosts' half of package bench: what a host knows of a case, and the
// benchmarks that are registered. Package bench shows users the half that they call. It uses the
// standard library only.
package benchcase

import (
	"embed"
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// Source holds the files of this package, from which hosts are built.
//
//go:embed *.go
var Source embed.FS

// Param is a parameter as the suite file states it: its spelling and, if it is a number, the
// number in SI base units (1KiB is 1024, 2ms is 0.002).
type Param struct {
	Text   string   `json:"text"`
	Number *float64 `json:"number,omitempty"`
	Bool   *bool    `json:"bool,omitempty"`
}

// Case is one case in one launch: what its setup reads and declares.
type Case struct {
	Name   string
	Params map[string]Param
	Read   map[string]bool // parameters that the setup asked for

	Cleanups []func()    // in the order in which they were registered
	Work     float64     // units of work in an iteration, 0 if the setup declared none
	Unit     string      // of work
	Trial    func() bool // the operation of a loop made by Try; nil: none
	Inputs   *Inputs     // of a loop made by Fresh or Reset; nil: none

	reports reports
}

// Inputs makes what the iterations of a loop use up, while the clock is stopped. A loop that is
// called without enough of them makes its own.
type Inputs struct {
	Make   func(n int) // inputs of the next n iterations, in place of the ones that are left
	Drop   func()      // forgets what was made, so that it can be collected
	Unused func() int  // inputs that no iteration has taken
	Slot   int         // bytes that an input takes in addition to what making it allocates
	Alone  bool        // an input has to be made right before its iteration
}

// New makes a case that no setup has seen.
func New(name string, params map[string]Param) *Case {
	return &Case{Name: name, Params: params, Read: map[string]bool{}}
}

// Unread lists the parameters that the setup never asked for, in alphabetical order. A
// suite that varies one of them measures the same thing many times.
func (c *Case) Unread() (names []string) {
	for name := range c.Params {
		if !c.Read[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Close runs the cleanups, last registered first, each of them once. If one panics, the others
// run all the same.
func (c *Case) Close() {
	last := len(c.Cleanups) - 1
	if last < 0 {
		return
	}
	cleanup := c.Cleanups[last]
	c.Cleanups = c.Cleanups[:last]
	defer c.Close()
	cleanup()
}

// Failure is the panic by which a benchmark fails its case.
type Failure struct{ Message string }

// Error returns the message.
func (f Failure) Error() string { return f.Message }

// Setup makes the loop of one case. It runs once per launch, in the host process, before
// warm-up. The loop runs the operation n times.
type Setup func(c *Case) (loop func(n int))

// registry is state of the whole program, because init functions fill it.
var registry = struct {
	sync.Mutex
	setups map[string]Setup
}{setups: map[string]Setup{}}

// Register adds a benchmark. It panics if the name is taken.
func Register(name string, setup Setup) {
	registry.Lock()
	defer registry.Unlock()
	if _, taken := registry.setups[name]; taken {
		panic(fmt.Sprintf("bench: %q is registered twice", name))
	}
	registry.setups[name] = setup
}

// Replace registers another setup under a name that is taken, for tests: time passes on a fake clock only if a loop makes
// it pass, so a host with such a clock would never find out how many iterations a batch of the other one needs.
func Replace(name string, setup Setup) {
	registry.Lock()
	defer registry.Unlock()
	if _, taken := registry.setups[name]; !taken {
		panic(fmt.Sprintf("bench: %q is not registered", name))
	}
	registry.setups[name] = setup
}

// Names lists the registered benchmarks in alphabetical order.
func Names() []string {
	registry.Lock()
	defer registry.Unlock()
	names := make([]string, 0, len(registry.setups))
	for name := range registry.setups {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Find looks up the setup that is registered under name.
func Find(name string) (Setup, bool) {
	registry.Lock()
	defer registry.Unlock()
	setup, ok := registry.setups[name]
	return setup, ok
}

// each is the code address of the loops that bench.Each makes.
var each uintptr

// IndirectLoops makes all loops that share the code of loop known as indirect.
func IndirectLoops(loop func(int)) struct{} {
	each = reflect.ValueOf(loop).Pointer()
	return struct{}{}
}

// Indirect reports whether bench.Each made loop, which then pays for an indirect call in each
// iteration.
func Indirect(loop func(int)) bool { return reflect.ValueOf(loop).Pointer() == each }
