package lock

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain makes this test program a second one that holds a lock: it says so on
// standard output and keeps it until its input ends.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "__hold" {
		if _, _, err := Try(os.Args[2], Holder{PID: os.Getpid(), What: []string{"held.yaml"}}); err != nil {
			os.Stdout.WriteString("refused\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		os.Stdin.Read(make([]byte, 1))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hold starts a process that holds the lock, and gives what kills it.
func hold(t *testing.T, path string) (pid int, kill func()) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "__hold", path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); cmd.Process.Kill(); cmd.Wait() })
	line := make([]byte, 5)
	if n, _ := stdout.Read(line); string(line[:n]) != "held\n" {
		t.Fatalf("the holder said %q", line[:n])
	}
	return cmd.Process.Pid, func() { cmd.Process.Kill(); cmd.Wait() }
}

func fresh(t *testing.T) string { return filepath.Join(t.TempDir(), "suite.lock") }

func TestOneProcessHoldsIt(t *testing.T) {
	path := fresh(t)
	pid, _ := hold(t, path)
	l, who, err := Try(path, Holder{})
	if l != nil || !errors.Is(err, ErrHeld) {
		t.Fatalf("lock %v, error %v", l, err)
	}
	if who.PID != pid || len(who.What) != 1 || who.What[0] != "held.yaml" {
		t.Errorf("holder %+v, want pid %d and held.yaml", who, pid)
	}
}

func TestAFileOfADeadProcessDoesNotBlock(t *testing.T) {
	path := fresh(t)
	_, kill := hold(t, path)
	kill()
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "held.yaml") {
		t.Fatalf("the file says %q, %v", text, err)
	}
	l, _, err := Try(path, Holder{PID: 7})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if text, _ := os.ReadFile(path); strings.Contains(string(text), "held.yaml") || !strings.Contains(string(text), `"pid":7`) {
		t.Errorf("the file says %q", text)
	}
}

func TestWaitingEndsWithTheHolder(t *testing.T) {
	path := fresh(t)
	_, kill := hold(t, path)
	taken := make(chan error)
	go func() {
		l, err := Wait(path, Holder{})
		if err == nil {
			err = l.Release()
		}
		taken <- err
	}()
	select {
	case err := <-taken:
		t.Fatalf("taken while it was held: %v", err)
	case <-time.After(20 * time.Millisecond): // catches a lock that does not lock; never fails by chance
	}
	kill()
	if err := <-taken; err != nil {
		t.Error(err)
	}
}

func TestChildrenDoNotInheritIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("sleep")
	}
	path := fresh(t)
	l, _, err := Try(path, Holder{})
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { child.Process.Kill(); child.Wait() }()
	l.Release()
	l, _, err = Try(path, Holder{})
	if err != nil {
		t.Fatalf("%v while a child lives", err)
	}
	l.Release()
}

// A cleaner of temporary files may remove the file while it is locked.
func TestALockOnARemovedFileIsNone(t *testing.T) {
	path := fresh(t)
	_, kill := hold(t, path)
	taken := make(chan *Lock)
	go func() {
		l, _ := Wait(path, Holder{})
		taken <- l
	}()
	if err := os.Remove(path); err != nil {
		t.Skip(err) // windows keeps open files
	}
	kill()
	l := <-taken
	defer l.Release()
	if _, _, err := Try(path, Holder{}); !errors.Is(err, ErrHeld) {
		t.Errorf("a second lock: %v", err)
	}
}

func TestWhatIsNoPlainFileIsNotWrittenTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	os.WriteFile(victim, []byte("precious"), 0o600)
	os.Symlink(victim, filepath.Join(dir, "link"))
	os.Link(victim, filepath.Join(dir, "second"))
	for name, want := range map[string]string{"link": "is a link", "second": "several names", ".": "", "missing/lock": "no such file"} {
		l, _, err := Try(filepath.Join(dir, name), Holder{PID: 1})
		if l != nil || err == nil || errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: lock %v, error %v, want %q", name, l, err, want)
		}
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("the victim holds %q", text)
	}
}

// A file with other words is locked as any other, and keeps them.
func TestAFileOfSomebodyElseStaysAsItIs(t *testing.T) {
	path := fresh(t)
	os.WriteFile(path, []byte("precious"), 0o600)
	l, _, err := Try(path, Holder{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "precious" {
		t.Errorf("while it is held the file has %q", text)
	}
	l.Release()
	if text, _ := os.ReadFile(path); string(text) != "precious" {
		t.Errorf("behind it the file has %q", text)
	}
	_, end := hold(t, path)
	if _, who, err := Try(path, Holder{}); !errors.Is(err, ErrHeld) || who.PID != 0 {
		t.Errorf("held by another: %+v, %v", who, err)
	}
	end()
}

func TestAnyUserMayLockIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such permissions")
	}
	path := fresh(t)
	l, _, err := Try(path, Holder{})
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o666 {
		t.Errorf("it was made with %v", info.Mode())
	}
	os.Chmod(path, 0o444) // of another user with a strict umask
	l, _, err = Try(path, Holder{PID: 1})
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
}

func TestWhatAHolderWroteIsBounded(t *testing.T) {
	path := fresh(t)
	long := make([]string, 1000)
	for i := range long {
		long[i] = "a-file-of-some-length.yaml"
	}
	l, _, err := Try(path, Holder{PID: 1, What: long})
	if err != nil {
		t.Fatal(err)
	}
	if who := read(l.file); who.PID != 1 || len(who.What) == 0 {
		t.Errorf("read back %+v", who)
	}
	l.Release()
	os.WriteFile(path, []byte("{no json"), 0o666)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if who := read(f); who.PID != 0 || who.What != nil {
		t.Errorf("no sense was read as %+v", who)
	}
}

// A wait that was given up must not keep the lock that it gets later.
func TestAnEndedWaitReleasesTheLock(t *testing.T) {
	path := fresh(t)
	_, kill := hold(t, path)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if l, err := WaitContext(ctx, path, Holder{PID: 1}); l != nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("lock %v, error %v", l, err)
	}
	kill()
	for range 2 { // in one of them the ended wait has had its turn
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		l, err := WaitContext(ctx, path, Holder{PID: 2})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		l.Release()
	}
}
