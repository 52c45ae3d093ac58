//go:build amd64 || arm64

package spawn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/orphan"
	"example.com/suite/timer"
	"golang.org/x/sys/unix"
)

func TestCgroupFolderIsThatOfTheProcess(t *testing.T) {
	const unified = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	const hybrid = "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n" +
		"32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:7 - cgroup2 cgroup2 rw\n"
	for name, c := range map[string]struct{ mounts, own, want, err string }{
		"unified":       {unified, "0::/user.slice/a.scope\n", "/sys/fs/cgroup/user.slice/a.scope", ""},
		"root":          {unified, "0::/\n", "/sys/fs/cgroup", ""},
		"hybrid":        {hybrid, "4:memory:/x\n0::/init\n", "/sys/fs/cgroup/unified/init", ""},
		"part of it":    {"1 2 0:3 /a /mnt rw - cgroup2 none rw\n", "0::/a/b\n", "/mnt/b", ""},
		"spaces":        {`1 2 0:3 / /my\040mount rw - cgroup2 none rw` + "\n", "0::/a b\n", "/my mount/a b", ""},
		"another part":  {"1 2 0:3 /ab /mnt rw - cgroup2 none rw\n", "0::/a/b\n", "", "not mounted"},
		"outside":       {unified, "0::/../x\n", "", "not mounted"},
		"version 1":     {hybrid, "4:memory:/x\n", "", "in no group"},
		"not mounted":   {"1 2 0:3 / / rw - ext4 /dev/vda rw\n", "0::/\n", "", "not mounted"},
		"odd":           {"cgroup2\n - cgroup2 \n", "0::/\n", "", "not mounted"},
		"no such thing": {"", "", "", "in no group"},
	} {
		got, err := cgroupFolder(c.mounts, c.own)
		if got != c.want || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v; want %q, %q", name, got, err, c.want, c.err)
		}
	}
}

