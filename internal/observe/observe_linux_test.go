//go:build amd64 || arm64

package observe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestMain makes this test program the commands that no shell can be.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if act, ok := acts[os.Args[1]]; ok {
			act(os.Args[2:])
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

var acts = map[string]func(args []string){
	// Opens files from many threads.
	"__open": func(args []string) {
		n, _ := strconv.Atoi(args[1])
		var all sync.WaitGroup
		for part := range 8 {
			all.Go(func() {
				runtime.LockOSThread()
				for i := part; i < n; i += 8 {
					if f, err := os.Open(fmt.Sprintf("%s/%d", args[0], i)); err == nil {
						f.Close()
					}
				}
			})
		}
		all.Wait()
	},
	// Executes a program in a thread that is not the first.
	"__exec": func(args []string) {
		var execute func()
		execute = func() {
			runtime.LockOSThread() // kept, so that another goroutine gets another thread
			if unix.Gettid() != unix.Getpid() {
				syscall.Exec(args[0], args, os.Environ())
			}
			go execute()
			select {}
		}
		execute()
	},
	"__observe": observe,
	"__fexec": func(args []string) {
		fd, _ := unix.Open(args[0], unix.O_PATH, 0)
		empty, _ := unix.BytePtrFromString("")
		argv, _ := syscall.SlicePtrFromStrings(args)
		unix.RawSyscall6(unix.SYS_EXECVEAT, uintptr(fd), uintptr(unsafe.Pointer(empty)), uintptr(unsafe.Pointer(&argv[0])), 0, unix.AT_EMPTY_PATH, 0)
	},
	// Runs under a filter that refuses a call, as in a container.
	"__refuse": func(args []string) {
		number, _ := strconv.Atoi(args[0])
		refuse(uint32(number))
		observe(args[1:])
	},
	"__io_uring": func([]string) { unix.RawSyscall(unix.SYS_IO_URING_SETUP, 0, 0, 0) },
	"__unshare":  func([]string) { unix.RawSyscall(unix.SYS_UNSHARE, unix.CLONE_NEWNS, 0, 0) },
	"__semget":   func([]string) { unix.RawSyscall(unix.SYS_SEMGET, 77, 1, 0) },
	"__fsopen":   func([]string) { unix.RawSyscall(unix.SYS_FSOPEN, 0, 0, 0) },
	"__getfd":    func([]string) { unix.RawSyscall(unix.SYS_PIDFD_GETFD, 0, 0, 0) },
	// Would let another process handle its calls. The filter has no address, so there is none.
	"__listener": func([]string) {
		unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, 0)
	},
	"__sandbox": func([]string) { unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, 0) },
	"__shmget":  func([]string) { unix.RawSyscall(unix.SYS_SHMGET, 77, 0, 0) },
	"__private": func([]string) { unix.RawSyscall(unix.SYS_SHMGET, 0, 0, 0) },
	"__ptrace":  func([]string) { unix.RawSyscall(unix.SYS_PTRACE, unix.PTRACE_TRACEME, 0, 0) },
	"__untraced": func([]string) {
		unix.RawSyscall(unix.SYS_CLONE, unix.CLONE_UNTRACED|uintptr(unix.SIGCHLD), 0, 0)
		time.Sleep(time.Minute)
	},
	"__dial": func(args []string) {
		if c, err := net.Dial(args[0], args[1]); err == nil {
			c.Close()
		}
	},
	// Listens at an address, and starts a program that connects to that or another one.
	"__serve": func(args []string) {
		l, err := net.Listen("tcp", args[0])
		if err != nil {
			panic(err)
		}
		to := append(args, l.Addr().String())[1]
		if err := exec.Command("/proc/self/exe", "__dial", "tcp", to).Run(); err != nil {
			panic(err)
		}
		l.Close()
	},
	"__datagram": func([]string) { unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0) },
	"__unixgram": func([]string) { unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0) },
	"__fastopen": func([]string) { unix.RawSyscall6(unix.SYS_SENDTO, 99, 0, 0, unix.MSG_FASTOPEN, 0, 0) },
	// Opens a path in the folder r as if that were the root.
	"__in_root": func(args []string) {
		r, _ := unix.Open("r", unix.O_PATH, 0)
		unix.Openat2(r, args[0], &unix.OpenHow{Resolve: unix.RESOLVE_IN_ROOT})
	},
	// Works on a file that is open for reading.
	"__with": func(args []string) {
		fd, _ := unix.Open(args[1], unix.O_RDONLY, 0)
		switch args[0] {
		case "fgetxattr":
			unix.Fgetxattr(fd, "user.x", nil)
		case "flistxattr":
			unix.Flistxattr(fd, nil)
		case "listxattr":
			unix.Listxattr(args[1], nil)
		case "fchmod":
			unix.Fchmod(fd, 0o700)
		case "fchown":
			unix.Fchown(fd, -1, -1)
		case "fsetxattr":
			unix.Fsetxattr(fd, "user.x", nil, 0)
		case "truncate":
			unix.Open(args[1], unix.O_RDONLY|unix.O_TRUNC, 0)
		}
	},
	// Executes a script without a name, and gives a file without a name one.
	"__memfd": func([]string) {
		fd, _ := unix.MemfdCreate("x", 0)
		unix.Write(fd, []byte("#!./script\n"))
		unix.Exec(fmt.Sprintf("/proc/self/fd/%d", fd), []string{"x"}, nil)
	},
	"__linkat": func(args []string) {
		fd, _ := unix.Open(".", unix.O_TMPFILE|unix.O_WRONLY, 0o600)
		unix.Linkat(fd, "", unix.AT_FDCWD, args[0], unix.AT_EMPTY_PATH)
	},
	"__fd3": func([]string) {
		os.NewFile(3, "third").WriteString("third")
	},
}

