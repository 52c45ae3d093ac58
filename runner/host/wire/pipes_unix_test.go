//go:build unix

package wire_test

import (
	"os"
	"sync/atomic"
	"testing"

	"example.com/suite/runner/host/wire"
)

func TestAClosedDescriptorIsNotTheEndOfItsController(t *testing.T) {
	requests, controller, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	wait := wire.HangUp(requests)
	requests.Close() // by a benchmark, before the wait has begun
	var ended atomic.Bool
	go func() {
		ended.Store(true)
		controller.Close()
	}()
	if wait(); !ended.Load() {
		t.Error("the controller is said to be gone while it has its end of the pipe")
	}
}
