package orphan

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain makes this program a run that starts a process outside its session,
// prints the number of that process and waits to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "run" {
		Domain(os.Args[2])
		cmd := exec.Command("sleep", "1000")
		cmd.Env = append(cmd.Environ(), Environ()...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

// running starts a run of a domain, and returns the process that it has started.
func running(t *testing.T, domain string) (run *exec.Cmd, pid int) {
	t.Helper()
	run = exec.Command(os.Args[0], "run", domain)
	out, err := run.StdoutPipe()
	if err == nil {
		err = run.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid, err = strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Process.Kill()
		run.Wait()
		unix.Kill(pid, unix.SIGKILL)
	})
	return run, pid
}

func TestWhatDeadRunsHaveLeftIsKilled(t *testing.T) {
	mine := t.TempDir()
	Domain(mine)
	dead, left := running(t, mine)
	_, wanted := running(t, mine)
	stranger, other := running(t, mine+"/other")
	dead.Process.Kill()
	dead.Wait()
	stranger.Process.Kill()
	stranger.Wait()
	unix.Kill(left, unix.SIGSTOP) // as behind a Ctrl-Z
	if got, want := KillDead(0), []Left{{left, "sleep 1000"}}; !slices.Equal(got, want) {
		t.Errorf("killed %v, want %v", got, want)
	}
	for pid, lives := range map[int]bool{left: false, wanted: true, other: true} {
		if ended(pid) == lives {
			t.Errorf("process %d (left %d, of a living run %d, of another domain %d): want it alive: %v", pid, left, wanted, other, lives)
		}
	}
	if got := KillDead(0); got != nil {
		t.Errorf("killed once more: %v", got)
	}
}

func TestAProcessIsNamedByMoreThanItsNumber(t *testing.T) {
	self := Self()
	id, rest, _ := strings.Cut(self, "-")
	when, space, _ := strings.Cut(rest, "-")
	for name, alive := range map[string]bool{
		self: true, id + "-00000000000000000001-" + space: false, "9999999999-" + rest: false,
		id + "-" + when + "-1": true, id + "-00000000000000000001-1": true, // of another namespace nobody here knows
		"": true, "x": true, "a-b-" + space: true, id + "-x-" + space: true,
	} {
		if Alive(name) != alive {
			t.Errorf("%q: alive %v, want %v", name, !alive, alive)
		}
	}
	if dead := exec.Command("true"); dead.Run() != nil || Alive(fmt.Sprintf("%010d-%s", dead.Process.Pid, rest)) {
		t.Error("a process that has ended is alive")
	}
}

// escape is a process that leaves its group, its session and its parent, together
// with a child of its own. The shell ends once the process has started.
const escape = `setsid sh -c 'echo >started; sleep "$0" & sleep "$0"' %s & while ! [ -e started ]; do sleep 0.01; done; rm started`

// starts runs escape in a session of its own and with some variables, as hosts and
// hooks run.
func starts(t *testing.T, length string, env ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", fmt.Sprintf(escape, length))
	cmd.Dir, cmd.SysProcAttr = t.TempDir(), &syscall.SysProcAttr{Setsid: true}
	cmd.Env = append(cmd.Environ(), env...)
	ended, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer ended()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// sleeping are the processes below this one that sleep for so long.
func sleeping(length string) (pids []int) {
	for _, pid := range Descendants([]int{os.Getpid()}) {
		if command(pid) == "sleep "+length {
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestOrphansAreKilledAndNothingElse(t *testing.T) {
	before := exec.Command("sleep", "1000.5")
	before.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := before.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { before.Process.Kill(); before.Wait() }()
	Adopt()
	own := exec.Command("sleep", "1001.5") // not started by Start, in the session of this process
	if err := own.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { own.Process.Kill(); own.Wait() }()
	other := exec.Command("sleep", "1002.5")
	other.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	done, err := Start(other)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait(); done() }()
	starts(t, "1003.5")
	Kill()
	if got := sleeping("1003.5"); len(got) > 0 {
		t.Errorf("orphans are left: %v", got)
	}
	if len(sleeping("1000.5")) != 1 || len(sleeping("1001.5")) != 1 || len(sleeping("1002.5")) != 1 {
		t.Error("what was started on purpose is killed")
	}
}

func TestWhatAHookLeavesIsKeptAndWhatAHostLeavesMeanwhileIsNot(t *testing.T) {
	Adopt()
	done := Keep()
	starts(t, "1004.5")
	starts(t, "1005.5", Environ()...)
	Kill()
	done()
	Kill()
	kept := sleeping("1004.5")
	defer func() {
		for _, pid := range kept {
			unix.Kill(pid, unix.SIGKILL)
		}
	}()
	if len(kept) == 0 || len(sleeping("1005.5")) > 0 {
		t.Errorf("of the hook %v are left, of the host %v", kept, sleeping("1005.5"))
	}
}