// observe prints what a command looks at in the working folder, or why that is not known.
func observe(args []string) {
	r, err := Run(context.Background(), Command{Path: args[0], Args: args})
	var e *Error
	if errors.As(err, &e) {
		fmt.Print(e.Cause)
	} else {
		fmt.Print(uses(nil, r, "."), r.Doubts)
	}
}

func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// folder makes a folder with files, by path; a text that begins with -> is a link.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, []byte(text), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// command has no locale, because looking for one takes many files.
func command(t testing.TB, dir string, args ...string) Command {
	t.Helper()
	path, err := exec.LookPath(args[0])
	if err != nil {
		t.Skip(err)
	}
	return Command{Path: path, Args: args, Dir: dir, Env: []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}}
}

// observed runs a command that may not be refused.
func observed(t testing.TB, c Command) *Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a hundred times as long as needed
	defer cancel()
	r, err := Run(ctx, c)
	skipRefused(t, err)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func skipRefused(t testing.TB, err error) {
	t.Helper()
	var refused *Error
	if errors.As(err, &refused) && (refused.Cause == Ptrace || refused.Cause == Seccomp) {
		t.Skip("nothing can be traced here: ", err)
	}
}

// uses lists the uses of what is below a folder: "a read".
func uses(t testing.TB, r *Record, dir string) []string {
	below, err := r.Below(dir)
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
	var lines []string
	for _, a := range below {
		line := a.Path + " " + a.Use.String()
		if a.Target != "" {
			line += " " + a.Target
		}
		lines = append(lines, line)
	}
	return lines
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func doubts(r *Record) (causes []string) {
	for _, d := range r.Doubts {
		causes = append(causes, string(d.Cause))
	}
	return causes
}

func TestShellCommands(t *testing.T) {
	files := map[string]string{"a": "1", "b": "2", "dir/c": "", "w.sh": ":", "l": "->dir/m", "dir/m": "->../b", "up": "->dir",
		"s": "#!w\n", "script": "#!/bin/sh\n:\n", "dangling": "->none", "x": "old"}
	for _, c := range []struct {
		script string
		want   []string
	}{
		{"cat < a", []string{"a read"}},
		{"ls dir", []string{"dir list"}},
		{"test -e missing", []string{"missing missing"}},
		{"test -e none/missing/more", []string{"none/missing/more missing"}},
		{"test -e a/more", []string{"a/more missing"}},
		{"test -e none/../a", []string{"none missing"}},
		{". ./w.sh", []string{"w.sh read"}},
		{"./script", []string{"script read+exec"}},
		{"chmod -x w.sh; env ./w.sh", []string{"w.sh written+exec"}},
		{"cat l", []string{"b read", "dir/m link ../b", "l link dir/m"}},
		{"readlink l", []string{"l link dir/m"}},
		{"cat up/c", []string{"dir/c read", "up link dir"}},
		{"cat up/../a", []string{"a read", "up link dir"}},
		{"cat dangling", []string{"dangling link none", "none missing"}},
		{"cd dir && cat c", []string{"dir stat", "dir/c read"}},
		{"echo > x", []string{"x written+made"}},
		{"echo >> x", []string{"x written"}},
		{"cat x; echo > x", []string{"x read+written+made"}},
		{"echo > x; cat x", []string{"x written+made"}},
		{"echo > new; cat new; rm new", []string{"new written+made"}},
		{"echo >> new; cat new", []string{"new written+missing+made"}},
		{"set -C; echo > new", []string{"new written+missing+made"}},
		{"mkdir d; echo > d/f; cat d/f; ls d", []string{"d written+missing+made", "d/f written+made"}},
		{"mv a n; cat n", []string{"a read+written+made", "n written+missing+made"}},
		{"ln a n; cat n", []string{"a read", "n written+missing+made"}},
		{"ln -s a n; cat n", []string{"a read", "n written+missing+made"}},
		{"mv up old; mkdir up; test -e up/x", []string{"old written+missing+made", "up written+link+made dir"}},
		{"test -e up/c; mv up old; mkdir up; test -e up/x", []string{"dir/c stat", "old written+missing+made", "up written+link+made dir"}},
		{"test -e /proc/self/cwd/a", []string{"a stat"}},
		{"cat a & wait", []string{"a read"}},
		{"(cat a)", []string{"a read"}},
	} {
		t.Run(c.script, func(t *testing.T) {
			dir := folder(t, files)
			r := observed(t, command(t, dir, "sh", "-c", c.script))
			var got []string
			for _, line := range uses(t, r, dir) {
				// Whether a program looks at a file before it uses it depends on its version.
				line = strings.NewReplacer("+stat", "", "stat+", "").Replace(line)
				if !strings.HasPrefix(line, ". ") {
					got = append(got, line)
				}
			}
			same(t, got, c.want...)
			same(t, doubts(r))
		})
	}
}

// Calls that no usual program makes. What a path means in a folder that is the root is no name of
// the root of the system.
func TestRareCalls(t *testing.T) {
	files := map[string]string{"a": "1", "r/a": "1", "r/l": "->/a", "r/dangling": "->/none", "r/d/x": ""}
	for _, c := range []struct {
		act  string
		want []string
	}{
		{"__in_root /none", []string{"r stat", "r/none missing"}},
		{"__in_root ../../none", []string{"r stat", "r/none missing"}},
		{"__in_root d/../../none", []string{"r stat", "r/none missing"}},
		{"__in_root /l", []string{"r stat", "r/a read", "r/l link /a"}},
		{"__in_root dangling", []string{"r stat", "r/dangling link /none", "r/none missing"}},
		{"__with fgetxattr a", []string{"a read+attributes"}},
		{"__with flistxattr a", []string{"a read+attributes"}},
		{"__with listxattr a", []string{"a read+stat+attributes"}},
		{"__with fchmod a", []string{"a read+written+stat"}},
		{"__with fchown a", []string{"a read+written+stat"}},
		{"__with fsetxattr a", []string{"a read+written+stat"}},
		{"__with truncate a", []string{"a read+written+stat+made"}},
	} {
		dir := folder(t, files)
		r := observed(t, command(t, dir, append([]string{self(t)}, strings.Fields(c.act)...)...))
		got := slices.DeleteFunc(uses(t, r, dir), func(line string) bool { return strings.HasPrefix(line, ". ") })
		if !slices.Equal(got, c.want) || len(r.Doubts) > 0 {
			t.Errorf("%s: got %q and %v, want %q", c.act, got, r.Doubts, c.want)
		}
	}
}

// A path that begins in a folder without a name may lead anywhere: .. is where the folder was.
func TestNameless(t *testing.T) {
	const removed = "mkdir d; cd d; rmdir ../d; "
	// The name of the working folder becomes longer than the kernel prints.
	name := strings.Repeat("n", 200)
	below := strings.Repeat("/"+name, 20)
	long := "top=$PWD; mkdir -p s" + below + "; cd s" + below + "; mv $top/s $top/" + name + "; test -e none"
	for script, want := range map[string][]string{
		removed + "test -e ../none":             {"nameless"},
		removed + "cat ../a":                    {"nameless"},
		removed + "test -e /proc/self/cwd/../a": {"nameless"},
		removed + "exec 3< /proc/self/cwd":      nil,
		`cd 'x (deleted)'; test -e none`:        nil,
		"exec " + self(t) + " __linkat b":       {"nameless"},
		"exec " + self(t) + " __memfd":          {"memory"},
		long:                                    {"nameless"},
	} {
		dir := folder(t, map[string]string{"a": "1", "x (deleted)/b": "", "script": "#!/bin/sh\n"})
		r := observed(t, command(t, dir, "sh", "-c", script))
		if got := doubts(r); !slices.Equal(got, want) {
			t.Errorf("%.40s: got the doubts %q, want %q", script, got, want)
		}
		if lines := uses(t, r, dir); strings.Contains(script, "x (deleted)") && !slices.Contains(lines, "x (deleted)/none missing") {
			t.Errorf("%s: got %q", script, lines)
		}
	}
	dir := folder(t, map[string]string{"x (deleted)/b": ""})
	same(t, uses(t, observed(t, command(t, dir, "ls", "x (deleted)")), dir), "x (deleted) stat+list")
}

// Another process may write to a pipe that was there before.
func TestPipesWithNames(t *testing.T) {
	dir := folder(t, nil)
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	r := observed(t, command(t, dir, "sh", "-c", "exec 3<> pipe; rm pipe"))
	same(t, r.Sockets, filepath.Join(dir, "pipe"))
	r = observed(t, command(t, dir, "sh", "-c", "mkfifo own; exec 3<> own"))
	same(t, r.Sockets)
}

// A program whose threads open files, which may be static, and another that replaces itself
// in a thread that is not its first.
func TestThreads(t *testing.T) {
	const n = 200
	files := map[string]string{}
	var want []string
	for i := range n {
		files[strconv.Itoa(i)] = ""
		want = append(want, fmt.Sprintf("%d read", i))
	}
	slices.Sort(want)
	dir := folder(t, files)
	c := command(t, "", self(t), "__open", dir, strconv.Itoa(n+1))
	r := observed(t, c)
	same(t, uses(t, r, dir), slices.Insert(want, slices.Index(want, "20 read")+1, "200 missing")...)
	same(t, doubts(r))

	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	var out bytes.Buffer
	c = command(t, folder(t, map[string]string{"a": "text"}), self(t), "__exec", cat, "a")
	c.Stdout = &out
	r = observed(t, c)
	same(t, uses(t, r, c.Dir), "a read")
	if out.String() != "text" {
		t.Errorf("the program printed %q", &out)
	}
	executed(t, r, cat)

	// A program that is executed by its descriptor has no path.
	r = observed(t, command(t, "", self(t), "__fexec", cat, "/dev/null"))
	executed(t, r, cat)
}

func executed(t *testing.T, r *Record, path string) {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Files, func(a Access) bool { return a.Path == path && a.Use&Exec != 0 }) {
		t.Errorf("%s was not seen to be executed", path)
	}
}

