package host

import (
	"runtime/debug"
	"sync"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
)

// parallelPanic carries a panic from one of the goroutines of a parallel loop.
type parallelPanic struct {
	value any
	stack string
}

// inParallel runs loop on several goroutines at once, n iterations in each. A panic in
// one of them becomes a panic of the loop.
func inParallel(loop bench.Loop, goroutines int) bench.Loop {
	return func(n int) {
		var wg sync.WaitGroup
		caught := make(chan parallelPanic, goroutines)
		for range goroutines {
			wg.Go(func() { catch(caught, func() { loop(n) }) })
		}
		wg.Wait()
		select {
		case p := <-caught:
			if f, ok := p.value.(benchcase.Failure); ok {
				panic(f)
			}
			panic(p)
		default:
		}
	}
}

func catch(caught chan<- parallelPanic, run func()) {
	returned := false
	defer func() {
		switch r := recover(); {
		case r != nil:
			caught <- parallelPanic{r, string(debug.Stack())}
		case !returned:
			abort() // its iterations are missing, and the batch would look fast
		}
	}()
	run()
	returned = true
}
