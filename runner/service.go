package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
)

// service is a program that runs while the cases of a window are measured. It has a host
// of its own, which ends it when this process is gone.
type service struct {
	spec    *spec.Service
	hash    string // of all that it is: cases with the same share it
	log     *serviceLog
	remote  *client.Client
	pid     int
	failure *result.Failure // why it cannot be used any more, nil while it can
	killed  bool            // it did not end by its signal
	users   []*track
}

func (s *service) String() string { return fmt.Sprintf("service %q", s.spec.Argv[0]) }

// serve starts the services of a case that do not run yet, between its setup and its
// first run.
func (w *window) serve(ctx context.Context, t *track) *result.Failure {
	for i := range t.spec.Services {
		s, known := w.serviceFor(&t.spec.Services[i])
		s.users, t.services = append(s.users, t), append(t.services, s)
		if !known {
			w.progress(t, "service")
			if s.failure = w.start(ctx, s); s.failure != nil {
				s.explain()
			}
		}
		if s.failure != nil {
			return s.why()
		}
	}
	return nil
}

// why is the failure of a case that needs the service.
func (s *service) why() *result.Failure {
	f := *s.failure
	return &f
}

// serviceFor returns a service of the window, a new one if no earlier case had the same.
func (w *window) serviceFor(spec *spec.Service) (s *service, known bool) {
	hash := hashOf(spec)
	if i := slices.IndexFunc(w.services, func(s *service) bool { return s.hash == hash }); i >= 0 {
		return w.services[i], true
	}
	s = &service{spec: spec, hash: hash}
	w.services = append(w.services, s)
	return s, false
}

// start starts a service and waits until it is ready.
func (w *window) start(ctx context.Context, s *service) *result.Failure {
	if failure := w.vacant(s); failure != nil {
		return failure
	}
	var err error
	if s.log, err = newServiceLog(); err != nil {
		return serviceFailure(result.FailedError, "what %s prints cannot be kept: %v", s, err)
	}
	if s.remote, err = client.Launch(w.Host, "", nil, w.Debug, s.log.file); err != nil {
		return serviceFailure(result.FailedMissing, "the process that watches over %s could not be started: %v", s, err)
	}
	s.remote.Enter(w.Processes)
	request := &wire.Request{Op: "serve", Service: &wire.Service{Argv: s.spec.Argv, Env: s.spec.Env, Dir: s.spec.Cwd, Stop: s.spec.Stop}}
	response, failure := s.remote.Call(context.WithoutCancel(ctx), request, client.Grace)
	if failure != nil {
		if failure.Cause == result.FailedMissing && strings.HasPrefix(failure.Message, "program ") {
			failure.Hint = "is it installed, and is it in PATH or relative to " + s.spec.Cwd + "?"
		}
		return failure
	}
	s.pid = response.Served.PID
	return s.await(ctx)
}

func serviceFailure(cause result.FailureCause, format string, args ...any) *result.Failure {
	return &result.Failure{Phase: result.PhaseService, Cause: cause, Message: fmt.Sprintf(format, args...)}
}

// look returns how the service ended, nil while it runs.
func (s *service) look() *result.Failure {
	response, failure := s.remote.Call(context.Background(), &wire.Request{Op: "served"}, client.Grace)
	switch {
	case failure != nil:
		s.abandon()
		return serviceFailure(result.FailedError, "%s was lost: %s", s, failure.Message)
	case !response.Served.Ended:
		return nil
	case response.Served.Signal != "":
		f := serviceFailure(result.FailedSignal, "%s was ended by signal %s", s, response.Served.Signal)
		f.Signal = response.Served.Signal
		return f
	}
	exit := response.Served.Exit
	f := serviceFailure(result.FailedExit, "%s ended with exit status %d", s, exit)
	if f.Exit = &exit; exit == 0 {
		f.Hint = "a service has to stay in the foreground"
	}
	return f
}

// explain adds what the service has printed to its failure.
func (s *service) explain() {
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

func (s *service) whereLog() string {
	if where := s.log.keep(s.spec.Argv[0]); where != "" {
		return "what it printed " + where
	}
	return "it printed nothing"
}

// needed are the services of a case and of its base.
func (t *track) needed() (all []*service) {
	for _, s := range t.sides() {
		all = append(all, s.services...)
	}
	return all
}

// attend fails a case if one of its services has ended, and reports whether it did: that
// may be why other runs failed, and what was measured meanwhile cannot be trusted.
func (w *window) attend(ctx context.Context, t *track) bool {
	for _, s := range t.needed() {
		if s.failure == nil && s.remote != nil && !w.Processes.Killed() {
			if s.failure = s.look(); s.failure != nil {
				s.failure.Message += " while the case was measured"
				s.explain()
			}
		}
		if s.failure != nil && ctx.Err() == nil && !w.Processes.Killed() {
			t.result.Status, t.result.Stop = result.NotRun, ""
			t.fail(s.why())
			return true
		}
	}
	return false
}

// endServices ends the services of the window, all at the same time.
func (w *window) endServices() {
	var ending sync.WaitGroup
	for _, s := range w.services {
		ending.Go(func() { w.endService(s) })
	}
	ending.Wait()
	for _, s := range w.services {
		s.keepLog()
	}
}

func (w *window) endService(s *service) {
	if s.remote == nil {
		return
	}
	if !s.remote.Lost && !w.Processes.Killed() {
		response, failure := s.remote.Call(context.Background(), &wire.Request{Op: "stop"}, 2*wire.ServiceGrace+client.Grace)
		if failure == nil {
			s.pid, s.killed = 0, response.Served.Killed
		}
	}
	s.remote.Quit()
	s.abandon()
}

// abandon kills what a service whose host was killed has left in its group.
func (s *service) abandon() {
	if s.pid != 0 && s.remote.Lost {
		process.KillGroup(s.pid)
	}
	s.pid = 0
}

// keepLog warns if the service had to be killed, adds the path of its log to a case that failed
// for another reason, and closes the log.
func (s *service) keepLog() {
	if s.killed {
		s.users[0].warn("service-killed", fmt.Sprintf("%s did not end within %v of %s, and was killed", s, wire.ServiceGrace, s.spec.Stop), "")
	}
	if s.log == nil {
		return
	}
	for _, t := range s.users {
		if f := t.result.Failure; t.result.Status == result.Failed && f != nil && f.Phase != result.PhaseService {
			if where := s.log.keep(s.spec.Argv[0]); where != "" {
				t.warn("service-log", fmt.Sprintf("what %s printed %s", s, where), "")
			}
		}
	}
	s.log.close()
}
