package observed

import (
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
)

// above returns a file above the tree here, relative to it, that a run in the tree base looked up above
// its own tree and did not find: a program that looks for its settings in all folders above it finds
// other ones there. It is "" if there is none.
func above(r *observe.Record, base, here string) string {
	base, here = real(base), real(here)
	for _, a := range r.Files {
		if a.Use&observe.Missing == 0 || isBelow(a.Path, base) {
			continue
		}
		ofBase, ofHere, up := base, here, ""
		for {
			ofBase, ofHere, up = filepath.Dir(ofBase), filepath.Dir(ofHere), up+"../"
			if filepath.Dir(ofHere) == ofHere || isBelow(here, ofBase) { // from here on, both trees are in one folder
				break
			}
			rest, err := filepath.Rel(ofBase, a.Path)
			if err != nil || !filepath.IsLocal(rest) {
				continue
			}
			if found := filepath.Join(ofHere, rest); paths.Exists(found) && !isBelow(found, here) {
				return up + filepath.ToSlash(rest)
			}
			break
		}
	}
	return ""
}

// mounted returns a file of the tree here, relative to it, that a run in the tree base has used by a
// name outside of both trees: the tree is mounted there too. It is "" if there is none. exec reports
// that the file was executed.
func mounted(r *observe.Record, base, here string) (path string, exec bool) {
	base, here = real(base), real(here)
	all := mounts()
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

// mounts returns the mounts of this process, none where the system does not list them.
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
