package shellpeg

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

	"example.com/suite/internal/diag"
	"example.com/suite/internal/entry"
	"example.com/suite/internal/lock"
	"example.com/suite/peg/pegfile"
)

// pegFile is the file of lines. Names that begin with path~ are files in which suite peg
// keeps its state; readers leave them alone.
type pegFile struct{ path string }

// mark marks a point. Lines are added by one write, so that several processes may mark
// points at once.
func (f pegFile) mark(d Deed) error {
	entered := monotonic() - time.Since(entry.Time).Nanoseconds()
	if err := f.introduce(); err != nil {
		return err
	}
	lane := laneFile(d.Lane)
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
	err = f.append(s.enter(d, entered))
	if err != nil {
		return err
	}
	s.leave(d, entered, monotonic())
	return s.keep(state)
}

// mostLaneFile is the length of the part of a file name that identifies a lane: systems
// take 255 bytes in all, and a character of a lane may take nine.
const mostLaneFile = 100

// laneFile identifies a lane in the name of a file. It differs for any two lanes.
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

// openState opens the state of a lane, which is empty if the lane is new.
func openState(path string) (*os.File, *laneState, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, nil, err
	}
	var s laneState
	text, err := io.ReadAll(file)
	if err == nil && len(text) > 0 && json.Unmarshal(text, &s) != nil {
		err = diag.Hinted(fmt.Sprintf("%s is not the state of a lane", path), "remove it")
	}
	if err != nil {
		file.Close()
	}
	return file, &s, err
}

// keep replaces the state in its file. The time in it is as late as it can be: what
// follows is part of the next arc.
func (s *laneState) keep(file *os.File) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	err = file.Truncate(int64(len(text)))
	if err != nil {
		return err
	}
	_, err = file.WriteAt(text, 0)
	return err
}

// residueCalls is the number of calls of suite peg, one after the other, from which the
// time to start and end it is known: it is the longest arc between them.
const residueCalls = 6

// introduce writes once, in the header of the lines, which clock is read and what the
// residue is. The file that records this is written last: if a call fails or is killed,
// the next one begins again, since lines without a residue would look exact.
func (f pegFile) introduce() error {
	if f.introduced() {
		return nil
	}
	l, err := lock.Wait(f.path+"~lock", lock.Holder{PID: os.Getpid()})
	if errors.Is(err, fs.ErrNotExist) {
		dir := filepath.Dir(f.path)
		return diag.Hinted(fmt.Sprintf("there is no folder %q", dir), "mkdir -p "+dir)
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
	err = f.append(fmt.Sprintf("# %s clock=%s residue=%.0f\n", pegfile.Protocol, monotonicClock, residue))
	if err != nil {
		return err
	}
	return f.setIntroduced()
}

func (f pegFile) introduced() bool {
	_, err := os.Stat(f.path + "~residue")
	return err == nil
}

func (f pegFile) setIntroduced() error { return os.WriteFile(f.path+"~residue", nil, 0o666) }

// residue measures suite peg on a file in a temporary folder, so that no hit of it gets
// into the user's file.
func (f pegFile) residue() (ns float64, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(f.path), filepath.Base(f.path)+"~calibration-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	scratch := pegFile{filepath.Join(dir, "pegs")}
	err = scratch.setIntroduced()
	if err != nil {
		return 0, err
	}
	for range residueCalls {
		err = scratch.call()
		if err != nil {
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
	// Its output is not read: a pipe and its reader would take time that a shell does not.
	cmd := exec.Cmd{Path: self, Args: []string{os.Args[0], "peg", "x"},
		Env: append(os.Environ(), pegfile.Variable+"="+f.path)}
	again := cmd
	err = cmd.Run()
	if err == nil {
		return nil
	}
	said, _ := again.CombinedOutput() // now the reason matters, and the time does not
	if _, why, found := strings.Cut(strings.TrimSpace(string(said)), f.path+": "); found {
		err = errors.New(why)
	}
	return fmt.Errorf("suite peg, called by itself: %w", err)
}
