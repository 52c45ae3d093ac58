package reach_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/reach"
)

// varyingModule has functions of which runs have executed different parts, in several ways in which these lead to
// swept, which differs and was not executed.
var varyingModule = map[string]string{
	"go.mod": "module example.com/varying\n\ngo 1.24\n",
	"varying.go": `package varying

import (
	"runtime"
	"sync"
	"time"
)

var number int

//go:noinline
func swept() { number += 41 }

type cache struct{ last time.Time }

// It is inlined in who calls it.
func (c *cache) sweep() {
	if number > 1 {
		swept()
	}
}

//go:noinline
func (c *cache) Get() int {
	c.sweep()
	return number
}

//go:noinline
func after(d time.Duration, f func()) { time.AfterFunc(d, f) }

//go:noinline
func After() int {
	after(time.Hour, swept)
	return 1
}

//go:noinline
func once(o *sync.Once, f func()) { o.Do(f) }

//go:noinline
func Once() int {
	once(new(sync.Once), swept)
	return 1
}

//go:noinline
func starts(f func()) { go f() }

//go:noinline
func Go() int {
	starts(swept)
	return 1
}

//go:noinline
func defers(f func()) {
	for range number {
		defer f()
	}
}

//go:noinline
func Defer() int {
	defers(swept)
	return 1
}

type held struct{ f func() }

//go:noinline
func ends(h *held, f func(*held)) { runtime.SetFinalizer(h, f) }

//go:noinline
func Finalizer() int {
	ends(new(held), finalize)
	return 1
}

//go:noinline
func finalize(*held) { swept() }

//go:noinline
func cleans(h *held, f func(int)) { runtime.AddCleanup(h, f, 1) }

//go:noinline
func Cleanup() int {
	cleans(new(held), cleanUp)
	return 1
}

//go:noinline
func cleanUp(int) { swept() }

//go:noinline
func Literal() int {
	every(func() { swept() })
	return 1
}

var hook, kept func()

// These are inlined in who calls them, too.
func (c *cache) stamp() {
	if number > 1 {
		number++
	}
}

func (c *cache) hooked() {
	if number > 1 {
		hook()
	}
}

func (c *cache) passes() {
	if number > 1 {
		passed()
	}
}

func passed() { swept() }

//go:noinline
func Passes() int {
	new(cache).passes()
	return number
}

//go:noinline
func Stamps() int {
	new(cache).stamp()
	kept = swept
	if hook != nil {
		hook()
	}
	return number
}

//go:noinline
func Hooked() int {
	kept = swept
	new(cache).hooked()
	return number
}

//go:noinline
func now() {
	if time.Now().IsZero() {
		number++
	}
}

//go:noinline
func Now() int {
	kept = swept
	now()
	return number
}

//go:noinline
func every(f func()) {
	if number > 1 {
		f()
	}
}

//go:noinline
func Every() int {
	every(swept)
	return 1
}
`,
	"varying_test.go": `package varying

import "testing"

var sum int

func BenchmarkInlined(b *testing.B) { sum = new(cache).Get() }

func BenchmarkAfter(b *testing.B) { sum = After() }

func BenchmarkOnce(b *testing.B) { sum = Once() }

func BenchmarkEvery(b *testing.B) { sum = Every() }

func BenchmarkLiteral(b *testing.B) { sum = Literal() }

func BenchmarkPasses(b *testing.B) { sum = Passes() }

func BenchmarkStamps(b *testing.B) { sum = Stamps() }

func BenchmarkHooked(b *testing.B) { sum = Hooked() }

func BenchmarkNow(b *testing.B) { sum = Now() }

func BenchmarkGo(b *testing.B) { sum = Go() }

func BenchmarkDefer(b *testing.B) { sum = Defer() }

func BenchmarkFinalizer(b *testing.B) { sum = Finalizer() }

func BenchmarkCleanup(b *testing.B) { sum = Cleanup() }
`,
}

// TestVarying compares programs that differ in what another run might execute: of a function whose parts vary, and of
// what it calls by an address, in whatever way.
func TestVarying(t *testing.T) {
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		for name, text := range varyingModule {
			if i == 1 {
				text = strings.ReplaceAll(text, "41", "42")
			}
			write(t, filepath.Join(dirs[i], name), []byte(text))
		}
	}
	c, err := reach.New(archives(t, dirs[0])["example.com/varying"], archives(t, dirs[1])["example.com/varying"])
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(varyingModule["varying.go"], "every(func()")
	literal := fmt.Sprintf("example.com/varying.Literal:%d", strings.Count(text, "\n")+1)
	for name, varying := range map[string]string{"Inlined": "cache.sweep", "After": "after", "Once": "once", "Every": "every", "Literal": "every", "Passes": "cache.passes", "Stamps": "cache.stamp", "Hooked": "cache.hooked", "Now": "now",
		"Go": "starts", "Defer": "defers", "Finalizer": "ends", "Cleanup": "cleans"} {
		coverage := &reach.Coverage{Idle: []string{"example.com/varying.cleanUp", "example.com/varying.finalize", "example.com/varying.swept"},
			Literals: []string{literal}}
		for _, test := range []struct {
			varying string
			might   bool
		}{
			{"", false},
			{"example.com/varying." + varying, name != "Stamps" && name != "Now"}, // what varies there calls nothing
			{"example.com/varying.unused", false},
			{"example.com/other.run", name != "Inlined" && name != "Passes"}, // in a package that is the same, and may be given a function
		} {
			coverage.Varying = nil
			if test.varying != "" {
				coverage.Varying = []string{test.varying}
			}
			d, err := c.Executing("Benchmark"+name, coverage)
			if err != nil || (d != nil) != test.might || d != nil && !d.Might {
				t.Errorf("%s, if %q varies: %v, %v", name, test.varying, d, err)
			}
		}
		coverage.Varying, coverage.Timed = nil, []string{"example.com/other.run", "example.com/varying." + varying}
		d, err := c.Executing("Benchmark"+name, coverage)
		if err != nil || (d != nil) != (name == "Inlined" || name == "Passes") { // the others call it by its address
			t.Errorf("%s, if parts of %q come with time: %v, %v", name, varying, d, err)
		}
	}
}
