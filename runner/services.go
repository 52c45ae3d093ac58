package runner

import (
	"context"
	"slices"
	"sync"

	"example.com/suite/result"
	"example.com/suite/runner/service"
)

// sharedService is a service of a window, with the cases that need it.
type sharedService struct {
	*service.Service
	hash  string // of all that it is: cases with the same share it
	users []*side
}

// serve starts the services of a case that do not run yet, between its setup and its
// first run.
func (w *window) serve(ctx context.Context, t *side) *result.Failure {
	for i := range t.spec.Services {
		s := w.sharedFor(t, i)
		if s == nil {
			w.progress(t.of, "service")
			s = w.startShared(ctx, t, i)
		}
		s.users, t.services = append(s.users, t), append(t.services, s)
		if failure := s.Failure(); failure != nil {
			return failure
		}
	}
	return nil
}

// sharedFor finds the service of the window that equals a service of a case, nil if no
// earlier case had the same.
func (w *window) sharedFor(t *side, i int) *sharedService {
	hash := hashOf(&t.spec.Services[i])
	at := slices.IndexFunc(w.services, func(s *sharedService) bool { return s.hash == hash })
	if at < 0 {
		return nil
	}
	return w.services[at]
}

// startShared starts a service of a case for all cases of the window that need it.
func (w *window) startShared(ctx context.Context, t *side, i int) *sharedService {
	var others []*service.Service
	for _, other := range w.services {
		others = append(others, other.Service)
	}
	asked := &t.spec.Services[i]
	s := &sharedService{Service: service.New(asked, t.spec.Name), hash: hashOf(asked)}
	w.services = append(w.services, s)
	s.Start(ctx, service.Environment{Host: w.Host, Debug: w.Debug, Processes: w.Processes}, others)
	return s
}

func (t *track) needed() (all []*sharedService) {
	for _, s := range t.sides() {
		all = append(all, s.services...)
	}
	return all
}

// attend fails a case if one of its services has ended, and reports whether it did: that
// may be why other runs failed, and what was measured meanwhile cannot be trusted.
func (w *window) attend(ctx context.Context, t *track) bool {
	for _, s := range t.needed() {
		if !w.Processes.Killed() {
			s.Check()
		}
		if failure := s.Failure(); failure != nil && ctx.Err() == nil && !w.Processes.Killed() {
			t.result.Status, t.result.Stop = result.NotRun, ""
			t.fail(failure)
			return true
		}
	}
	return false
}

// endServices ends the services of the window, all at the same time.
func (w *window) endServices() {
	var ending sync.WaitGroup
	for _, s := range w.services {
		ending.Go(func() { s.End(w.Processes.Killed()) })
	}
	ending.Wait()
	for _, s := range w.services {
		s.note()
		s.Close()
	}
}

// note warns if the service had to be killed, and adds the path of its log to each case
// that failed for another reason.
func (s *sharedService) note() {
	if note := s.KillNote(); note != "" {
		s.users[0].warn(result.WarnServiceKilled, note, "")
	}
	for _, t := range s.users {
		if f := t.result.Failure; t.result.Status != result.Failed || f == nil || f.Phase == result.PhaseService {
			continue
		}
		if note := s.LogNote(); note != "" {
			t.warn(result.WarnServiceLog, note, "")
		}
	}
}
