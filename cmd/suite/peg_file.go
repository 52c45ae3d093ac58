package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/internal/entry"
	"example.com/suite/internal/lock"
	"example.com/suite/peg/pegfile"
)

// pegFile is the file of lines, with what suite peg keeps beside it: names that begin
// with path~, which readers leave alone.
type pegFile struct{ path string }

// do does a deed: lines are added by one write, so that processes may do so at once.
func (f pegFile) do(d deed) error {
	entered := monotonic() - time.Since(entry.Time).Nanoseconds()
	if err := f.introduce(); err != nil {
		return err
	}
	lane := laneFile(d.lane)
	l, err := lock.Wait(f.path+"~lock-"+lane, lock.Holder{PID: os.Getpid()})
	if err != nil {
		return err
	}
	defer l.Release()
	state, s, err := openState(f.path + "~lane-" + lane)
	if err != nil {
		return err
	}
	defer state.Close()
	if err = f.append(s.enter(d, entered)); err != nil {
		return err
	}
	s.leave(d, entered, monotonic())
	return s.keep(state)
}

// mostLaneFile is how long the part of a file name is that stands for a lane: systems
// take 255 bytes in all, and a character of a lane may take nine.
const mostLaneFile = 100

// laneFile stands for a lane in the name of a file, no two lanes alike.
func laneFile(lane string) string {
	name := url.PathEscape(lane)
	if len(name) <= mostLaneFile {
		return name
	}
	return fmt.Sprintf("%s~%x", name[:mostLaneFile/2], sha256.Sum256([]byte(lane)))
}

func (f pegFile) append(lines string) error {
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(lines)
	return errors.Join(err, file.Close())
}

// openState opens the state of a lane, a new one where there is none.
func openState(path string) (*os.File, *laneState, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, nil, err
	}
	var s laneState
	text, err := io.ReadAll(file)
	if err == nil && len(text) > 0 && json.Unmarshal(text, &s) != nil {
		err = hinted{fmt.Sprintf("%s is not the state of a lane", path), "remove it"}
	}
	if err != nil {
		file.Close()
	}
	return file, &s, err
}

// keep replaces the state in its file. The time in it is as late as it can be: what
// follows it lies in the next arc.
func (s *laneState) keep(file *os.File) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err = file.Truncate(int64(len(text))); err != nil {
		return err
	}
	_, err = file.WriteAt(text, 0)
	return err
}

// residueCalls of suite peg, one after the other, tell what starting and ending it takes:
// the longest of the arcs between them.
const residueCalls = 6

// introduce says once, in the header of the lines, which clock is read and what the
// residue is. The mark comes last: after a call that failed or was killed the next one
// begins anew, as lines without a residue would look as if they were exact.
func (f pegFile) introduce() error {
	if f.introduced() {
		return nil
	}
	l, err := lock.Wait(f.path+"~lock", lock.Holder{PID: os.Getpid()})
	if errors.Is(err, fs.ErrNotExist) {
		dir := filepath.Dir(f.path)
		return hinted{fmt.Sprintf("there is no folder %q", dir), "mkdir -p " + dir}
	}
	if err != nil {
		return err
	}
	defer l.Release()
	if f.introduced() { // by the one that had the lock
		return nil
	}
	residue, err := f.residue()
	if err != nil {
		return err
	}
	if err = f.append(fmt.Sprintf("# %s clock=%s residue=%.0f\n", pegfile.Protocol, monotonicClock, residue)); err != nil {
		return err
	}
	return f.mark()
}

func (f pegFile) introduced() bool {
	_, err := os.Stat(f.path + "~residue")
	return err == nil
}

func (f pegFile) mark() error { return os.WriteFile(f.path+"~residue", nil, 0o666) }

// residue calls suite peg in a folder of its own, where it is introduced already.
func (f pegFile) residue() (ns float64, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(f.path), filepath.Base(f.path)+"~calibration-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	scratch := pegFile{filepath.Join(dir, "pegs")}
	if err = scratch.mark(); err != nil {
		return 0, err
	}
	for range residueCalls {
		if err = scratch.call(); err != nil {
			return 0, err
		}
	}
	doc, err := pegfile.ReadAll(scratch.path)
	if err != nil || len(doc.Arcs) == 0 {
		return 0, errors.Join(errors.New("suite peg did not work when it called itself"), err)
	}
	return doc.Arcs[0].Max, nil
}

func (f pegFile) call() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// Nothing is read of it: a pipe and its reader would take time that a shell does not.
	cmd := exec.Cmd{Path: self, Args: []string{os.Args[0], "peg", "x"}, Env: append(os.Environ(), pegfile.Variable+"="+f.path)}
	again := cmd
	if err = cmd.Run(); err == nil {
		return nil
	}
	said, _ := again.CombinedOutput() // time matters no more, and why it failed does
	if _, why, found := strings.Cut(strings.TrimSpace(string(said)), f.path+": "); found {
		err = errors.New(why)
	}
	return fmt.Errorf("suite peg, called by itself: %w", err)
}
