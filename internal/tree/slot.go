package tree

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"example.com/suite/internal/lock"
)

// slot is a folder of the cache for one tree of a commit, locked while it is in
// use. Suites that compare with one commit at once get a slot each: waiting
// would last as long as a suite does, and for ever where one measures another.
//
//	lock       who uses it
//	slot.json  what the tree is, see record
//	tree/NAME  the tree, NAME being that of the user's folder
//	new-*      a tree that is being checked out
type slot struct {
	dir  string
	name string // of the tree's folder
	lock *lock.Lock
	now  record
	hash string // of the recipe of this run; empty for none
}

// record is what stands in slot.json. Without one the tree is worth nothing.
type record struct {
	Repository string    `json:"repository"` // for a person who looks around
	Commit     string    `json:"commit"`
	Recipe     string    `json:"recipe,omitempty"` // hash of the one whose outputs are whole
	Since      time.Time `json:"since,omitzero"`   // the first build of that recipe
}

const (
	slots    = 16 // of one commit
	attempts = 3  // at a slot that is removed while we take it
)

// claim takes the first slot of a commit that nobody uses. Work trees of one
// repository share slots where their folders have one name.
func claim(cache, top, repository, commit string) (*slot, error) {
	name := filepath.Base(top)
	if !filepath.IsLocal(name) { // the work tree is the whole disk
		name = "root"
	}
	for n := range slots {
		dir := filepath.Join(cache, "tree", key(repository, name, commit, strconv.Itoa(n)))
		l, err := take(dir)
		switch {
		case errors.Is(err, lock.ErrHeld):
			continue
		case err != nil:
			return nil, unwritable(err)
		}
		return &slot{dir: dir, name: name, lock: l, now: record{Repository: repository, Commit: commit}}, nil
	}
	return nil, fault(fmt.Sprintf("%d suites compare with %s already", slots, short([]string{commit})), "wait for one of them, or give this one a cache of its own: SUITE_CACHE=FOLDER")
}

// take locks a slot's folder, which is made where there is none.
func take(dir string) (l *lock.Lock, err error) {
	for range attempts {
		if err = os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		if l, _, err = lock.Try(filepath.Join(dir, "lock"), lock.Holder{PID: os.Getpid()}); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return l, err
}

func (s *slot) release() error { return s.lock.Release() }

// read gives what the slot holds, the zero record where that is not known.
func (s *slot) read() (r record) {
	text, err := os.ReadFile(filepath.Join(s.dir, "slot.json"))
	if err != nil || json.Unmarshal(text, &r) != nil {
		return record{}
	}
	return r
}

// write replaces the record in one step, which also marks the slot as used now.
func (s *slot) write() error {
	text, err := json.MarshalIndent(s.now, "", "\t")
	if err != nil {
		return err
	}
	file := filepath.Join(s.dir, "slot.json")
	if err := os.WriteFile(file+".new", append(text, '\n'), 0o600); err != nil {
		return unwritable(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return unwritable(err)
	}
	return nil
}

// built keeps what the recipe has left in the tree. A recipe that went on from
// what an earlier one left is as old as that.
func (s *slot) built() error {
	if s.hash == "" {
		return nil
	}
	if s.now.Since.IsZero() {
		s.now.Since = time.Now().UTC()
	}
	s.now.Recipe = s.hash
	return s.write()
}

// cacheFolder is the one that was asked for, or that of the user.
func cacheFolder(asked string) (string, error) {
	if asked == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", unwritable(err)
		}
		asked = filepath.Join(base, "suite")
	}
	return filepath.Abs(asked)
}

// key identifies a list of texts: 32 hexadecimal digits, so that no name of a
// user becomes a part of a path.
func key(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		one := sha256.Sum256([]byte(part))
		sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
