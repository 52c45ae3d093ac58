// Package service runs the programs that cases need while they are measured, such as a
// server. It starts a service in a host of its own, which ends the service when this
// process is gone, waits until it is ready, keeps what it prints, and finds out how it ended.
// It knows nothing of windows and samples.
package service

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/executable"
	"example.com/suite/internal/orphan"
	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
)

// Service is a program that runs while cases are measured.
type Service struct {
	spec    *spec.Service
	owner   string // name of the first case that needs it
	log     *outputLog
	remote  *client.Client
	pid     int
	failure *result.Failure // why it cannot be used any more, nil while it can
	killed  bool            // it did not end by its signal
}

// Environment is what services are started with.
type Environment struct {
	Host      []string     // argv of the program of their hosts
	Debug     io.Writer    // what hosts write to standard error goes here too, nil for nowhere
	Processes *process.Set // records the hosts
}

// New makes a service that is not started yet. owner is the name of the first case that
// needs it.
func New(spec *spec.Service, owner string) *Service { return &Service{spec: spec, owner: owner} }

func (s *Service) String() string { return fmt.Sprintf("service %q", s.spec.Argv[0]) }

// Failure is why the service cannot be used any more, nil while it can. The caller may
// change it.
func (s *Service) Failure() *result.Failure {
	if s.failure == nil {
		return nil
	}
	f := *s.failure
	return &f
}

// Start starts the service and waits until it is ready. If that fails, Failure returns why.
// others are the services that run already.
func (s *Service) Start(ctx context.Context, e Environment, others []*Service) {
	s.failure = s.start(ctx, e, others)
	if s.failure != nil {
		s.explain()
	}
}

func (s *Service) start(ctx context.Context, e Environment, others []*Service) *result.Failure {
	if failure := s.vacant(others); failure != nil {
		return failure
	}
	var err error
	s.log, err = newLog()
	if err != nil {
		return failed(result.FailedError, "what %s prints cannot be kept: %v", s, err)
	}
	s.remote, err = client.Launch(e.Host, "", nil, e.Debug, s.log.file)
	if err != nil {
		return failed(result.FailedMissing, "the process that watches over %s could not be started: %v", s, err)
	}
	s.remote.Enter(e.Processes)
	request := &wire.Request{Op: "serve", Service: &wire.Service{Argv: s.spec.Argv, Env: s.spec.Env,
		Dir: s.spec.Cwd, Stop: s.spec.Stop}}
	response, failure := s.remote.Call(context.WithoutCancel(ctx), request, client.Grace)
	if failure != nil {
		if fault := executable.Check(s.spec.Argv[0], s.spec.Cwd); fault != nil &&
			failure.Cause == result.FailedMissing {
			failure.Message, failure.Hint = fault.Message, fault.Hint
		} else if failure.Cause == result.FailedMissing && strings.HasPrefix(failure.Message, "program ") {
			failure.Hint = "is it installed, and is it in PATH or relative to " + s.spec.Cwd + "?"
		}
		return failure
	}
	s.pid = response.Served.PID
	return s.await(ctx)
}

func failed(cause result.FailureCause, format string, args ...any) *result.Failure {
	return &result.Failure{Phase: result.PhaseService, Cause: cause, Message: fmt.Sprintf(format, args...)}
}

// Check looks whether the service still runs. If it has ended, Failure returns how.
func (s *Service) Check() {
	if s.failure != nil || s.remote == nil {
		return
	}
	s.failure = s.look()
	if s.failure != nil {
		s.failure.Message += " while the case was measured"
		s.explain()
	}
}

// look finds out how the service ended, nil while it runs.
func (s *Service) look() *result.Failure {
	response, failure := s.remote.Call(context.Background(), &wire.Request{Op: "served"}, client.Grace)
	switch {
	case failure != nil:
		s.abandon()
		return failed(result.FailedError, "%s was lost: %s", s, failure.Message)
	case !response.Served.Ended:
		return nil
	case response.Served.Signal != "":
		f := failed(result.FailedSignal, "%s was ended by signal %s", s, response.Served.Signal)
		f.Signal = response.Served.Signal
		return f
	}
	exit := response.Served.Exit
	f := failed(result.FailedExit, "%s ended with exit status %d", s, exit)
	f.Exit = &exit
	if exit == 0 {
		f.Hint = "a service has to stay in the foreground"
	}
	return f
}

// explain adds what the service has printed to its failure.
func (s *Service) explain() {
	if s.pid == 0 {
		return // it was never started
	}
	s.failure.Detail = s.log.last()
	where := s.whereLog()
	if s.failure.Hint != "" {
		where = s.failure.Hint + "; " + where
	}
	s.failure.Hint = where
}

func (s *Service) whereLog() string {
	if where := s.log.keep(s.spec.Argv[0]); where != "" {
		return "what it printed " + where
	}
	return "it printed nothing"
}

// End ends the service and its host. If now is set it is not asked to end, but killed.
func (s *Service) End(now bool) {
	if s.remote == nil {
		return
	}
	if !s.remote.Lost && !now {
		response, failure := s.remote.Call(context.Background(), &wire.Request{Op: "stop"},
			2*wire.ServiceGrace+client.Grace)
		if failure == nil {
			s.pid, s.killed = 0, response.Served.Killed
		}
	}
	s.remote.Quit()
	s.abandon()
}

// abandon kills what a service whose host was killed has left in its group.
func (s *Service) abandon() {
	if s.pid != 0 && s.remote.Lost {
		_ = orphan.KillGroup(s.pid) // empty already
	}
	s.pid = 0
}

// KillNote reports that the service had to be killed, empty if it ended by its signal.
func (s *Service) KillNote() string {
	if !s.killed {
		return ""
	}
	return fmt.Sprintf("%s did not end within %v of %s, and was killed", s, wire.ServiceGrace, s.spec.Stop)
}

// LogNote keeps what the service has printed in a file with a name, and returns where that
// is; empty if it printed nothing.
func (s *Service) LogNote() string {
	if s.log == nil {
		return ""
	}
	where := s.log.keep(s.spec.Argv[0])
	if where == "" {
		return ""
	}
	return fmt.Sprintf("what %s printed %s", s, where)
}

// Close closes the log of the service.
func (s *Service) Close() {
	if s.log != nil {
		s.log.close()
	}
}
