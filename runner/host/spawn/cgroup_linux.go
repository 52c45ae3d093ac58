//go:build amd64 || arm64

package spawn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/orphan"
	"example.com/suite/timer"
	"golang.org/x/sys/unix"
)

// cgroup is a control group (v2) in which a spawner lives with all that it
// starts. It counts also processes that no run waits for, and its kill reaches all. The
// spawner enters it once, before the first run, so that a run costs no more than
// outside: moving it for each run took 20 to 60 µs, and cloning each run into a
// new one 9 to 20 µs between the two readings of the clock.
type cgroup struct {
	dir                           string
	stat, pressure, peak, current *os.File // nil if the system has no such file
}

// newCgroup makes a group below this process's own and puts a process into it.
func newCgroup(pid int) (*cgroup, error) {
	parent, err := ownCgroup()
	if err != nil {
		return nil, err
	}
	removeStale(parent)
	dir, err := os.MkdirTemp(parent, cgroupName+orphan.Self()+"-*")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err != nil {
		os.Remove(dir)
		return nil, err
	}
	return openCgroup(dir), nil
}

// cgroupName begins the names of the folders that suite makes for its groups; the
// orphan.Self of the host and a number follow.
const cgroupName = "suite-host-"

// ownCgroup is the folder of the group that this process is in.
func ownCgroup() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	return cgroupFolder(string(mounts), string(own))
}

// cgroupFolder is the folder of the group that a process is in, found in its
// mountinfo and cgroup of /proc.
func cgroupFolder(mounts, own string) (string, error) {
	path, ok := "", false
	for line := range strings.Lines(own) {
		if rest, is := strings.CutPrefix(line, "0::"); is {
			path, ok = strings.TrimSuffix(rest, "\n"), true
		}
	}
	if !ok {
		return "", errors.New("this process is in no group of cgroup v2")
	}
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(line, " - ")
		fields := strings.Fields(before)
		if len(fields) < 5 || !strings.HasPrefix(after, "cgroup2 ") {
			continue
		}
		below, err := filepath.Rel(unescape(fields[3]), path)
		if err != nil || below == ".." || strings.HasPrefix(below, "../") || strings.HasPrefix(path, "/..") {
			continue // only other groups can be seen there
		}
		return filepath.Join(unescape(fields[4]), below), nil
	}
	return "", errors.New("cgroup v2 is not mounted")
}

// unescape reads a path of mountinfo, in which \040 is a space.
func unescape(path string) string {
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+3 < len(path) {
			if c, err := strconv.ParseUint(path[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		out.WriteByte(path[i])
	}
	return out.String()
}

// removeStale removes the groups of hosts that were killed, and kills the processes
// in them.
func removeStale(parent string) {
	names, _ := filepath.Glob(filepath.Join(parent, cgroupName+"*"))
	for _, name := range names {
		self := strings.TrimPrefix(filepath.Base(name), cgroupName)
		if i := strings.LastIndexByte(self, '-'); i >= 0 && !orphan.Alive(self[:i]) {
			removeCgroup(name)
		}
	}
}

// RemoveStaleGroups removes the control groups of killed hosts on this machine, and
// kills the processes in them.
func RemoveStaleGroups() {
	if parent, err := ownCgroup(); err == nil {
		removeStale(parent)
	}
}

// openCgroup opens what there is to read.
func openCgroup(dir string) *cgroup {
	open := func(name string, flag int) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), flag, 0)
		if err != nil {
			return nil
		}
		return f
	}
	g := &cgroup{dir: dir, stat: open("cpu.stat", os.O_RDONLY), pressure: open("cpu.pressure", os.O_RDONLY)}
	g.current = open("memory.current", os.O_RDONLY)
	if g.current != nil {
		g.peak = open("memory.peak", os.O_RDWR) // before Linux 6.12 it cannot be set back
	}
	return g
}

var unknown = Usage{timer.Absent, timer.Absent, timer.Absent}

// read reads what the group has used so far, and resets the peak: memory is what is in
// use now.
func (g *cgroup) read(spawner int) Usage {
	u := unknown
	if g == nil {
		return u
	}
	own, _ := schedstat(spawner)
	if all := field(contents(g.stat), "usage_usec "); all != timer.Absent && own != timer.Absent {
		u.CPU = all*1000 - own
	}
	if wait := field(contents(g.pressure), "some ", "total="); wait != timer.Absent {
		u.Wait = wait * 1000
	}
	if g.peak != nil {
		if _, err := g.peak.WriteAt([]byte("reset"), 0); err == nil {
			u.Memory = field(contents(g.current), "")
		}
	}
	return u
}

// since computes what was used since an earlier reading, and makes a new reading to go
// on from: one reading for each run, because a reading leaves colder caches to the run
// (1 to 3 % of `true`). Memory is the peak, less what was in use before.
func (g *cgroup) since(before Usage, spawner int) (used, now Usage) {
	if g == nil {
		return unknown, unknown
	}
	peak := field(contents(g.peak), "")
	now = g.read(spawner)
	return Usage{
		CPU:    more(now.CPU, before.CPU),
		Wait:   more(now.Wait, before.Wait),
		Memory: more(peak, before.Memory),
	}, now
}

// more is absent if either number is.
func more(now, before int64) int64 {
	if now == timer.Absent || before == timer.Absent {
		return timer.Absent
	}
	return max(now-before, 0)
}

// contents reads a small file once more.
func contents(f *os.File) string {
	if f == nil {
		return ""
	}
	var text [4096]byte
	n, _ := f.ReadAt(text[:], 0)
	return string(text[:n])
}

// field finds the number after words that follow each other, the first of them
// at the start of a line.
func field(text string, words ...string) int64 {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, words[0])
		for _, word := range words[1:] {
			if ok {
				_, rest, ok = strings.Cut(rest, word)
			}
		}
		digits, _, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
		if x, err := strconv.ParseInt(digits, 10, 64); ok && err == nil {
			return x
		}
	}
	return timer.Absent
}

// close kills all that is left in a group, also what has other rights than this
// process, and removes it.
func (g *cgroup) close() {
	if g == nil {
		return
	}
	for _, f := range []*os.File{g.stat, g.pressure, g.peak, g.current} {
		f.Close()
	}
	removeCgroup(g.dir)
}

// removeCgroup removes a group with the groups that were made below it, for example
// by a suite that was itself measured, and kills the processes in them.
func removeCgroup(dir string) {
	for range 1000 { // what cannot be killed is given up after a second
		if err := unix.Rmdir(dir); err != unix.EBUSY {
			return
		}
		_ = os.WriteFile(filepath.Join(dir, "cgroup.kill"), []byte("1"), 0) // before Linux 5.14 there is none
		var below []string
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && path != dir {
				below = append(below, path)
			}
			return nil // gone meanwhile
		})
		for _, path := range slices.Backward(below) { // a group that has groups cannot be removed
			_ = unix.Rmdir(path) // something in it is not dead yet
		}
		time.Sleep(time.Millisecond)
	}
}
