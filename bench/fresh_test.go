package bench

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/suite/internal/benchcase"
)

func TestFreshInputsAreUsedOnceAndInOrder(t *testing.T) {
	c, made, order := newCase("x", nil), 0, []int{}
	loop := Fresh(c, func() int { made++; return made }, func(i int) { order = append(order, i) })
	in := c.host.Inputs
	in.Make(5)
	loop(2)
	loop(3)
	if !slices.Equal(order, []int{1, 2, 3, 4, 5}) || in.Unused() != 0 || in.Slot != 8 || in.Alone {
		t.Errorf("used %v, %d left of %d bytes", order, in.Unused(), in.Slot)
	}
	in.Make(4)
	loop(1)
	if in.Unused() != 3 {
		t.Errorf("%d of 3 left", in.Unused())
	}
	in.Drop()
	if loop(2); made != 11 || !slices.Equal(order[5:], []int{6, 10, 11}) {
		t.Errorf("a loop that nobody made inputs for: %d made, used %v", made, order)
	}
}

func TestFreshInputsServeGoroutinesAtOnce(t *testing.T) {
	c, made := newCase("x", nil), 0
	var mu sync.Mutex
	seen := map[int]int{}
	loop := Fresh(c, func() int { made++; return made }, func(i int) {
		mu.Lock()
		defer mu.Unlock()
		seen[i]++
	})
	c.host.Inputs.Make(400)
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			loop(100)
		}()
	}
	wg.Wait()
	if len(seen) != 400 || c.host.Inputs.Unused() != 0 {
		t.Errorf("%d different inputs of 400", len(seen))
	}
}

func TestFreshRefusesTheSameMemoryTwice(t *testing.T) {
	buffer, array, table := make([]int, 10), [4]int{}, map[int]int{}
	for name, fill := range map[string]func(*Case){
		"slice":     func(c *Case) { Fresh(c, func() []int { return buffer[:3] }, func([]int) {}) },
		"pointer":   func(c *Case) { Fresh(c, func() *[4]int { return &array }, func(*[4]int) {}) },
		"map":       func(c *Case) { Fresh(c, func() map[int]int { return table }, func(map[int]int) {}) },
		"interface": func(c *Case) { Fresh(c, func() any { return table }, func(any) {}) },
	} {
		c := newCase("x", nil)
		fill(c)
		func() {
			defer func() {
				if f, ok := recover().(benchcase.Failure); !ok || !strings.Contains(f.Message, "same memory twice") {
					t.Errorf("%s: %v", name, f)
				}
			}()
			c.host.Inputs.Make(2)
		}()
	}
	for name, fill := range map[string]func(*Case){
		"copies":        func(c *Case) { Fresh(c, func() []int { return slices.Clone(buffer) }, func([]int) {}) },
		"empty slices":  func(c *Case) { Fresh(c, func() []int { return nil }, func([]int) {}) },
		"numbers":       func(c *Case) { Fresh(c, func() int { return 1 }, func(int) {}) },
		"nil pointers":  func(c *Case) { Fresh(c, func() *int { return nil }, func(*int) {}) },
		"empty structs": func(c *Case) { Fresh(c, func() *struct{} { return &struct{}{} }, func(*struct{}) {}) },
	} {
		c := newCase("x", nil)
		fill(c)
		func() {
			defer func() {
				if f := recover(); f != nil {
					t.Errorf("%s: %v", name, f)
				}
			}()
			c.host.Inputs.Make(2)
		}()
	}
}

func TestResetRunsBeforeEachIteration(t *testing.T) {
	c, order := newCase("x", nil), ""
	loop := Reset(c, func() { order += "r" }, func() { order += "o" })
	in := c.host.Inputs
	in.Make(1)
	if in.Unused() != 1 || !in.Alone {
		t.Error("nothing is ready")
	}
	loop(1)
	if in.Unused() != 0 {
		t.Error("one is left")
	}
	if loop(2); order != "rororo" {
		t.Errorf("ran %s", order)
	}
}
