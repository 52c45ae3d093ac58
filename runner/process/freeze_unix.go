//go:build unix && !linux

package process

import (
	"time"

	"example.com/suite/internal/orphan"
	"golang.org/x/sys/unix"
)

// freeze stops the process groups of hosts and hooks, and returns those that it has
// stopped. What a host has started runs on, and its run is marked nevertheless.
func freeze(roots []int) (all []int) {
	for _, pid := range roots {
		if unix.Kill(-pid, unix.SIGSTOP) == nil {
			all = append(all, pid)
		}
	}
	return all
}

// thaw lets process groups that freeze has stopped go on.
func thaw(pids []int) {
	for _, pid := range pids {
		_ = unix.Kill(-pid, unix.SIGCONT) // gone meanwhile
	}
}

// killAll first asks the hosts to end, with what they have started, which only they
// know, and then kills them.
func killAll(roots []int) {
	for _, pid := range roots {
		_ = unix.Kill(pid, unix.SIGTERM)
	}
	waitGone(roots)
	for _, pid := range roots {
		_ = orphan.KillGroup(pid) // empty already
	}
}

// killBelow does nothing: this system does not list what descends from a process.
func killBelow(int) {}

// waitGone waits until processes have ended, half a second at most.
func waitGone(pids []int) {
	for range 50 {
		left := false
		for _, pid := range pids {
			left = left || unix.Kill(pid, 0) == nil
		}
		if !left {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