func TestMake(t *testing.T) {
	dir := folder(t, map[string]string{"Makefile": "out: in\n\t@cat in > out\n", "in": "1"})
	r := observed(t, command(t, dir, "make", "-r", "out"))
	var got []string
	for _, line := range uses(t, r, dir) {
		if name, _, _ := strings.Cut(line, " "); name == "Makefile" || name == "in" || name == "out" {
			got = append(got, line)
		}
	}
	same(t, got, "Makefile read+stat", "in read+stat", "out written+missing+made")
}

func TestPython(t *testing.T) {
	dir := folder(t, map[string]string{"main.py": "import other\nopen('data').read()", "other.py": "", "data": "1"})
	c := command(t, dir, "python3", "-B", "-S", "main.py")
	r := observed(t, c)
	if r.Exit != (Exit{}) {
		t.Skip("python3 does not run: ", r.Exit)
	}
	got := uses(t, r, dir)
	for _, want := range []string{"data read", "main.py read", "other.py read"} {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("%q is not in\n\t%s", want, strings.Join(got, "\n\t"))
		}
	}
}

// A program is recorded with what the kernel loads for it, and with the places where the
// shell looked for it first.
func TestPrograms(t *testing.T) {
	dir := folder(t, map[string]string{"first/x": "", "second/tool": "#!../second/run -f\n", "second/run": "#!/bin/sh\n:\n"})
	if err := os.Remove(dir + "/first/x"); err != nil {
		t.Fatal(err)
	}
	c := command(t, dir+"/first", "sh", "-c", "tool")
	c.Env = []string{"PATH=" + dir + "/first:" + dir + "/second"}
	r := observed(t, c)
	same(t, doubts(r))
	same(t, uses(t, r, dir), "first stat", "first/tool missing", "second/run read+exec", "second/tool exec+stat")
	executed(t, r, c.Path)
}