// counters are the files of a control group.
func counters(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestACgroupCountsWhatAppearedSince(t *testing.T) {
	dir, absent := t.TempDir(), timer.Absent
	counters(t, dir, map[string]string{"cpu.stat": "usage_usec 9000000\nuser_usec 1\n", "cpu.pressure": "some avg10=0.00 avg60=0.00 avg300=0.00 total=500\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
		"memory.current": "1000\n", "memory.peak": "9000000\n"})
	g := openCgroup(dir)
	first, _ := schedstat(os.Getpid())
	before := g.read(os.Getpid())
	counters(t, dir, map[string]string{"cpu.stat": "usage_usec 3609000000\nuser_usec 1\n", "cpu.pressure": "some avg10=0.00 avg60=0.00 avg300=0.00 total=31500\nfull total=7\n",
		"memory.current": "500\n", "memory.peak": "5000\n"})
	got, _ := g.since(before, os.Getpid())
	last, _ := schedstat(os.Getpid())
	if got.Wait != 31_000_000 || got.Memory != 4000 {
		t.Errorf("%+v", got)
	}
	if hour := int64(3600e9); got.CPU > hour || got.CPU < hour-(last-first) { // without what this process used meanwhile
		t.Errorf("CPU time %d ns; this process used %d before and %d meanwhile", got.CPU, first, last-first)
	}
	for _, name := range []string{"cpu.stat", "cpu.pressure", "memory.peak"} {
		os.Remove(filepath.Join(dir, name))
	}
	if got, _ := openCgroup(dir).since(openCgroup(dir).read(os.Getpid()), os.Getpid()); got != (Usage{absent, absent, absent}) {
		t.Errorf("of an empty folder %+v", got)
	}
	if got, _ := (*cgroup)(nil).since((*cgroup)(nil).read(1), 1); got != unknown {
		t.Errorf("of none %+v", got)
	}
}

func TestGroupsOfHostsThatWereKilledAreRemoved(t *testing.T) {
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const self = "%010d-00000000000000000001-%s"
	_, space, _ := strings.Cut(orphan.Self(), "-")
	_, space, _ = strings.Cut(space, "-")
	gone, elsewhere := fmt.Sprintf(self, dead.Process.Pid, space), fmt.Sprintf(self, dead.Process.Pid, "1"+space)
	names := map[string]bool{ // and whether they stay
		cgroupName + gone + "-1": false, cgroupName + fmt.Sprintf(self, os.Getpid(), space) + "-1": false, // of another process with the id of this one
		cgroupName + orphan.Self() + "-1": true, cgroupName + elsewhere + "-1": true, cgroupName + "x": true, cgroupName + "-1": true, "other-" + gone + "-1": true,
	}
	for name := range names {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	removeStale(dir)
	for name, stays := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != stays {
			t.Errorf("%s: %v, want it there: %v", name, err, stays)
		}
	}
}

// grouped is a starter whose spawner has a control group.
func grouped(t *testing.T) *Starter {
	s := starter(t)
	if s.spawner() == nil || s.spawner().group == nil {
		t.Skip("no control group can be made here")
	}
	return s
}

func TestTheTreeIsCountedWithWhatNobodyWaitedFor(t *testing.T) {
	s := grouped(t)
	// The loop runs in a process that has left its group and its parent, so its usage is
	// in no child's.
	const loop = `(setsid sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; touch done' &); while [ ! -e done ]; do sleep 0.01; done`
	got, err := s.Run(shell(t, loop))
	idle, late := s.Run(shell(t, "exit 0"))
	if err != nil || late != nil {
		t.Fatal(err, late)
	}
	if cpu := got.User + got.System; got.Tree.CPU < 2*cpu || got.Tree.CPU < 10*idle.Tree.CPU {
		t.Errorf("tree %d ns, of it waited for %d; of an empty program %d", got.Tree.CPU, cpu, idle.Tree.CPU)
	}
}

func TestNothingIsLeftInAGroup(t *testing.T) {
	s := grouped(t)
	dir := s.spawner().group.dir
	if _, err := s.Run(shell(t, "setsid sleep 1000 & kill -9 $PPID")); err != ErrLost {
		t.Errorf("error %v, want that the spawner is lost", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("after a spawner that was killed: %v", err)
	}
	dir = s.spawner().group.dir
	s.Leave()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("after the last run: %v", err)
	}
}

func TestAGroupIsKilledWhole(t *testing.T) {
	sleeper := exec.Command("sleep", "1000")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { sleeper.Process.Kill(); sleeper.Wait() }()
	g, err := newCgroup(sleeper.Process.Pid)
	if err != nil {
		t.Skip(err)
	}
	g.close()
	var status unix.WaitStatus // of a process that has ended, without waiting for it
	if pid, err := unix.Wait4(sleeper.Process.Pid, &status, unix.WNOHANG, nil); pid == 0 || status.Signal() != unix.SIGKILL {
		t.Errorf("pid %d, %v, status %v: it is not killed", pid, err, status)
	}
	if _, err := os.Stat(g.dir); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// A command that was killed may have made groups, as a suite does that is measured.
func TestGroupsBelowAGroupAreRemovedWithWhatLivesInThem(t *testing.T) {
	parent, err := ownCgroup()
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp(parent, "suite-test-*")
	if err != nil {
		t.Skip("no control group can be made here: ", err)
	}
	below := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(below, 0o755); err != nil {
		t.Fatal(err)
	}
	sleeper := exec.Command("sleep", "1000")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { sleeper.Process.Kill(); sleeper.Wait() }()
	if err := os.WriteFile(filepath.Join(below, "cgroup.procs"), []byte(strconv.Itoa(sleeper.Process.Pid)), 0); err != nil {
		t.Fatal(err)
	}
	removeCgroup(dir)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the group stays: %v", err)
	}
	if status := sleeper.Wait(); status == nil || status.Error() != "signal: killed" {
		t.Errorf("what lived in it: %v", status)
	}
}
