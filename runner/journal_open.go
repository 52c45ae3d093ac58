package runner

import (
	"errors"
	"io/fs"
	"math"
	"os"
)

// openTries of a file that is replaced, or removed, each time before its lock is
// taken.
const openTries = 10

// openLocked opens the file of a journal and takes its lock.
func openLocked(path string, create bool) (*os.File, error) {
	for range openTries {
		f, err := openPlain(path, create)
		if err != nil {
			return nil, err
		}
		current, err := lockedHere(path, f)
		if current {
			return f, nil
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is replaced again and again")}
}

// lockedHere takes the lock of an open file, and reports whether path still names that
// file: the run that had the lock may have removed it.
func lockedHere(path string, f *os.File) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	if !mine.Mode().IsRegular() {
		return false, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no plain file")}
	}
	if err := lockFile(f); err != nil {
		return false, err
	}
	now, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, now), err
}

// rewriteSize is the size from which a journal is rewritten. At least half of it is then
// blocks of cases that are finished, or of which only a summary is kept: without
// rewriting, the journal of a day would fill 10 GB.
const rewriteSize = 64 << 20

// rewrite replaces the journal by one without what later lines have made needless. If it
// fails the old one is kept.
func (j *Journal) rewrite() {
	j.next = 2 * j.size
	if j.lock == nil || !replacesOpen || j.isReplaced() {
		return
	}
	fresh, sum, size, err := j.rewritten()
	if err != nil {
		return
	}
	j.file.Close()
	j.file, j.lock, j.sum, j.size = fresh, fresh, sum, size
	j.next = max(rewriteSize, 2*size)
}

// rewritten returns the new file in place of the old one, locked and on the disk.
func (j *Journal) rewritten() (fresh *os.File, sum uint32, size int64, err error) {
	in, err := os.Open(j.path)
	if err != nil {
		return nil, 0, 0, err
	}
	defer in.Close()
	p, _, _, err := readPast(in)
	if err != nil {
		return nil, 0, 0, err
	}
	return j.copied(p)
}

// copied returns a new file with the content of p in place of the old one, locked and on
// the disk.
func (j *Journal) copied(p *past) (fresh *os.File, sum uint32, size int64, err error) {
	temporary := j.path + ".new" // nobody else's: the journal is ours
	_ = os.Remove(temporary)     // of a run that was killed while it wrote it
	if fresh, err = openPlain(temporary, true); err != nil {
		return nil, 0, 0, err
	}
	copied := &Journal{path: temporary, file: fresh, next: math.MaxInt64}
	err = lockFile(fresh)
	for _, r := range p.records() {
		if err == nil {
			err = copied.append(r, false)
		}
	}
	if err == nil {
		err = syncData(fresh)
	}
	if err == nil {
		err = os.Rename(temporary, j.path)
	}
	if err != nil {
		fresh.Close()
		_ = os.Remove(temporary) // it is made anew the next time
		return nil, 0, 0, err
	}
	syncFolder(j.path)
	return fresh, copied.sum, copied.size, nil
}
