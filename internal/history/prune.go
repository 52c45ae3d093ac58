package history

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/diag"
)

// Limits are which runs a history keeps. A zero limit keeps all.
type Limits struct {
	Runs int           // the newest of each machine
	Age  time.Duration // since the commit, or the start of a run without one
	Size int64         // bytes of all files together
}

// Beyond returns the entries that exceed the limits at a time, the oldest first. entries are
// in the order of time, as List returns them.
func (l Limits) Beyond(entries []Entry, now time.Time) (over []Entry) {
	runs := map[string]int{}
	size := int64(0)
	for _, e := range slices.Backward(entries) {
		machine := e.MachineName()
		runs[machine]++
		size += e.Size
		if l.Runs > 0 && runs[machine] > l.Runs || l.Age > 0 && now.Sub(e.When()) > l.Age ||
			l.Size > 0 && size > l.Size {
			over = append(over, e)
		}
	}
	slices.Reverse(over)
	return over
}

// Prune removes runs from the history.
func (s Store) Prune(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].name
	}
	return s.Remove(names)
}

// PruneFiles removes runs by the names of their files, with or without the place. It reads none of
// them, so that a file which nothing can read is removed as well. If the place lacks one, none is
// removed.
func (s Store) PruneFiles(paths []string) error {
	files, err := s.Files()
	if err != nil {
		return err
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == names[i] }) {
			return diag.Hinted(fmt.Sprintf("%s has no file %q", s.Place, names[i]),
				"suite history list --files lists them")
		}
	}
	return s.Remove(names)
}
