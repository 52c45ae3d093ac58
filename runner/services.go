package runner

import (
	"context"
	"slices"
	"sync"

	"example.com/suite/result"
	"example.com/suite/runner/record"
	"example.com/suite/runner/service"
)

// services are the services of the cases of a window. Equal ones run once.
type services struct {
	run *run
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
func (v *services) serve(ctx context.Context, s *side) *result.Failure {
	for i := range s.target.Spec.Services {
		shared := v.sharedFor(s, i)
		if shared == nil {
			v.run.progress(s.of, "service")
			shared = v.start(ctx, s, i)
		}
		shared.users, s.services = append(shared.users, s), append(s.services, shared)
		if failure := shared.Failure(); failure != nil {
			return failure
		}
	}
	return nil
}

// sharedFor finds the service that equals a service of a case, nil if no earlier case had
// the same.
func (v *services) sharedFor(s *side, i int) *sharedService {
	hash := record.HashOf(&s.target.Spec.Services[i])
	at := slices.IndexFunc(v.all, func(shared *sharedService) bool { return shared.hash == hash })
	if at < 0 {
		return nil
	}
	return v.all[at]
}

// start starts a service of a case for all cases of the window that need it.
func (v *services) start(ctx context.Context, s *side, i int) *sharedService {
	var others []*service.Service
	for _, other := range v.all {
		others = append(others, other.Service)
	}
	spec := &s.target.Spec.Services[i]
	shared := &sharedService{Service: service.New(spec, s.target.Spec.Name), hash: record.HashOf(spec)}
	v.all = append(v.all, shared)
	shared.Start(ctx, service.Environment{Host: v.run.options.Host, Debug: v.run.options.Debug,
		Processes: v.run.options.Processes}, others)
	return shared
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
		if !v.run.killed() {
			s.Check()
		}
		if failure := s.Failure(); failure != nil && ctx.Err() == nil && !v.run.killed() {
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
		ending.Go(func() { s.End(v.run.killed()) })
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
