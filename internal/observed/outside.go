package observed

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
)

// above returns a difference between the files above both trees that a run in the tree base has used, nil
// if there is none: a program that looks for its settings in all folders above it finds other ones
// there, and ../data is another file. A file outside that was used by its absolute path is one for both
// sides; it cannot be told apart if a file with its name is above the other tree, or if it is next to base.
func above(ctx context.Context, r *observe.Record, base, here string) *observe.Difference {
	base, here = real(base), real(here)
	for _, a := range r.Files {
		a.Use &= observe.Missing | observe.Read | observe.Exec | observe.List
		if a.Use == 0 || isAmong(a.Path, []string{base, here}) {
			continue
		}
		ofBase, ofHere, up := filepath.Dir(base), filepath.Dir(here), "../"
		for !isBelow(a.Path, ofBase) && a.Path != ofBase {
			ofBase, ofHere, up = filepath.Dir(ofBase), filepath.Dir(ofHere), up+"../"
		}
		rest, err := filepath.Rel(ofBase, a.Path)
		isNext := filepath.Dir(base) == ofBase
		found := filepath.Join(ofHere, rest)
		if err != nil || ofBase == ofHere || filepath.Dir(ofHere) == ofHere || isBelow(here, ofBase) ||
			isBelow(found, here) || !isNext && !paths.Exists(found) {
			continue
		}
		differences, err := observe.Compare(ctx, &observe.Record{Files: []observe.Access{a}}, ofBase, ofHere)
		if err == nil && len(differences) > 0 {
			return &observe.Difference{Path: up + filepath.ToSlash(rest), Kind: differences[0].Kind}
		}
	}
	return nil
}

// mounted returns a file of the tree here, relative to it, that a run in the tree base has used by a
// name outside of both trees: the tree is mounted there too. It is "" if there is none. exec reports
// that the file was executed.
func mounted(r *observe.Record, base, here string, all mountTable) (path string, exec bool) {
	base, here = real(base), real(here)
	dev, own := all.origin(here)
	for _, a := range r.Files {
		if a.Use&(observe.Read|observe.Exec) == 0 || isBelow(a.Path, base) || isBelow(a.Path, here) {
			continue
		}
		if of, file := all.origin(a.Path); of == dev && isBelow(file, own) {
			rest, _ := filepath.Rel(own, file)
			return filepath.ToSlash(rest), a.Use&observe.Exec != 0
		}
	}
	return "", false
}

// mount is a folder of a file system that can be reached at a place.
type mount struct{ dev, folder, place string }

type mountTable []mount

// mounts returns the mounts of this process, none if the system does not list them.
func mounts() (all mountTable) {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 4 {
			all = append(all, mount{fields[2], unescape.Replace(fields[3]), unescape.Replace(fields[4])})
		}
	}
	return all
}

// origin returns the file system of a path without links, and the path in it. The mount with the
// longest place counts, and of several the last.
func (all mountTable) origin(path string) (dev, file string) {
	longest := 0
	for _, m := range all {
		if len(m.place) >= longest && (path == m.place || isBelow(path, m.place)) {
			rest, _ := filepath.Rel(m.place, path)
			longest, dev, file = len(m.place), m.dev, filepath.Join(m.folder, rest)
		}
	}
	return dev, file
}
