// Package record writes what a run has measured into its journal, and reads what an
// interrupted run has left: lines about blocks, finished cases, calibrations and warnings, after
// a header from which follows which runs may go on from it. It measures nothing.
package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/journal"
)

// Journal is the file in which a run keeps what it has measured, so that it can
// go on after a crash. Each finished block is in it before the next one begins,
// and each finished case, calibration and failure. It belongs to one run at a
// time, and is not safe for use by several goroutines.
//
// What is written outlives the process at once, however it ends. The disk is
// waited for as well, so that a power cut loses no more: see sync.
type Journal struct {
	path        string
	file        File
	lock        *os.File // the same file, nil in tests
	line        bytes.Buffer
	sum         uint32       // of the last line
	size        int64        // up to the end of the last line
	next        int64        // size at which the file is rewritten
	Interrupted *Interrupted // that it goes on from, nil for none
	seed        draw.Seed
	kept        bool  // it contains more than calibrations
	err         error // the first
	pace        journal.Pace
	old         *Forgotten

	finished map[Key]bool  // cases of which it has the last line
	rows     *result.Store // of the cases that were finished before the run was interrupted, and of the others
}

// Store is where a run with this journal keeps the rows of its cases. If there is no journal,
// its file is with the other temporary ones.
func (j *Journal) Store() *result.Store {
	if j == nil {
		return result.NewStore("")
	}
	if j.rows == nil {
		j.rows = result.NewStore(filepath.Dir(j.path))
	}
	return j.rows
}

// File is what a journal needs of a file.
type File interface {
	io.Writer
	Truncate(size int64) error
	Close() error
}

// Forgotten is the run whose journal another one has replaced.
type Forgotten struct {
	Started  time.Time
	Finished int // cases
	Partly   int // cases with some blocks
}

// Errors of opening a journal, in addition to journal.ErrBusy.
var (
	ErrNotJournal = errors.New("it is not the journal of a run")
)

// Refusal is why a run cannot go on from a journal.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "cannot resume: " + r.Reason }

// Create makes the journal of a run that begins, readable by this user
// alone, and waits until its first line is on the disk. It replaces the journal
// of an earlier run, but nothing else.
func Create(path string, h Header) (*Journal, error) {
	seed, err := draw.ParseSeed(h.Seed)
	if err != nil {
		return nil, err
	}
	f, err := journal.OpenLocked(path, true)
	if err != nil {
		return nil, err
	}
	old, err := forget(f)
	j := &Journal{path: path, file: f, lock: f}
	if err == nil {
		j, err = Begin(path, f, f, h)
	}
	j.seed, j.old = seed, old
	if err != nil {
		j.abandon()
		return nil, err
	}
	journal.SyncFolder(path)
	return j, nil
}

// Begin begins a journal in an empty file that nobody else writes. lock is the same file, nil if it
// is on no disk.
func Begin(path string, file File, lock *os.File, h Header) (*Journal, error) {
	j := &Journal{path: path, file: file, lock: lock, next: rewriteSize}
	return j, j.Append(&Line{Journal: journalVersion, Header: &h}, true)
}