// A program that the command starts again does something else by its arguments. The first time it was this process.
func TestProgramsThatAreStartedAgain(t *testing.T) {
	for script, want := range map[string]Use{
		":": Exec, `"$0" -c :`: Exec | Again, `env "$0" -c :`: Exec | Again, "env": Exec,
	} {
		c := command(t, "", "sh")
		c.Args = []string{c.Path, "-c", script, c.Path}
		r := observed(t, c)
		path, err := filepath.EvalSymlinks(c.Path)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(r.Files, func(a Access) bool { return a.Path == path })
		if at < 0 || r.Files[at].Use&(Exec|Again|Read) != want {
			t.Errorf("%s: %+v, want %s of %s", script, r.Files, want, path)
		}
	}
}

func TestExit(t *testing.T) {
	for script, want := range map[string]Exit{"exit 3": {Status: 3}, "kill -9 $$": {Signal: 9}, ":": {}} {
		if r := observed(t, command(t, "", "sh", "-c", script)); r.Exit != want {
			t.Errorf("%q ended as %+v, want %+v", script, r.Exit, want)
		}
	}
}

// Signals, stops included, have the effect that they have without a tracer.
func TestSignals(t *testing.T) {
	var out bytes.Buffer
	c := command(t, "", "sh", "-c", `trap 'echo got' USR1; kill -USR1 $$; (while ! grep -q "^State:.[Tt]" /proc/$$/status; do :; done; kill -CONT $$) & kill -STOP $$; wait; echo on`)
	c.Stdout = &out
	observed(t, c)
	if out.String() != "got\non\n" {
		t.Errorf("the shell printed %q", &out)
	}
}

