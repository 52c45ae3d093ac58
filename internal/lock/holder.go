package lock

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Name identifies the process of a holder in the environment of what it measures. It
// always has ten characters: an environment that changes in length moves the stack of a
// program and so changes its times (Mytkowicz et al. 2009).
func (h Holder) Name() string { return fmt.Sprintf("%010d", h.PID) }

// WaitContext is Wait, and returns the error of ctx if that ends first. The goroutine that
// waits lasts until it has the lock or the process ends. A lock that it gets after the context
// has ended is released.
func WaitContext(ctx context.Context, path string, me Holder) (*Lock, error) {
	type outcome struct {
		lock *Lock
		err  error
	}
	got := make(chan outcome)
	go func() {
		l, err := Wait(path, me)
		select {
		case got <- outcome{l, err}:
		case <-ctx.Done():
			if l != nil {
				l.Release()
			}
		}
	}()
	select {
	case o := <-got:
		return o.lock, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Describe names the suite that has the lock, in a sentence that includes only what is
// known of it: its process, its first files and when it took the lock.
func (h Holder) Describe(now time.Time) string {
	var known []string
	if h.PID != 0 {
		known = append(known, fmt.Sprintf("pid %d", h.PID))
	}
	if n := len(h.What); n > 3 {
		known = append(known, strings.Join(h.What[:3], ", "), fmt.Sprintf("%d more", n-3))
	} else {
		known = append(known, h.What...)
	}
	if since := h.Since.Local(); !h.Since.IsZero() {
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