// forget empties a file, unless it is something other than a journal.
func forget(f *os.File) (*Forgotten, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	if !isJournal(f) {
		return nil, ErrNotJournal
	}
	var old *Forgotten
	p, _, _, err := Read(f, result.NewStore(filepath.Dir(f.Name())))
	if err == nil && p.measured() {
		finished, partly := p.Count()
		old = &Forgotten{p.Header.Started, finished, partly}
	}
	if err := f.Truncate(0); err != nil {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return old, err
}

// isJournal reports whether a file begins as journals do, or is the beginning of one.
func isJournal(f *os.File) bool {
	start := []byte(`{"journal":"suite-journal/`)
	head := make([]byte, len(start))
	n, _ := f.ReadAt(head, 0)
	return n > 0 && bytes.HasPrefix(start, head[:n])
}

// Resume opens the journal of an interrupted run, to go on with the run that h
// describes. A *Refusal explains why that is not possible.
func Resume(path string, h Header) (*Journal, error) {
	f, err := journal.OpenLocked(path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Refusal{"no run of these suite files was interrupted (there is no journal " + path + ")"}
	}
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path, file: f, lock: f, next: rewriteSize}
	if err = j.resume(f, &h); err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// resume reads the file, drops an incomplete last line, and notes that the run goes
// on, which also shows whether the file can be written.
func (j *Journal) resume(f *os.File, now *Header) error {
	p, end, sum, err := Read(f, j.Store())
	var damaged *journal.Damage
	switch {
	case errors.Is(err, errNoHeader):
		return &Refusal{"the run ended before anything was measured"}
	case errors.As(err, &damaged) && end > 0: // the other lines are whole
		p.dropUnfinished()
	case err != nil:
		return fmt.Errorf("the journal %s: %w", j.path, err)
	}
	if why := p.Header.Refuses(now); why != "" {
		return &Refusal{why}
	}
	if why := p.otherPrograms(); why != "" {
		return &Refusal{why}
	}
	if j.seed, err = draw.ParseSeed(p.Header.Seed); err != nil {
		return fmt.Errorf("the journal %s: %w", j.path, err)
	}
	if err = f.Truncate(end); err == nil {
		_, err = f.Seek(end, io.SeekStart)
	}
	if err != nil {
		return err
	}
	known := len(p.Cases)
	p.dropChanged()
	j.Interrupted, j.sum, j.size, j.kept = p, sum, end, p.measured()
	for key, c := range p.Cases {
		if c.Final != nil {
			j.finish(key)
		}
	}
	if damaged != nil {
		p.Warnings = append(p.Warnings, result.Warning{Code: result.WarnJournalDamaged, Hint: "check the disk",
			Message: fmt.Sprintf("line %d of the journal was damaged: cases that were not finished are measured anew",
				damaged.Line)})
	}
	if damaged != nil || len(p.Cases) < known { // their blocks must not be read again
		if err := j.mend(p); err != nil {
			return err
		}
	}
	p.Parts = append(p.Parts, now.Started)
	return j.Append(&Line{At: p.At, Part: &now.Started}, true)
}

// mend writes what is left of a damaged journal anew.
func (j *Journal) mend(p *Interrupted) error {
	if journal.ReplacesOpen {
		fresh, sum, size, err := j.copied(p)
		if err != nil {
			return err
		}
		j.file.Close()
		j.file, j.lock, j.sum, j.size = fresh, fresh, sum, size
		return nil
	}
	if err := j.file.Truncate(0); err != nil {
		return err
	}
	if _, err := j.lock.Seek(0, io.SeekStart); err != nil {
		return err
	}
	j.sum, j.size = 0, 0
	for _, r := range p.Records() {
		if err := j.Append(r, false); err != nil {
			return err
		}
	}
	return nil
}

// otherPrograms names a program of a command that has changed since.
func (p *Interrupted) otherPrograms() string {
	seen := map[string]bool{}
	for _, key := range p.order {
		for _, id := range p.Cases[key].identities() {
			if id.Program == "" || id.Binary == "" || seen[id.Program+id.Binary] {
				continue
			}
			seen[id.Program+id.Binary] = true
			if now := binary.Hash(id.Program); now != "" && now != id.Binary {
				// a missing program is reported when it is started
				return fmt.Sprintf("program %s of case %q has changed since", id.Program, key.Name)
			}
		}
	}
	return ""
}

// Seed is the seed of the run.
func (j *Journal) Seed() draw.Seed { return j.seed }

// Replaced is the run whose measurements were in the file before, nil for none.
func (j *Journal) Replaced() *Forgotten { return j.old }

// Err is the first error of writing the journal, nil if there was none.
func (j *Journal) Err() error { return j.err }

// Kept reports whether the journal contains something that was measured.
func (j *Journal) Kept() bool { return j.kept }

// Close closes the journal and keeps the file for a run that goes on from it, which may take
// its lock at once.
func (j *Journal) Close() error {
	if j.lock != nil {
		journal.Unlock(j.lock)
	}
	return j.file.Close()
}

// Remove removes the journal of a run that no longer needs it. If the file has been
// replaced, the new one stays.
func (j *Journal) Remove() error {
	if j.isReplaced() {
		return errors.Join(fmt.Errorf("%s is another file now, which stays", j.path), j.file.Close())
	}
	if !journal.ReplacesOpen {
		j.file.Close()
		return os.Remove(j.path)
	}
	return errors.Join(os.Remove(j.path), j.file.Close())
}

// isReplaced reports whether the path names another file by now.
func (j *Journal) isReplaced() bool {
	if j.lock == nil {
		return false
	}
	mine, err := j.lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(j.path)
	return err == nil && !os.SameFile(mine, now)
}

// abandon gives up a journal without content: it is removed, unless the file is not
// ours.
func (j *Journal) abandon() {
	if info, err := j.lock.Stat(); err == nil && (info.Size() == 0 || isJournal(j.lock)) {
		_ = j.Remove() // on an error it stays
		return
	}
	j.file.Close()
}

// Append writes a line. If must is set, it is on the disk when append returns,
// else as soon as the pace allows. After an error nothing is written any more.
func (j *Journal) Append(r *Line, must bool) error {
	if j.err == nil {
		j.err = j.write(r, must)
	}
	return j.err
}

func (j *Journal) write(r *Line, must bool) error {
	sum, err := r.seal(&j.line, j.sum)
	if err != nil {
		return j.failed(err)
	}
	if _, err = j.file.Write(j.line.Bytes()); err == nil {
		err = j.sync(must)
	}
	if err != nil {
		_ = j.file.Truncate(j.size) // a part of a line is dropped by whoever reads it too
		return j.failed(err)
	}
	j.sum, j.size = sum, j.size+int64(j.line.Len())
	j.kept = j.kept || r.Block != nil || r.Case != nil
	if r.Case != nil {
		j.finish(KeyOf(r.Case))
	}
	if j.size >= j.next {
		j.rewrite()
	}
	return nil
}

func (j *Journal) finish(key Key) {
	if j.finished == nil {
		j.finished = map[Key]bool{}
	}
	j.finished[key] = true
}

func (j *Journal) failed(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the journal %s could not be written: %w", j.path, err)
}

// sync waits until the disk has the line, which no measurement sees: it happens
// between blocks. If the disk takes so long that waiting after every block
// would take more than a tenth of the time, it is waited for less often; see
// pace.
func (j *Journal) sync(must bool) error {
	if j.lock == nil || !must && !j.pace.Due(time.Now()) {
		return nil
	}
	start := time.Now()
	err := journal.SyncData(j.lock)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // this file system has no disk
	}
	j.pace.Took(start, time.Now())
	return err
}

