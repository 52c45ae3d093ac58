//go:build amd64 || arm64

package observe

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// long is much more than anything here needs, and less than a test may last.
const long = time.Minute

// await waits for what another process does.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(start) > long {
			t.Fatal("in vain waited for ", what)
		}
	}
}

// gone waits until the processes whose numbers are in a file have ended.
func gone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	pids := strings.Fields(string(text))
	if err != nil || len(pids) == 0 {
		t.Fatalf("no process has written its number: %v", err)
	}
	for _, pid := range pids {
		await(t, "the end of a process", func() bool {
			state, err := os.ReadFile("/proc/" + pid + "/stat")
			after := state[bytes.LastIndexByte(state, ')')+1:]
			return err != nil || bytes.HasPrefix(after, []byte(" Z")) || bytes.HasPrefix(after, []byte(" X"))
		})
	}
}

// A fork bomb that is not stopped makes 255 processes.
func TestForkBomb(t *testing.T) {
	dir := folder(t, nil)
	c := command(t, dir, "sh", "-c", `f() { sh -c 'echo $PPID >> pids'; [ $1 = 0 ] && exec sleep 60; f $(($1-1)) & f $(($1-1)) & wait; }; f 7`)
	c.limits = defaults
	c.limits.Tasks = 30
	r := observed(t, c)
	same(t, doubts(r), string(Tasks))
	if r.Exit.Signal != 9 {
		t.Errorf("the command ended as %+v, want it killed", r.Exit)
	}
	gone(t, dir+"/pids")
}

func TestKilledTracer(t *testing.T) {
	observed(t, command(t, "", "true")) // skips
	dir := folder(t, nil)
	r, err := Run(t.Context(), command(t, dir, "sh", "-c", "echo $$ > pids; sleep 60 & echo $! >> pids; kill -9 $PPID; sleep 60"))
	var e *Error
	if !errors.As(err, &e) || e.Cause != Tracer || r != nil {
		t.Errorf("got %v and %v, want the cause %s", r, err, Tracer)
	}
	gone(t, dir+"/pids")
}

func TestCommandCannotWriteTheRecord(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write to every process")
	}
	r := observed(t, command(t, "", "sh", "-c", "echo '{}' > /proc/$PPID/fd/4"))
	if r.Exit.Status == 0 {
		t.Error("a command has written to the pipe of its tracer")
	}
}

