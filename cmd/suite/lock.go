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
	"example.com/suite/result"
	"example.com/suite/runner/host"
	"github.com/spf13/cobra"
)

// holderVariable tells programs that are measured who holds the lock, so that a
// suite that measures suite does not wait for itself.
const holderVariable = "SUITE_LOCK_HOLDER"

func lockFlag(c *cobra.Command, without *bool) {
	c.Flags().BoolVar(without, "no-lock", false, "do not wait for other suites that measure on this machine")
}

// lockFile is the file that keeps suites from measuring beside each other. Those
// that share it also end what one of them has left running.
func lockFile(lookup func(string) (string, bool)) string {
	if path, _ := lookup(lock.Variable); path != "" {
		return path
	}
	return lock.Path()
}

// alone waits until no other suite measures on this machine, and gives what lets
// the next one begin. The error is a status, where a signal ended the waiting.
// Where nothing can be locked it says so and goes on.
func (e env) alone(ctx context.Context, what []string, without bool) (release func(), err error) {
	path := lockFile(e.lookup)
	if without {
		e.endDead()
		return func() {}, nil
	}
	me, began := lock.Holder{PID: os.Getpid(), What: what}, time.Now()
	l, who, err := lock.Try(path, me)
	if errors.Is(err, lock.ErrHeld) {
		if mother, _ := e.lookup(holderVariable); mother != "" && mother == holderOf(who.PID) {
			return func() {}, nil // it measures us
		}
		e.say("%s: waiting; --no-lock to go on beside it", describeHolder(who, began))
		if l, err = waitFor(ctx, path, me); err == nil {
			e.say("waited %v for it, measuring now", time.Since(began).Round(time.Second))
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, status(result.InterruptStatus(interruptName(ctx)))
	case err != nil:
		e.say("no lock against other suites, measuring without: %v", err)
		e.endDead()
		return func() {}, nil
	}
	e.endDead()
	os.Setenv(holderVariable, holderOf(me.PID))
	return func() {
		os.Unsetenv(holderVariable)
		l.Release() // the process ends soon, and the lock with it
	}, nil
}

// endDead ends the processes that a run has left which was killed: they would take
// time from what is measured, and nobody else ends them.
func (e env) endDead() {
	left := orphan.KillDead(host.Patience + time.Second)
	host.RemoveStaleGroups()
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
	e.say("killed what a run has left that was killed itself: %s", strings.Join(names, ", "))
}

// holderOf names a process in as many characters as any other: an environment
// that changes in length moves the stack of a program and with it its times
// (Mytkowicz et al. 2009).
func holderOf(pid int) string { return fmt.Sprintf("%010d", pid) }

// say is for what belongs to no report.
func (e env) say(format string, args ...any) {
	fmt.Fprintln(e.stderr, "suite: "+clean(fmt.Sprintf(format, args...)))
}

func waitFor(ctx context.Context, path string, me lock.Holder) (l *lock.Lock, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		l, err = lock.Wait(path, me)
	}()
	select {
	case <-done:
		return l, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// describeHolder says who measures, as far as that is known.
func describeHolder(who lock.Holder, now time.Time) string {
	var known []string
	if who.PID != 0 {
		known = append(known, fmt.Sprintf("pid %d", who.PID))
	}
	if n := len(who.What); n > 3 {
		known = append(known, strings.Join(who.What[:3], ", "), fmt.Sprintf("%d more", n-3))
	} else {
		known = append(known, who.What...)
	}
	if since := who.Since.Local(); !who.Since.IsZero() {
		layout := "15:04"
		if now.Sub(since) > 12*time.Hour {
			layout = "Jan 2 15:04"
		}
		known = append(known, "since "+since.Format(layout))
	}
	if len(known) == 0 {
		return "another suite is measuring"
	}
	return "another suite is measuring (" + strings.Join(known, ", ") + ")"
}
