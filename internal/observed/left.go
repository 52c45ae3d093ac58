package observed

import (
	"path/filepath"
	"slices"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
)

// left returns paths below base that the first run of a case has made there, and that the tree here
// does not have, parents first: its first run there would make them too.
func left(r *observe.Record, base, here string) (made []string) {
	root := real(base)
	for _, a := range r.Files {
		rest, err := filepath.Rel(root, a.Path)
		if err != nil || !filepath.IsLocal(rest) || a.Use&observe.Made == 0 || a.Use&observe.Missing == 0 && !isAmong(a.Path, made) {
			continue
		}
		if paths.Exists(a.Path) && !paths.Exists(filepath.Join(here, rest)) {
			made = append(made, a.Path)
		}
	}
	return made
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
