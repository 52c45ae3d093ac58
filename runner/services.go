package runner

import (
	"context"
	"slices"
	"sync"

	"example.com/suite/result"
	"example.com/suite/runner/service"
)

// services are those of the cases of a window. Equal ones run once.
type services struct {
	*run
	all []*sharedService
}

// sharedService is a service of a window, with the sides that need it.
type sharedService struct {
	*service.Service
	hash  string // of all that it is: cases with the same share it
	users []*side
}

// serve starts the services of a case that do not run yet, between its setup and its
// first run.
func (v *services) serve(ctx context.Context, t *side) *result.Failure {
	for i := range t.spec.Services {
		s := v.sharedFor(t, i)
		if s == nil {
			v.progress(t.of, "service")
			s = v.start(ctx, t, i)
		}
		s.users, t.services = append(s.users, t), append(t.services, s)
		if failure := s.Failure(); failure != nil {
			return failure
		}
	}
	return nil
}

// sharedFor finds the service that equals a service of a case, nil if no earlier case had
// the same.
func (v *services) sharedFor(t *side, i int) *sharedService {
	hash := hashOf(&t.spec.Services[i])
	at := slices.IndexFunc(v.all, func(s *sharedService) bool { return s.hash == hash })
	if at < 0 {
		return nil
	}
	return v.all[at]
}

// start starts a service of a case for all cases of the window that need it.
func (v *services) start(ctx context.Context, t *side, i int) *sharedService {
	var others []*service.Service
	for _, other := range v.all {
		others = append(others, other.Service)
	}
	asked := &t.spec.Services[i]
	s := &sharedService{Service: service.New(asked, t.spec.Name), hash: hashOf(asked)}
	v.all = append(v.all, s)
	s.Start(ctx, service.Environment{Host: v.Host, Debug: v.Debug, Processes: v.Processes}, others)
	return s
}

// needed are the services of both sides of a case.
func (t *track) needed() (all []*sharedService) {
	for _, s := range t.sides() {
		all = append(all, s.services...)
	}
	return all
}

// attend fails a case if one of its services has ended, and reports whether it did: that
// may be why other runs failed, and what was measured meanwhile cannot be trusted.
func (v *services) attend(ctx context.Context, t *track) bool {
	for _, s := range t.needed() {
		if !v.Processes.Killed() {
			s.Check()
		}
		if failure := s.Failure(); failure != nil && ctx.Err() == nil && !v.Processes.Killed() {
			t.result.Status, t.result.Stop = result.NotRun, ""
			t.fail(failure)
			return true
		}
	}
	return false
}

// end ends the services, all at the same time.
func (v *services) end() {
	var ending sync.WaitGroup
	for _, s := range v.all {
		ending.Go(func() { s.End(v.Processes.Killed()) })
	}
	ending.Wait()
	for _, s := range v.all {
		s.note()
		s.Close()
	}
}

// note warns if the service had to be killed, and adds the path of its log to each case
// that failed for another reason.
func (s *sharedService) note() {
	if note := s.KillNote(); note != "" {
		s.users[0].result.Warn(result.WarnServiceKilled, note, "")
	}
	for _, t := range s.users {
		if f := t.result.Failure; t.result.Status != result.Failed || f == nil || f.Phase == result.PhaseService {
			continue
		}
		if note := s.LogNote(); note != "" {
			t.result.Warn(result.WarnServiceLog, note, "")
		}
	}
}
