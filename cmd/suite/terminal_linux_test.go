package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.com/suite/internal/lock"
	"example.com/suite/internal/progress"
	"example.com/suite/internal/terminal"
	"example.com/suite/internal/testfile"
	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/sys/unix"
)

// pseudoTerminal opens a pseudo terminal and returns the side that a program writes to.
func pseudoTerminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo terminals: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// A command, a hook and a service that read the terminal fail at once. If they had one,
// they would be stopped until the timeout. The modes of the terminal stay unchanged.
func TestWhatIsMeasuredHasNoTerminal(t *testing.T) {
	tty := pseudoTerminal(t)
	before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"command": `{shell: "cat </dev/tty"}`,
		"modes":   `{shell: "stty raw -echo </dev/tty"}`,
		"setup":   `{shell: "true", setup: "sh -c 'read x </dev/tty'"}`,
		"service": `{shell: "true", service: {command: [sh, -c, "read x </dev/tty"], ready: {file: never}}}`,
	} {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, "suite.yaml"), "benchmarks: ["+text+"]\n")
		cmd := exec.Command("suite-real", "run", "-q", "suite.yaml")
		cmd.Dir = dir
		cmd.Stdin = tty
		cmd.Env = append(cmd.Environ(), "HOME="+dir, lock.Variable+"="+filepath.Join(dir, "lock"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		output, _ := cmd.CombinedOutput() // the status is checked below
		if status := cmd.ProcessState.ExitCode(); status != exitFail || !strings.Contains(string(output), "/dev/tty") {
			t.Errorf("%s: exit status %d\n%s", name, status, output)
		}
	}
	after, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
	if err != nil || *after != *before {
		t.Errorf("the modes were %+v and are %+v, %v", before, after, err)
	}
}

func resize(t *testing.T, f *os.File, columns uint16) {
	t.Helper()
	if err := unix.IoctlSetWinsize(int(f.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
}

// After the window is resized, the next line that is drawn has its new width.
func TestLiveLineFollowsTheWindow(t *testing.T) {
	f := pseudoTerminal(t)
	t.Setenv("TERM", "xterm")
	t.Setenv("CI", "")
	e := env{terminal: terminal.Of(f)}
	if !e.terminal.Live {
		t.Fatal("a terminal is not known as one")
	}
	var out strings.Builder
	resize(t, f, 120)
	l := progress.NewLive(&out, e.screen(), nil)
	defer l.Close()
	for _, columns := range []uint16{120, 40, 72, 200} {
		resize(t, f, columns)
		out.Reset()
		l.Announce(strings.Repeat("x", 300))
		drawn := strings.TrimRight(strings.Trim(out.String(), "\r"), " ")
		if w := text.StringWidthWithoutEscSequences(drawn); w != int(columns)-1 {
			t.Errorf("%d columns: the line takes %d: %q", columns, w, drawn)
		}
	}
}

// A report has the width of the window when it is written, not when the run began.
func TestReportFollowsTheWindow(t *testing.T) {
	f := pseudoTerminal(t)
	resize(t, f, 100)
	e := env{output: terminal.Of(f)}
	for _, columns := range []uint16{100, 60, 72} {
		resize(t, f, columns)
		if got := e.reportOptions().Width; got != int(columns) {
			t.Errorf("a report in %d columns is %d wide", columns, got)
		}
	}
}

// No live line is drawn on a dumb terminal, in CI, or in a file. A file is no terminal.
func TestTerminalsThatAreNotDrawnOn(t *testing.T) {
	f := pseudoTerminal(t)
	file, err := os.Create(t.TempDir() + "/log")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		f        *os.File
		term, ci string
		live     bool
	}{
		{f, "xterm", "", true}, {f, "dumb", "", false}, {f, "xterm", "true", false}, {f, "", "1", false}, {file, "xterm", "", false},
	} {
		t.Setenv("TERM", c.term)
		t.Setenv("CI", c.ci)
		if got := terminal.Of(c.f); got.Live != c.live || (got.Columns == nil) != (c.f == file) {
			t.Errorf("TERM=%q CI=%q, %s: live %v", c.term, c.ci, c.f.Name(), got.Live)
		}
	}
}
