package service

import (
	"context"
	"fmt"
	"net"
	"os"
	"regexp"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/process"
)

// pollTime is the longest time until it is noticed that a service is ready.
const pollTime = 5 * time.Millisecond

// await waits until the service is ready.
func (s *Service) await(ctx context.Context) *result.Failure {
	ready := s.condition()
	waiting, cancel := process.Within(ctx, time.Duration(s.spec.Timeout))
	defer cancel()
	tick := time.NewTicker(pollTime)
	defer tick.Stop()
	for {
		fulfilled := ready()
		switch failure := s.look(); { // after ready: another program may have answered
		case failure != nil:
			failure.Message += ", before it was ready"
			return failure
		case fulfilled:
			return nil
		}
		select {
		case <-tick.C:
		case <-waiting.Done():
			return s.late(ctx)
		}
	}
}

func (s *Service) late(ctx context.Context) *result.Failure {
	if ctx.Err() != nil {
		return failed(result.FailedError, "%s was not ready when the run was interrupted", s)
	}
	limit, ready := time.Duration(s.spec.Timeout), &s.spec.Ready
	f := failed(result.FailedTimeout, "%s was not ready within its timeout of %v", s, limit)
	f.Elapsed, f.Hint = limit.Seconds(), "raise timeout of the service"
	switch {
	case ready.TCP != "":
		f.Message += ": nothing listens on " + ready.TCP
	case ready.File != "":
		f.Message += fmt.Sprintf(": there is no file %q", ready.File)
	case s.log.unfinished(regexp.MustCompile(ready.Line)):
		f.Message += fmt.Sprintf(": the text that matches %q has no line break after it", ready.Line)
		f.Hint += ", or have it print one"
	default:
		f.Message += fmt.Sprintf(": no line of its output matches %q", ready.Line)
		f.Hint += "; some programs buffer their output to a file: stdbuf -oL"
	}
	return f
}

// condition makes a function that reports whether the service is ready.
func (s *Service) condition() func() bool {
	switch ready := &s.spec.Ready; {
	case ready.TCP != "":
		return func() bool { return accepts(ready.TCP) }
	case ready.File != "":
		return func() bool { return exists(ready.File) }
	default:
		line := regexp.MustCompile(ready.Line) // checked with the suite file
		return func() bool { return s.log.matches(line) }
	}
}

// vacant explains why readiness could not be noticed: something is there already that
// looks like it. others are the services that run.
func (s *Service) vacant(others []*Service) *result.Failure {
	ready := &s.spec.Ready
	taken := ready.TCP != "" && accepts(ready.TCP)
	if !taken && (ready.File == "" || !exists(ready.File)) {
		return nil
	}
	hint := "cases that are measured in turns have their services at the same time: give each another address, or " +
		"make the services equal"
	for _, other := range others {
		if other != s && other.pid != 0 && other.failure == nil && other.spec.Ready == *ready {
			f := failed(result.FailedCheck, "%s of case %q is ready by the same sign, %s", other, other.owner, ready)
			f.Hint = hint
			return f
		}
	}
	if taken {
		f := failed(result.FailedCheck, "something else listens on %s, before %s was started", ready.TCP, s)
		f.Hint = "end it, or choose another port"
		return f
	}
	f := failed(result.FailedCheck, "the file %q is there before %s was started", ready.File, s)
	f.Hint = "remove it in setup: " + process.CommandLine(s.spec.Cwd, []string{"rm", "-f", ready.File})
	return f
}

// connectTime is how long a connection may take to be accepted.
const connectTime = time.Second

func accepts(address string) bool {
	c, err := net.DialTimeout("tcp", address, connectTime)
	if err != nil {
		return false
	}
	c.Close()
	return true
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
