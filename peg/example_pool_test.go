//go:build !nopeg

package peg_test

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"example.com/suite/peg"
)

var (
	idle  = peg.New("pool/idle")
	taken = peg.New("pool/taken")
	done  = peg.New("pool/done")
)

// worker has a lane of its own, so that its arcs run from one of its own deeds to the
// next, whatever the others do meanwhile.
func worker(jobs <-chan []byte) {
	lane := peg.NewLane("workers") // lanes of one name are put together
	defer lane.Close()
	lane.Start(idle)
	for job := range jobs {
		lane.Hit(taken) // idle → taken, later done → taken: it had to wait so long
		sha256.Sum256(job)
		lane.Hit(done) // taken → done: the work
	}
}

// Workers have a lane each.
func ExampleNewLane() {
	peg.Enable()
	defer peg.Disable()
	peg.Reset()

	jobs := make(chan []byte)
	var pool sync.WaitGroup
	for range 4 {
		pool.Go(func() { worker(jobs) })
	}
	for range 100 {
		jobs <- make([]byte, 1024)
	}
	close(jobs)
	pool.Wait()
	for _, a := range peg.Snapshot().Arcs {
		if a.From == "pool/taken" {
			fmt.Printf("%s → %s: %d times, all %s\n", a.From, a.To, a.Count, a.Lane)
		}
	}
	// Output:
	// pool/taken → pool/done: 100 times, all workers
}
