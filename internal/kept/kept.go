// Package kept keeps the results of runs in the user's cache, so that a second look needs no
// second run. There is one for each set of suite files, and older ones are removed beyond a
// number and a size. It also finds the result that an argument means: a file, or the last run
// of a suite file. It renders nothing that is not kept, and asks for no place itself.
package kept

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/units"
	"example.com/suite/internal/usercache"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/runner/profile"
)

// limit bounds the results; older ones are removed.
var limit = usercache.Limit{Most: 20, Bytes: 256 << 20}

const suffix = ".json"

// noteSuffix is the ending of the file that names the last result of a run that was started in a folder.
const noteSuffix = ".last"

// notes bounds these files.
var notes = usercache.Limit{Most: 200}

// Store is a folder with results. It need not exist.
type Store struct {
	Dir string
	Err error // why there is no place for a folder; nil if there is one
}

// Name is the name under which something is kept for a set of suite files: a hash of their
// absolute paths, links resolved. Their order does not matter.
func Name(files []string) string {
	var real []string
	for _, file := range files {
		real = append(real, paths.Real(file))
	}
	slices.Sort(real)
	sum := sha256.Sum256([]byte(strings.Join(real, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// note is the file that names the last result of a folder.
func (s Store) note(folder string) string {
	return filepath.Join(s.Dir, Name([]string{folder})+noteSuffix)
}

func (s Store) path(files []string) string { return filepath.Join(s.Dir, Name(files)+suffix) }

// Keep saves the result of a run of suite files. It copies the first of the reports in JSON that
// is a file and can be read again: rendering a large result again would take seconds. A place
// that cannot be written is no error: nobody asked for the file. The result of an earlier run is
// removed then, so that it is not taken for this one.
func (s Store) Keep(doc *result.Document, files, reports []string, profiles []profile.File) {
	path := s.path(files)
	if s.Err != nil || os.MkdirAll(s.Dir, 0o700) != nil {
		return
	}
	err := report.WriteFile(path, func(w io.Writer) error {
		if f := openFirst(reports); f != nil {
			defer f.Close()
			_, err := io.Copy(w, f)
			return err
		}
		return report.Render(w, "json", doc, table.Options{})
	})
	if err == nil {
		err = saved.WriteProfiles(path, profiles)
	}
	if err == nil {
		err = atomicfile.Write(s.note("."), []byte(filepath.Base(path)), 0o600)
	}
	if err != nil {
		remove(path)
		_ = os.Remove(s.note("."))
		return
	}
	notes.Prune(s.Dir, func(e fs.DirEntry) bool { return filepath.Ext(e.Name()) == noteSuffix })
	for _, old := range limit.Old(s.list()) {
		remove(old.Path)
	}
}

// openFirst opens the first of some files. It is nil if none of them can be read again.
func openFirst(reports []string) *os.File {
	for _, path := range reports {
		if !report.Replaces(path) {
			continue
		}
		if f, err := os.Open(path); err == nil {
			return f
		}
	}
	return nil
}

// remove removes a result with its profiles.
func remove(path string) {
	_ = os.Remove(path)
	_ = saved.RemoveProfiles(path)
}

// list lists the results with the sizes of their profiles, the newest first.
func (s Store) list() []usercache.Entry {
	all := usercache.Entries(s.Dir, func(e fs.DirEntry) bool {
		return e.Type().IsRegular() && filepath.Ext(e.Name()) == suffix
	})
	for i := range all {
		all[i].Bytes += saved.SizeOfProfiles(all[i].Path)
	}
	return all
}

// Hint is what to do if no result is kept.
const Hint = "suite run keeps its result, and --out json=FILE writes it to a file of yours"

// Last returns the path of the result of the last run of these suite files. If there are none, it is the last run that
// was started in the current folder, or else in the nearest folder above, or else the last run of all: with two
// projects, the other project's run is not meant.
func (s Store) Last(files []string) (string, error) {
	if s.Err != nil {
		return "", diag.Hinted(fmt.Sprintf("there is no place in which results are kept: %v", s.Err), Hint)
	}
	if len(files) == 0 {
		if path := s.lastHere(); path != "" {
			return path, nil
		}
		if all := s.list(); len(all) > 0 {
			return all[0].Path, nil
		}
		return "", diag.Hinted("no result is kept of an earlier run", Hint)
	}
	path := s.path(files)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		const most = 5
		return "", diag.Hinted(fmt.Sprintf("no result is kept of a run of %s", units.List(files, most)), Hint)
	}
	return path, nil
}

// lastHere returns the last result of the current folder or of the nearest folder above that has one, "" if there
// is none.
func (s Store) lastHere() string {
	folder := paths.Real(".")
	for {
		name, err := os.ReadFile(s.note(folder))
		path := filepath.Join(s.Dir, filepath.Base(string(name)))
		if err == nil && filepath.Ext(path) == suffix && paths.Exists(path) {
			return path
		}
		above := filepath.Dir(folder)
		if above == folder {
			return ""
		}
		folder = above
	}
}
