package observed

import (
	"os"
	"path/filepath"
	"slices"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
)

// left returns paths below base that the first run of a case has made there, and that the tree here
// does not have, parents first: its first run there would make them too.
func left(r *observe.Record, base, here string) (made []string) {
	root := real(base)
	for _, a := range r.Files {
		rest, err := filepath.Rel(root, a.Path)
		isMade := a.Use&observe.Made != 0 && (a.Use&observe.Missing != 0 || isAmong(a.Path, made))
		if err != nil || !filepath.IsLocal(rest) || !isMade {
			continue
		}
		if paths.Exists(a.Path) && !paths.Exists(filepath.Join(here, rest)) {
			made = append(made, a.Path)
		}
	}
	return made
}

// leavesOutside reports whether a run has made a file outside of both trees that is still there, such as
// an entry of a compiler's cache.
func leavesOutside(r *observe.Record, base, here string) bool {
	folders := []string{real(base), real(here), "/proc", "/dev"}
	return slices.ContainsFunc(r.Files, func(a observe.Access) bool {
		return a.Use&observe.Made != 0 && !isAmong(a.Path, folders) && paths.Exists(a.Path)
	})
}

// asMade returns a record as if its run had made what an earlier run has left, and not found it: what
// that contains follows from what the earlier run has seen.
func asMade(r *observe.Record, made []string) *observe.Record {
	if len(made) == 0 {
		return r
	}
	as := *r
	as.Files = nil
	for _, path := range made {
		as.Files = append(as.Files, observe.Access{Path: path, Use: observe.Written | observe.Made})
	}
	for _, a := range r.Files {
		if !isAmong(a.Path, made) {
			as.Files = append(as.Files, a)
		}
	}
	return &as
}

// isAmong reports whether a path is one of some paths or below one.
func isAmong(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return path == folder || isBelow(path, folder) })
}

// remove removes what a case has left in a tree of suite, so that the next case finds it as it was. It
// leaves alone a folder of the user.
func (o *Observer) remove(made []string, base string) {
	cache, err := usercache.Folder(o.Cache)
	if err != nil || !isBelow(real(base), real(cache)) {
		return
	}
	for _, path := range made {
		_ = os.RemoveAll(path) // what stays is seen, and measured
	}
}
