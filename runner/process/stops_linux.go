package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// Codes of a Siginfo about a child (asm-generic/siginfo.h).
const (
	childStopped   = 5
	childContinued = 6
)

// watch notes when the host is stopped and when it goes on, until it has ended.
func (s *Stops) watch() {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, s.pid, &info, unix.WSTOPPED|unix.WCONTINUED|unix.WEXITED|unix.WNOWAIT, nil)
		switch {
		case err == unix.EINTR:
		case err != nil, info.Code != childStopped && info.Code != childContinued:
			return // ended, and left for Wait to reap
		default:
			s.look()
		}
	}
}

// look takes all pending reports of the kernel, without waiting.
func (s *Stops) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, s.pid, &info, unix.WSTOPPED|unix.WCONTINUED|unix.WNOHANG, nil)
		switch {
		case err == unix.EINTR:
		case err == nil && info.Code == childStopped:
			if s.since.IsZero() {
				s.since = time.Now()
			}
		case err == nil && info.Code == childContinued:
			if !s.since.IsZero() {
				s.total += time.Since(s.since)
			}
			s.since, s.total = time.Time{}, max(s.total, UnknownStop)
		default:
			return
		}
	}
}