func TestStreamsAndFiles(t *testing.T) {
	var out bytes.Buffer
	c := command(t, "", "cat")
	c.Stdin, c.Stdout = strings.NewReader("text"), &out
	if observed(t, c); out.String() != "text" {
		t.Errorf("cat printed %q", &out)
	}
	third, err := os.Create(filepath.Join(t.TempDir(), "third"))
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	c = command(t, "", self(t), "__fd3")
	c.Files = []*os.File{third}
	observed(t, c)
	if text, _ := os.ReadFile(third.Name()); string(text) != "third" {
		t.Errorf("descriptor 3 got %q", text)
	}
	// A command has no other descriptors than its own, and its arguments as they are.
	out.Reset()
	c = command(t, "", "sh", "-c", `ls /proc/$$/fd; printf '[%s]' "$@" "$V"`, "sh", "", "\xff", "a b")
	c.Env = append(c.Env, "V=\xfe")
	c.Stdout = &out
	observed(t, c)
	plain := exec.Command(c.Path, c.Args[1:]...)
	plain.Env = c.Env
	want, err := plain.Output() // this process may have inherited some
	if err != nil || out.String() != string(want) {
		t.Errorf("got %q, want %q, %v", &out, want, err)
	}
}

func TestConnections(t *testing.T) {
	dir := folder(t, nil)
	local, err := net.Listen("unix", dir+"/socket")
	if err != nil {
		t.Skip(err)
	}
	defer local.Close()
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer far.Close()
	r := observed(t, command(t, "", self(t), "__dial", "unix", dir+"/socket"))
	same(t, r.Sockets, dir+"/socket")
	same(t, r.Connections)
	r = observed(t, command(t, "", self(t), "__dial", "unix", dir+"/none"))
	same(t, r.Sockets)
	same(t, uses(t, r, dir), "none missing")
	r = observed(t, command(t, "", self(t), "__dial", "tcp", far.Addr().String()))
	same(t, r.Connections, far.Addr().String())
	_, port, _ := net.SplitHostPort(far.Addr().String())
	r = observed(t, command(t, "", self(t), "__serve", "127.0.0.1:0"))
	same(t, r.Connections) // only to itself
	r = observed(t, command(t, "", self(t), "__serve", "127.0.0.2:"+port, far.Addr().String()))
	same(t, r.Connections, far.Addr().String())
	for _, act := range []string{"__datagram", "__unixgram", "__fastopen"} {
		r = observed(t, command(t, "", self(t), act))
		same(t, r.Connections, "datagrams")
	}
}

