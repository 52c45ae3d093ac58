package result

import (
	"fmt"
	"slices"
)

// join adds another part of a suite. Planned is set again when all parts are known.
// If one of two sentinels found the machine unfit, that one is kept: otherwise an
// unfit part would seem to be judged.
func (s *Suite) join(part *Suite) error {
	s.Planned = nil
	if (s.Against == nil) != (part.Against == nil) || s.Against != nil && !s.Against.same(part.Against) {
		return fmt.Errorf("suite %q was not compared with the same thing in all of them", s.Name)
	}
	if s.Against != nil {
		both := *s.Against
		both.Removed = union(both.Removed, part.Against.Removed)
		both.Vanished = union(both.Vanished, part.Against.Vanished)
		both.Notes = union(both.Notes, part.Against.Notes)
		both.Gates = union(both.Gates, part.Against.Gates)
		s.Against = &both
	}
	if s.Sources == nil { // written by an older version of suite
		s.Sources = part.Sources
	}
	if s.Errors == nil { // the earlier parts have no pairs
		s.Errors = part.Errors
	}
	s.Sentinels = append(slices.Clone(s.Sentinels), part.Sentinels...)
	if s.Sentinel == nil || s.Sentinel.Unfit == "" && part.Sentinel != nil && part.Sentinel.Unfit != "" {
		s.Sentinel = part.Sentinel
	}
	return nil
}

func (a *Against) same(b *Against) bool {
	return a.Asked == b.Asked && a.Kind == b.Kind && a.Revision == b.Revision && a.Dirty == b.Dirty
}

func union[T comparable](a, b []T) (all []T) {
	for _, x := range slices.Concat(a, b) {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}