// rewriteSize is the size from which a journal is rewritten. At least half of it is then
// blocks of cases that are finished, or of which only a summary is kept: without
// rewriting, the journal of a day would fill 10 GB.
const rewriteSize = 64 << 20

// rewrite replaces the journal by one without what later lines have made needless. If it
// fails the old one is kept.
func (j *Journal) rewrite() {
	j.next = 2 * j.size
	if j.lock == nil || !journal.ReplacesOpen || j.isReplaced() {
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

// rewritten puts the new file in place of the old one, locked and on the disk.
func (j *Journal) rewritten() (fresh *os.File, sum uint32, size int64, err error) {
	in, err := os.Open(j.path)
	if err != nil {
		return nil, 0, 0, err
	}
	defer in.Close()
	p, err := readUnfinished(in, j.finished)
	if err != nil {
		return nil, 0, 0, err
	}
	return j.copied(p)
}

// copied puts a new file with the content of p in place of the old one, locked and on
// the disk.
func (j *Journal) copied(p *Interrupted) (fresh *os.File, sum uint32, size int64, err error) {
	temporary := j.path + ".new" // nobody else's: the journal is ours
	_ = os.Remove(temporary)     // of a run that was killed while it wrote it
	if fresh, err = journal.OpenPlain(temporary, true); err != nil {
		return nil, 0, 0, err
	}
	copied := &Journal{path: temporary, file: fresh, next: math.MaxInt64}
	err = journal.Lock(fresh)
	for _, r := range p.Records() {
		if err == nil {
			err = copied.Append(r, false)
		}
	}
	if err == nil {
		err = journal.SyncData(fresh)
	}
	if err == nil {
		err = os.Rename(temporary, j.path)
	}
	if err != nil {
		fresh.Close()
		_ = os.Remove(temporary) // it is made anew the next time
		return nil, 0, 0, err
	}
	journal.SyncFolder(j.path)
	return fresh, copied.sum, copied.size, nil
}