func TestErrors(t *testing.T) {
	observed(t, command(t, "", "true")) // skips
	dir := folder(t, map[string]string{"text": "no program"})
	for _, c := range []struct {
		command Command
		cause   Cause
		err     error
	}{
		{Command{Path: dir + "/none", Args: []string{"none"}}, Start, unix.ENOENT},
		{Command{Path: dir + "/text", Args: []string{"text"}}, Start, unix.ENOEXEC},
		{Command{Path: dir, Args: []string{"folder"}}, Start, unix.EACCES},
		{Command{Path: "/bin/true", Args: []string{"true"}, Dir: dir + "/none"}, Start, unix.ENOENT},
		{Command{Path: "/bin/true"}, Start, nil},
		{Command{Path: "/bin/true", Args: []string{"a\x00b"}}, Start, nil},
	} {
		r, err := Run(t.Context(), c.command)
		var e *Error
		if !errors.As(err, &e) || e.Cause != c.cause || c.err != nil && !errors.Is(err, c.err) || r != nil {
			t.Errorf("%q: got %v, want the cause %s with %v", c.command.Path, err, c.cause, c.err)
		}
	}
}

// A process has one tracer. So this is what happens in a debugger.
func TestTracedAlready(t *testing.T) {
	var out bytes.Buffer
	c := command(t, "", self(t), "__observe", "/bin/true")
	c.Stdout = &out
	r := observed(t, c)
	if out.String() != string(Ptrace) {
		t.Errorf("the inner error has the cause %q, want %q", &out, Ptrace)
	}
	same(t, doubts(r), string(Debugger))
}

// refuse installs a filter for all threads under which a call fails with EPERM.
func refuse(number uint32) {
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: dataNumber},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: number},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		panic(err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		panic(errno)
	}
}