// A tracer that a command has stopped is killed by its parent at the end of the context.
func TestStoppedTracer(t *testing.T) {
	observed(t, command(t, "", "true")) // skips
	dir := folder(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	c := command(t, dir, "sh", "-c", "echo $$ $PPID > pids; kill -STOP $PPID; sleep 60")
	go func() {
		for ctx.Err() == nil {
			text, _ := os.ReadFile(dir + "/pids")
			if fields := strings.Fields(string(text)); len(fields) == 2 {
				state, _ := os.ReadFile("/proc/" + fields[1] + "/stat")
				if bytes.Contains(state, []byte(") T ")) {
					cancel(why)
				}
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := Run(ctx, c); !errors.Is(err, why) {
		t.Errorf("got %v, want what ended the context", err)
	}
	gone(t, dir+"/pids")
}

func TestEndOfContext(t *testing.T) {
	observed(t, command(t, "", "true")) // skips
	dir := folder(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if text, _ := os.ReadFile(dir + "/pids"); strings.Count(string(text), "\n") == 2 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r, err := Run(ctx, command(t, dir, "sh", "-c", "echo $$ > pids; setsid sh -c 'echo $$ >> pids; exec sleep 60' & sleep 60"))
	if !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("got %v and %v, want %v", r, err, context.Canceled)
	}
	gone(t, dir+"/pids")
	if _, err := Run(ctx, command(t, dir, "true")); !errors.Is(err, context.Canceled) {
		t.Errorf("a command was started after the end of the context: %v", err)
	}
}

func TestProcessesThatAreLeft(t *testing.T) {
	dir := folder(t, map[string]string{"late": ""})
	c := command(t, dir, "sh", "-c", "(setsid sh -c 'cat late; echo $$ >> pids; exec sleep 60' &) ; while ! test -s pids; do :; done")
	r := observed(t, c)
	same(t, doubts(r), string(Left))
	if got := uses(t, r, dir); !strings.Contains(strings.Join(got, "\n"), "late read") {
		t.Errorf("what the process read that was left is not in %q", got)
	}
	gone(t, dir+"/pids")
}

// When the program itself is killed, nothing of the command is left.
func TestKilledProgram(t *testing.T) {
	observed(t, command(t, "", "true")) // skips
	dir := folder(t, nil)
	shell := command(t, dir, "sh", "-c", "echo $PPID > pids; setsid sh -c 'echo $$ >> pids; exec sleep 60' & echo $$ >> pids; sleep 60")
	program := exec.Command(self(t), "__observe", shell.Path, "-c", shell.Args[2])
	program.Dir = dir
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "three processes", func() bool {
		text, _ := os.ReadFile(dir + "/pids")
		return bytes.Count(text, []byte("\n")) == 3
	})
	_ = program.Process.Kill()
	_ = program.Wait()
	gone(t, dir+"/pids")
}

func TestManyFiles(t *testing.T) {
	const n = 3000
	dir := folder(t, nil)
	c := command(t, "", self(t), "__open", dir, strconv.Itoa(n))
	r := observed(t, c)
	if got := len(uses(t, r, dir)); got != n || len(r.Doubts) > 0 {
		t.Errorf("the record has %d paths, want %d, and the doubts %v", got, n, r.Doubts)
	}
	for _, l := range []limits{{Paths: 50, Bytes: 1 << 20, Tasks: 100}, {Paths: n, Bytes: 5000, Tasks: 100}} {
		c.limits = l
		r = observed(t, c)
		same(t, doubts(r), string(Cut))
		if r.Exit != (Exit{}) || len(r.Files) > 200 {
			t.Errorf("the command ended as %+v, and its record has %d paths", r.Exit, len(r.Files))
		}
	}
}

func TestDoubts(t *testing.T) {
	for act, want := range map[string][]string{
		"__io_uring": {"io_uring"}, "__unshare": {"mounts"}, "__shmget": {"ipc"}, "__private": nil,
		"__ptrace": {"debugger"}, "__untraced": {"untraced"}, "__semget": {"ipc"}, "__fsopen": {"mounts"}, "__getfd": {"debugger"},
		"__listener": {"filter"}, "__sandbox": nil,
	} {
		r := observed(t, command(t, "", self(t), act))
		if got := doubts(r); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got the doubts %q, want %q", act, got, want)
		}
	}
	dir := folder(t, map[string]string{"latin-\xe9": ""})
	r := observed(t, command(t, dir, "sh", "-c", "cat latin*"))
	same(t, doubts(r), string(Name))
}

// The program is 32-bit, and its only instructions are exit(0).
func TestOtherArchitecture(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the program is for i386")
	}
	var elf bytes.Buffer
	elf.WriteString("\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	const code = "\x31\xdb\x31\xc0\x40\xcd\x80" // xor ebx, ebx; xor eax, eax; inc eax; int 0x80
	const start, base = 52 + 32, 0x08048000
	for _, part := range []any{uint16(2), uint16(3), uint32(1), uint32(base + start), uint32(52), uint32(0), uint32(0), uint16(52), uint16(32), uint16(1), [3]uint16{},
		uint32(1), uint32(0), uint32(base), uint32(base), uint32(start + len(code)), uint32(start + len(code)), uint32(5), uint32(0x1000)} {
		if err := binary.Write(&elf, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	dir := folder(t, map[string]string{"exit": elf.String() + code})
	if err := exec.Command(dir + "/exit").Run(); err != nil {
		t.Skip("this kernel runs no 32-bit programs: ", err)
	}
	r := observed(t, command(t, dir, dir+"/exit"))
	same(t, doubts(r), string(Foreign))
	if r.Exit != (Exit{}) {
		t.Errorf("the program ended as %+v", r.Exit)
	}
	same(t, uses(t, r, dir), "exit exec")
}

func TestSetuid(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a program of another user")
	}
	path, err := exec.LookPath("true")
	if err != nil {
		t.Skip(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"true": string(program)})
	copied := filepath.Join(dir, "true")
	if err := errors.Join(os.Chown(copied, 65534, -1), os.Chmod(copied, 0o755|os.ModeSetuid)); err != nil {
		t.Fatal(err)
	}
	r := observed(t, command(t, dir, copied))
	same(t, doubts(r), string(Privilege))
}

func TestErrorTexts(t *testing.T) {
	for _, cause := range []Cause{System, Ptrace, Seccomp, Start, Tracer} {
		if text := (&Error{Cause: cause, Err: unix.EPERM}).Error(); !strings.Contains(text, "operation not permitted") || strings.HasPrefix(text, ":") {
			t.Errorf("the cause %s has the text %q", cause, text)
		}
	}
}

// An attribute of a file is an input of programs that ask for it. A tree of git has none.
func TestCompareAttributes(t *testing.T) {
	base, here := plant(t, map[string]string{"a": "1", "dir/b": "1"}), plant(t, map[string]string{"a": "1", "dir/b": "1"})
	r := &Record{Files: []Access{{Path: filepath.Join(base, "a"), Use: Stat}, {Path: filepath.Join(base, "dir"), Use: List}}}
	differ := func(want ...Difference) {
		t.Helper()
		if got, err := Compare(context.Background(), r, base, here); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
	differ()
	for _, name := range []string{"a", "dir"} {
		if err := unix.Setxattr(filepath.Join(here, name), "user.suite", []byte("1"), 0); err != nil {
			t.Skip("attributes: ", err)
		}
	}
	differ(Difference{"a", Attribute}, Difference{"dir", Attribute})
	for name, value := range map[string]string{"a": "2", "dir": "1"} {
		if err := unix.Setxattr(filepath.Join(base, name), "user.suite", []byte(value), 0); err != nil {
			t.Fatal(err)
		}
	}
	differ(Difference{"a", Attribute})

	if os.Geteuid() != 0 {
		return
	}
	r.Files = []Access{{Path: filepath.Join(base, "b"), Use: Read}, {Path: filepath.Join(base, "c"), Use: Read | Attributes}}
	for _, name := range []string{"b", "c"} {
		for _, dir := range []string{base, here} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := unix.Setxattr(filepath.Join(here, name), "trusted.suite", []byte("1"), 0); err != nil {
			t.Skip("attributes: ", err)
		}
	}
	differ(Difference{"c", Attribute})
	for _, dir := range []string{base, here} {
		if err := unix.Setxattr(filepath.Join(dir, "b"), capability, []byte("\x00\x00\x00\x02\x00\x04\x00\x00"+strings.Repeat("\x00", 12)), 0); err != nil {
			t.Skip("capabilities: ", err)
		}
		if dir == base {
			differ(Difference{"b", Attribute}, Difference{"c", Attribute})
		}
	}
	differ(Difference{"c", Attribute})
}
