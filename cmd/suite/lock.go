package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"example.com/suite/internal/lock"
	"example.com/suite/internal/orphan"
	"example.com/suite/internal/units"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"github.com/spf13/cobra"
)

// holderVariable names the environment variable with which measured programs learn which
// process has the lock. Without it a suite that measures suite would wait for itself.
const holderVariable = "SUITE_LOCK_HOLDER"

func lockFlag(c *cobra.Command, without *bool) {
	c.Flags().BoolVar(without, "no-lock", false, "do not wait for other suites that measure on this machine")
}

// lockFile is the lock that keeps two suites from measuring at once. Suites with the
// same lock also kill the processes that one of them has left running.
func lockFile(lookup func(string) (string, bool)) string {
	if path, _ := lookup(lock.Variable); path != "" {
		return path
	}
	return lock.Path()
}

// alone waits until no other suite measures on this machine. release lets the next one
// begin. If a signal ends the wait, the error is its status. If no lock can be made, alone
// prints the reason and returns without one.
func (e env) alone(ctx context.Context, what []string, without bool) (release func(), err error) {
	path := lockFile(e.lookup)
	if without {
		endDead(e.say)
		return func() {}, nil
	}
	me := lock.Holder{PID: os.Getpid(), What: what}
	began := time.Now()
	l, who, err := lock.Try(path, me)
	if errors.Is(err, lock.ErrHeld) {
		if parent, _ := e.lookup(holderVariable); parent != "" && parent == who.Name() {
			return func() {}, nil // the holder measures this process
		}
		e.say("%s: waiting; --no-lock to measure at the same time", who.Describe(began))
		l, err = lock.WaitContext(ctx, path, me)
		if err == nil {
			e.say("waited %s for it, measuring now", units.ShortTime(time.Since(began).Seconds()))
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, interrupted(ctx)
	case err != nil:
		e.say("no lock against other suites, measuring without: %v", err)
		endDead(e.say)
		return func() {}, nil
	}
	endDead(e.say)
	os.Setenv(holderVariable, me.Name())
	return func() {
		os.Unsetenv(holderVariable)
		l.Release() // an error does no harm: the lock ends with the process
	}, nil
}

// endDead kills the processes that earlier runs left when they were killed. They would
// take time from what is measured.
func endDead(say func(format string, args ...any)) {
	left := orphan.KillDead(wire.Patience + time.Second)
	spawn.RemoveStaleGroups()
	if len(left) == 0 {
		return
	}
	var names []string
	for _, process := range left[:min(len(left), 3)] {
		names = append(names, fmt.Sprintf("%.60s (pid %d)", process.Command, process.PID))
	}
	if more := len(left) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	say("killed processes that a killed run had left: %s", strings.Join(names, ", "))
}
