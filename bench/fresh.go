package bench

import (
	"reflect"
	"sync/atomic"
	"unsafe"

	"example.com/suite/internal/benchcase"
)

// Fresh returns a loop for an operation that uses up its input: it sorts a slice, drains
// a heap, or parses a document and changes it. Each iteration calls op with an input that
// no other iteration has. Only op is timed:
//
//	bench.Register("sort/fresh", func(c *bench.Case) bench.Loop {
//		data := shuffled(c.Int("size"))
//		return bench.Fresh(c, func() []int { return slices.Clone(data) }, slices.Sort[[]int])
//	})
//
// The inputs of a whole batch are made before the clock starts, as long as they allocate
// at most 1 MiB together, because inputs that fit the second-level cache are as warm as
// inputs made one by one. A batch that needs more is run in parts. Between two parts the
// clock is stopped, while the used inputs are dropped and new ones are made. What a pause
// costs is measured for each case and subtracted. If the pauses would cost more than 1 %
// of the time of op, a part grows, up to inputs that allocate 64 MiB. If they cost more
// than a tenth even then, the case fails.
//
// Allocations of input are not counted, and its garbage is collected while the clock
// is stopped.
//
// Every call of input has to return a new value: two slices, maps or pointers that share
// their memory fail the case, because all inputs of a part exist at the same time. Reset is
// for operations that use the same memory again.
//
// A setup that calls Fresh has to return this loop. op is called indirectly, as by Each.
func Fresh[T any](c *Case, input func() T, op func(T)) Loop {
	var slot T
	s := &stock[T]{input: input}
	c.host.Inputs = &benchcase.Inputs{Make: s.fill, Drop: s.drop, Unused: s.unused, Slot: int(unsafe.Sizeof(slot))}
	return func(n int) {
		for _, in := range s.take(n) {
			op(in)
		}
	}
}

// Reset returns a loop that calls reset before each iteration of op, for operations that
// change memory which is too large to have twice. Only op is timed: the clock is paused in
// each iteration. The cost of a pause, about 60 ns, is measured and subtracted, and the
// case fails if it is more than a tenth of the time of op. Use Fresh where you can: it
// needs hardly any pauses.
//
// A setup that calls Reset has to return this loop, which runs on one goroutine.
func Reset(c *Case, reset, op func()) Loop {
	ready := false
	c.host.Inputs = &benchcase.Inputs{Alone: true, Drop: func() {},
		Make: func(int) {
			reset()
			ready = true
		},
		Unused: func() int {
			if ready {
				return 1
			}
			return 0
		},
	}
	return func(n int) {
		for range n {
			if !ready { // nobody times this loop: it was called by other code than a host
				reset()
			}
			ready = false
			op()
		}
	}
}

// stock contains the inputs of the next iterations.
type stock[T any] struct {
	input   func() T
	inputs  []T
	used    atomic.Int64 // inputs that iterations have taken; the goroutines of a parallel loop share them
	checked bool         // two inputs were seen not to share their memory
}

// fill makes n inputs in place of the ones that are left.
func (s *stock[T]) fill(n int) {
	s.drop()
	if cap(s.inputs) < n {
		s.inputs = make([]T, n)
	}
	s.inputs = s.inputs[:n]
	for i := range s.inputs {
		s.inputs[i] = s.input()
	}
	if n > 1 && !s.checked {
		s.checked = true
		if sharesMemory(reflect.ValueOf(&s.inputs[0]).Elem(), reflect.ValueOf(&s.inputs[1]).Elem()) {
			panic(benchcase.Failure{Message: "bench.Fresh: input returned the same memory twice; return a copy, or " +
				"use bench.Reset"})
		}
	}
}

func (s *stock[T]) drop() {
	clear(s.inputs)
	s.inputs = s.inputs[:0]
	s.used.Store(0)
}

func (s *stock[T]) unused() int { return max(len(s.inputs)-int(s.used.Load()), 0) }

// take returns the inputs of n iterations. Code that is not a host has made none: it gets
// new ones, in the time of the loop.
func (s *stock[T]) take(n int) []T {
	end := int(s.used.Add(int64(n)))
	if end > len(s.inputs) {
		made := make([]T, n)
		for i := range made {
			made[i] = s.input()
		}
		return made
	}
	return s.inputs[end-n : end]
}

// sharesMemory reports whether two values of one type refer to the same variable. It looks
// at slices, pointers, maps and channels, not into structs.
func sharesMemory(a, b reflect.Value) bool {
	if a.Kind() == reflect.Interface {
		a, b = a.Elem(), b.Elem()
		if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
			return false
		}
	}
	switch a.Kind() {
	case reflect.Slice:
		return a.Cap() > 0 && b.Cap() > 0 && a.Type().Elem().Size() > 0 && a.Pointer() == b.Pointer()
	case reflect.Pointer:
		return !a.IsNil() && a.Type().Elem().Size() > 0 && a.Pointer() == b.Pointer()
	case reflect.Map, reflect.Chan:
		return !a.IsNil() && a.Pointer() == b.Pointer()
	}
	return false
}