// Containers refuse some calls. Without process_vm_readv, ptrace reads the memory.
func TestContainers(t *testing.T) {
	observed(t, command(t, "", "true")) // skips
	for number, want := range map[int]string{
		unix.SYS_PTRACE: string(Ptrace), unix.SYS_SECCOMP: string(Seccomp), unix.SYS_PROCESS_VM_READV: "[a read l link a] []",
	} {
		cat := command(t, folder(t, map[string]string{"a": "", "l": "->a"}), "cat", "l")
		c := exec.Command(self(t), "__refuse", strconv.Itoa(number), cat.Path, "l")
		c.Dir = cat.Dir
		out, err := c.Output()
		if err != nil || string(out) != want {
			t.Errorf("without call %d got %q and %v, want %q", number, out, err, want)
		}
	}
}

// Other goroutines start and await processes while commands are traced.
func TestOtherChildrenKeepTheirStatus(t *testing.T) {
	var all sync.WaitGroup
	observed(t, command(t, "", "true")) // skips
	for range 4 {
		all.Go(func() {
			for range 5 {
				if r, err := Run(t.Context(), command(t, "", "sh", "-c", "cat /dev/null & exit 5")); err != nil || r.Exit.Status != 5 {
					t.Errorf("a traced command ended with %v, %+v", err, r)
				}
				var status *exec.ExitError
				if err := exec.Command("sh", "-c", "exit 7").Run(); !errors.As(err, &status) || status.ExitCode() != 7 {
					t.Errorf("an ordinary command ended with %v", err)
				}
			}
		})
	}
	all.Wait()
}

func TestRecordIsJSON(t *testing.T) {
	r := observed(t, command(t, folder(t, map[string]string{"l": "->a", "a": ""}), "cat", "l", "none"))
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Record
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", *r) || len(r.Files) < 3 {
		t.Errorf("got %+v, want %+v", again, *r)
	}
	if err := json.Unmarshal([]byte(`{"files":[{"path":"a","use":"eaten"}]}`), &again); err == nil {
		t.Error("an unknown use is accepted")
	}
}

// The table of calls and the list of what is done at their ends agree.
func TestFilterFitsTheKernel(t *testing.T) {
	if n := len(filter()); n > unix.BPF_MAXINSNS {
		t.Errorf("the filter has %d instructions, and the kernel takes %d", n, unix.BPF_MAXINSNS)
	}
	for number, c := range calls {
		if c.op == opDoubt && (c.cause == "" || c.name == "") || c.path != no && c.path > 5 || c.at != no && c.at > 5 {
			t.Errorf("call %d is described by %+v", number, c)
		}
	}
}

// What tracing costs: each command by itself and traced.
func BenchmarkRun(b *testing.B) {
	dir := folder(b, map[string]string{"a": "1", "Makefile": "all:\n\t@cat a; cat a\n", "many/go.mod": "module many\n\ngo 1.24\n", "many/many.go": "package many\n\nimport _ \"net/http\"\n"})
	b.Setenv("GOFLAGS", "-mod=mod")
	for name, args := range map[string][]string{"true": {"true"}, "cat": {"cat", "a"}, "make": {"make"}, "go build": {"go", "build", "-C", "many", "."}} {
		c := command(b, dir, args...)
		c.Env = os.Environ()
		b.Run(name+"/plain", func(b *testing.B) {
			for b.Loop() {
				plain := exec.Command(c.Path, c.Args[1:]...)
				plain.Dir, plain.Env = c.Dir, c.Env
				if err := plain.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/traced", func(b *testing.B) {
			paths := 0
			for b.Loop() {
				r := observed(b, c)
				if r.Exit != (Exit{}) || len(r.Doubts) > 0 {
					b.Fatalf("ended as %+v with %v", r.Exit, r.Doubts)
				}
				paths = len(r.Files)
			}
			b.ReportMetric(float64(paths), "paths")
		})
	}
}
