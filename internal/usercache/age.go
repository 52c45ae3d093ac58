package usercache

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Entry is a file or a folder in a cache folder.
type Entry struct {
	Path  string
	Used  time.Time // its last change, see Touch
	Bytes int64
}

// Entries lists what is in a folder and for which is returns true, the newest first. A folder that
// cannot be read has none.
func Entries(folder string, is func(fs.DirEntry) bool) (all []Entry) {
	for _, e := range named(folder, is) {
		if info, err := e.Info(); err == nil { // else it was removed meanwhile
			all = append(all, Entry{filepath.Join(folder, e.Name()), info.ModTime(), info.Size()})
		}
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return b.Used.Compare(a.Used) })
	return all
}

func named(folder string, is func(fs.DirEntry) bool) []fs.DirEntry {
	found, _ := os.ReadDir(folder) // unreadable: nothing to use or to remove
	return slices.DeleteFunc(found, func(e fs.DirEntry) bool { return !is(e) })
}

// Limit bounds a list of entries. An entry is old if it is beyond the number or the bytes and was
// not used for the age.
type Limit struct {
	Most  int           // newest entries, which are never old
	Bytes int64         // of the newest entries; 0 for any number
	Age   time.Duration // 0 for none
}

// Old returns the old ones of some entries, which are sorted, the newest first.
func (l Limit) Old(all []Entry) (old []Entry) {
	bytes := int64(0)
	for i, e := range all {
		bytes += e.Bytes
		beyond := i >= l.Most || l.Bytes > 0 && bytes > l.Bytes
		if beyond && (l.Age == 0 || time.Since(e.Used) > l.Age) {
			old = append(old, e)
		}
	}
	return old
}

// Prune removes the old entries of a folder. What cannot be removed stays.
func (l Limit) Prune(folder string, is func(fs.DirEntry) bool) {
	if l.Bytes == 0 && len(named(folder, is)) <= l.Most {
		return
	}
	for _, e := range l.Old(Entries(folder, is)) {
		_ = os.RemoveAll(e.Path)
	}
}

// Records bounds a folder of files that count for some time, and of which a run may write thousands. Files that still
// count are not removed by their number: the next run of a project with more cases than that would find none of them,
// because it asks for the oldest first.
type Records struct {
	Age   time.Duration // files that are older do not count any more
	Bytes int64         // of the newest files, which stay

	added int
}

// Added removes old files from a folder to which a file was just added, but not each time: to look at 20,000 files takes
// 0.1 s.
func (r *Records) Added(folder string) {
	const often = 500
	if r.added++; r.added%often != 1 {
		return
	}
	all := func(fs.DirEntry) bool { return true }
	Limit{Age: r.Age}.Prune(folder, all)
	Limit{Most: math.MaxInt, Bytes: r.Bytes}.Prune(folder, all)
}

// Touch marks a file or folder as used now. If that fails, it is pruned too early and made again.
func Touch(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}

// IsFresh reports whether something was made at most age ago. What was made in the future is not
// fresh: the clock was set back.
func IsFresh(made time.Time, age time.Duration) bool {
	since := time.Since(made)
	return since >= 0 && since <= age
}
