package host

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Main is the whole of a host program: it serves the controller over the inherited
// descriptors until that sends quit, and returns the exit status. Call it from main,
// on the first thread.
func Main(machine Machine) int {
	runtime.LockOSThread()
	noSampling()
	spawn.Adopt()
	if timer.InValgrind() {
		moveHeap(len(os.Getenv(wire.PaddingVariable)))
	}
	in, out, err := wire.Inherited()
	if err != nil {
		fmt.Fprintln(os.Stderr, "suite: a host is started by suite itself:", err)
		return 2
	}
	h := New(machine)
	if on, _ := wire.Debug(os.Getenv(wire.DebugVariable)); on {
		h.Trace(os.Stderr)
	}
	h.intact = wire.Watch(in, out)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go h.interrupted(interrupts)
	go h.ordered()
	go h.abandoned(wire.HangUp(in))
	err = h.Serve(in, out)
	h.kit.starter.Leave()
	if err != nil {
		fmt.Fprintln(os.Stderr, wire.Complaint, err)
		return 3
	}
	return 0
}

// interrupted ends the running request after its batch. A command that runs on
// is killed with its tree while the controller still waits: when the host is
// killed, what the command has started lives on.
func (h *Host) interrupted(interrupts <-chan os.Signal) {
	<-interrupts
	h.Stop()
	for time.Sleep(wire.Patience * 3 / 4); ; time.Sleep(wire.Patience / 20) {
		h.kit.starter.Abandon()
	}
}

// ordered ends the host, and what it has started, on SIGTERM. On Linux the controller
// knows all descendants of a host, and leaves the signal to the benchmarks.
func (h *Host) ordered() {
	if runtime.GOOS == "linux" {
		return
	}
	orders := make(chan os.Signal, 1)
	signal.Notify(orders, syscall.SIGTERM)
	<-orders
	h.kit.starter.Abandon()
	h.kit.starter.Leave()
	h.dropFolder()
	os.Exit(3)
}

// abandoned ends the host soon when its controller is gone: nobody is left to
// report to, and a body may run forever. If none runs, there is time for
// cleanups. It comes in short steps, of which each takes a moment even if the
// timers of a host that counts what it executes are fast. A host that is over
// ends by itself, after it has written what it has counted.
func (h *Host) abandoned(wait func()) {
	wait()
	const steps = 1000
	for i := 0; i < steps && !h.busy.Load(); i++ {
		if h.over.Load() {
			return
		}
		time.Sleep(wire.Patience / steps)
	}
	h.kit.starter.Abandon()
	h.kit.starter.Leave()
	h.dropFolder()
	os.Exit(3)
}

// dropFolder removes the folder of a pass that is not over. That is the
// controller's task, but a controller that was killed cannot do it.
func (h *Host) dropFolder() {
	if folder := h.kit.folder.Load(); folder != nil && *folder != "" {
		_ = os.RemoveAll(*folder) // on an error it stays: nobody is left to report it to
	}
}
