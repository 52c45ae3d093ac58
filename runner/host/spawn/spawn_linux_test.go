package spawn

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// starter starts programs of a test.
func starter(t testing.TB) *Starter {
	t.Helper()
	Adopt()
	begun := time.Now()
	s := New(func() int64 { return int64(time.Since(begun)) })
	t.Cleanup(s.Leave)
	return s
}

// shell is a text that a shell runs in a folder of its own.
func shell(t testing.TB, text string) *Job {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	return &Job{Path: "/bin/sh", Argv: []string{"sh", "-c", text}, Env: os.Environ(), Dir: t.TempDir(),
		Stdin: null, Stdout: null, Stderr: null, Timeout: 20 * time.Second}
}

func TestTheWatchdogKillsWhatLeftItsGroup(t *testing.T) {
	start := func() int {
		pid, err := syscall.ForkExec("/bin/sleep", []string{"sleep", "60"}, &syscall.ProcAttr{}) // in the group of this test
		if err != nil {
			t.Fatal(err)
		}
		return pid
	}
	w, pid := &watchdog{alarm: newAlarm(time.Hour, func() {})}, start()
	w.fire(pid)
	var r Run
	if r.reap(pid); r.Signal != "SIGKILL" || !w.stop() {
		t.Errorf("ended by %q, fired %v", r.Signal, w.stop())
	}
	w, pid = &watchdog{alarm: newAlarm(time.Hour, func() {})}, start()
	if w.stop() {
		t.Error("it fired before it was told to")
	}
	w.fire(pid) // too late
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if r.reap(pid); r.Signal != "SIGTERM" {
		t.Errorf("ended by %q: it fired when it had been called off", r.Signal)
	}
}

// Where there is no /proc the floor is known all the same.
func TestPeakMemoryIsKnownWithoutProc(t *testing.T) {
	if got, want := peakBy("missing"), peakMemory(); got < want*9/10 || want == 0 {
		t.Errorf("%d bytes, want %d or more", got, want)
	}
}

// A service goes on while other programs are started and what they leave is killed, and ends with the starter.
func TestServicesOutliveTheRunsOfOthers(t *testing.T) {
	s := starter(t)
	s.Alone = true // this process is the parent of all
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close() // the service reads until then
	job := shell(t, "read line <&3")
	job.Inherited = []*os.File{in}
	service, err := s.Serve(job, "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Run(shell(t, "sleep 60 & exit 0"))
	if err != nil || run.Leaked != 1 {
		t.Fatalf("%v, %d processes were left, want 1", err, run.Leaked)
	}
	if served := service.Served(); served.Ended {
		t.Errorf("the service has ended: %+v", served)
	}
	s.Leave()
	if served := service.Ended(20 * time.Second); !served.Ended {
		t.Errorf("the service goes on: %+v", served)
	}
}
