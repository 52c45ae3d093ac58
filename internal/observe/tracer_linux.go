//go:build amd64 || arm64

package observe

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// init takes over a process that is the tracer or becomes the command. It runs on the first
// thread and stays there, which ptrace needs.
func init() {
	switch {
	case len(os.Args) == 1 && os.Args[0] == tracerName:
		os.Exit(serve())
	case len(os.Args) == 2 && os.Args[0] == startedName:
		become(os.Args[1])
	case len(os.Args) > 4 && os.Args[1] == wrapName:
		os.Exit(wrap(os.Args[2], os.Args[3], os.Args[4:]))
	}
}

// wrap runs a command in the place of this process, and writes its record to a new file of a
// folder. Descriptors from firstFD on are the command's.
func wrap(dir, files string, argv []string) int {
	n, err := strconv.Atoi(files)
	if err != nil {
		return 1
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	c := Command{Path: argv[0], Args: argv}
	text, err := c.request()
	var r request
	if err != nil || json.Unmarshal(text, &r) != nil {
		return 1
	}
	r.Files = n
	f, err := os.CreateTemp(dir, "*"+partName) // a tracer that is killed leaves it
	if err != nil {
		return 1
	}
	t := newTracer(&r, requestFD)
	a := t.run(&r)
	if text, err = json.Marshal(a); err != nil {
		return 1
	}
	if _, err = f.Write(text); err != nil || f.Close() != nil {
		return 1
	}
	if os.Rename(f.Name(), strings.TrimSuffix(f.Name(), partName)+recordName) != nil || a.Record == nil {
		return 1
	}
	return a.Record.Exit.Status
}

// serve is the tracer: it runs the command that it reads, and writes an answer.
func serve() int {
	for fd := requestFD; fd < filesFD; fd++ {
		unix.CloseOnExec(fd)
	}
	// The command runs as the same user. It must not write the record.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	requests := os.NewFile(requestFD, "request")
	var r request
	if json.NewDecoder(requests).Decode(&r) != nil {
		return 1
	}
	requests.Close()
	t := newTracer(&r, filesFD)
	text, err := json.Marshal(t.run(&r))
	if err != nil {
		return 1
	}
	if _, err := os.NewFile(answerFD, "answer").Write(text); err != nil {
		return 1
	}
	return 0
}

// tracer follows a command and its descendants.
type tracer struct {
	notes   *notes
	paths   walker
	tasks   map[int]*task // by the id of the thread
	root    int           // the command
	firstFD int           // of the command's own descriptors after the standard ones
	killing bool

	self    string          // program of this process, which is suite
	started map[string]bool // programs that suite has executed
}

func newTracer(r *request, firstFD int) *tracer {
	self, _ := os.Executable() // Linux always knows it
	return &tracer{notes: newNotes(r.Limits), tasks: map[int]*task{}, firstFD: firstFD, self: self,
		started: map[string]bool{}}
}

// task is a thread that is traced.
type task struct {
	id      int
	thread  string // id, for /proc
	pending *pending
}

// pending is a call that was stopped at its beginning, and is stopped at its end too.
type pending struct {
	call
	first  found
	second found
	flags  uint64
	inRoot bool   // openat2: the folder in which the path begins is its root
	by     string // execve: the program that calls it
}

// program names the program of a task, for a doubt.
func (at *task) program() string {
	path, _ := os.Readlink("/proc/" + at.thread + "/exe") // "" if it has ended
	return path
}

// text reads a string of a task. The error is EFAULT if there is none at the address.
func (at *task) text(address uint64) (string, error) {
	const page = 4096
	var buffer [page]byte
	for n := 0; n < page; {
		chunk := min(page-int(address+uint64(n))%page, page-n, 512)
		got, err := peek(at.id, address+uint64(n), buffer[n:n+chunk])
		if err != nil {
			return "", err
		}
		if end := bytes.IndexByte(buffer[n:n+got], 0); end >= 0 {
			return string(buffer[:n+end]), nil
		}
		n += got
	}
	return "", unix.ENAMETOOLONG
}

const traceOptions = unix.PTRACE_O_TRACESECCOMP |
	unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE |
	unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL

// run runs the command until nothing of it is left.
func (t *tracer) run(r *request) *answer {
	child, err := t.start(r)
	if err != nil {
		a := &answer{Cause: Tracer}
		var refused *Error
		if errors.As(err, &refused) {
			a.Cause = refused.Cause
		}
		errors.As(err, &a.Errno)
		return a
	}
	defer child.Close()
	exit := t.follow()
	var refused answer
	if json.NewDecoder(child).Decode(&refused) == nil && refused.Cause != "" {
		return &refused
	}
	if t.paths.lost != "" {
		t.notes.doubt(Nameless, public(t.paths.lost))
	}
	record := t.notes.record()
	record.Exit = exit
	return &answer{Record: record}
}

// start starts the process that becomes the command, traces it, and sends it the request. It
// returns the socket on which the process answers if it cannot become the command.
func (t *tracer) start(r *request) (*os.File, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, its := os.NewFile(uintptr(pair[0]), "command"), os.NewFile(uintptr(pair[1]), "tracer")
	defer its.Close()
	files := []uintptr{0, 1, 2}
	for i := range r.Files {
		files = append(files, uintptr(t.firstFD+i))
	}
	files = append(files, its.Fd())
	pid, err := syscall.ForkExec("/proc/self/exe", []string{startedName, strconv.Itoa(len(files) - 1)},
		&syscall.ProcAttr{Dir: string(r.Dir), Env: []string{}, Files: files, Sys: &syscall.SysProcAttr{Setpgid: true}})
	if err != nil {
		return nil, &Error{Start, err}
	}
	t.root = pid
	if err := ptrace(unix.PTRACE_SEIZE, pid, 0, traceOptions); err != nil {
		_ = unix.Kill(pid, unix.SIGKILL)
		// If it outlives this process, a tracer of ours takes it for one that was left.
		_, _ = unix.Wait4(pid, nil, 0, nil)
		return nil, &Error{Ptrace, err}
	}
	t.addTask(pid)
	// A process with the descriptors of the command would keep files open that it closes.
	for i := range r.Files {
		_ = unix.Close(t.firstFD + i)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	go func() { // the process may be stopped by a signal while it reads
		_, _ = ours.Write(text) // fails if it was killed
		_ = unix.Shutdown(pair[0], unix.SHUT_WR)
	}()
	return ours, nil
}

// become turns this process into the command. Its tracer starts to write when it traces.
func become(descriptor string) {
	fd, _ := strconv.Atoi(descriptor)
	unix.CloseOnExec(fd)
	tracer := os.NewFile(uintptr(fd), "tracer")
	refuse := func(cause Cause, err error) {
		a := answer{Cause: cause}
		errors.As(err, &a.Errno)
		_ = json.NewEncoder(tracer).Encode(a)
		os.Exit(1)
	}
	text, err := io.ReadAll(tracer)
	var r request
	if err != nil || json.Unmarshal(text, &r) != nil {
		os.Exit(1)
	}
	if err := install(filter()); err != nil {
		refuse(Seccomp, err)
	}
	var env []string
	if len(r.Env) > 0 {
		env = strings.Split(string(r.Env), "\x00")
	}
	err = syscall.Exec(string(r.Path), strings.Split(string(r.Args), "\x00"), env)
	if errors.Is(err, unix.ENOSYS) { // the kernel does not hand stopped calls to a tracer
		refuse(Seccomp, err)
	}
	refuse(Start, err)
}

// follow handles the stops of all tasks until none is left.
func (t *tracer) follow() (exit Exit) {
	for {
		var status unix.WaitStatus
		id, err := unix.Wait4(-1, &status, unix.WALL, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return exit
		}
		if !status.Stopped() {
			delete(t.tasks, id)
			if id == t.root {
				exit = Exit{Status: max(status.ExitStatus(), 0), Signal: max(int(status.Signal()), 0)}
				if len(t.tasks) > 0 && !t.killing {
					t.notes.doubt(Left, "")
				}
				t.kill()
			}
			continue
		}
		at := t.tasks[id]
		if at == nil {
			at = t.addTask(id)
		}
		if t.killing {
			_ = unix.Kill(id, unix.SIGKILL)
			continue
		}
		t.stopped(at, status)
	}
}

func (t *tracer) addTask(id int) *task {
	at := &task{id: id, thread: strconv.Itoa(id)}
	t.tasks[id] = at
	if len(t.tasks) > t.notes.limits.Tasks {
		t.notes.doubt(Tasks, "")
		t.kill()
	}
	return at
}

// kill kills all tasks. A task that begins later is killed at its first stop.
func (t *tracer) kill() {
	if !t.killing && len(t.tasks) > 0 {
		time.AfterFunc(patience/2, func() { os.Exit(1) }) // some processes cannot be killed
	}
	t.killing = true
	for id := range t.tasks {
		_ = unix.Kill(id, unix.SIGKILL)
	}
}

// stopped handles one stop, and lets the task go on.
func (t *tracer) stopped(at *task, status unix.WaitStatus) {
	how, signal := unix.PTRACE_CONT, 0
	switch event := int(status) >> 16; {
	case event == unix.PTRACE_EVENT_SECCOMP:
		if t.begin(at); at.pending != nil {
			how = unix.PTRACE_SYSCALL
		}
	case event == unix.PTRACE_EVENT_EXEC:
		t.executed(at)
	case event == unix.PTRACE_EVENT_STOP:
		switch status.StopSignal() {
		case unix.SIGSTOP, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU:
			how = unix.PTRACE_LISTEN
		}
	case event != 0: // a new task, which reports itself
	case status.StopSignal() == unix.SIGTRAP|0x80:
		t.end(at)
	default:
		signal = int(status.StopSignal())
	}
	if at.pending != nil && how == unix.PTRACE_CONT {
		how = unix.PTRACE_SYSCALL // the end of the call is still to come
	}
	if !t.killing {
		_ = ptrace(how, at.id, 0, uintptr(signal)) // fails if the task was killed
	}
}

// executed is the end of a successful execve. The process has the id of its first thread,
// and its other threads are gone.
func (t *tracer) executed(at *task) {
	former, err := unix.PtraceGetEventMsg(at.id)
	from := t.tasks[int(former)]
	if err != nil || from == nil {
		from = at
	}
	if from != at {
		delete(t.tasks, from.id)
	}
	p := from.pending
	from.pending, at.pending = nil, nil
	if p != nil {
		t.ran(at, p)
	}
}

// begin is the stop at the beginning of a call.
func (t *tracer) begin(at *task) {
	at.pending = nil
	var info syscallInfo
	if err := info.get(at.id); err != nil {
		if err != unix.ESRCH { // it was killed
			t.notes.doubt(Memory, err.Error())
		}
		return
	}
	c, ok := calls[uint32(info.number)]
	if info.arch != nativeArch || !ok {
		t.notes.doubt(Foreign, at.program())
		return
	}
	if t.notes.full() && c.op != opClone && c.op != opClone3 {
		return
	}
	if p := t.enter(at, c, &info.args); p != nil {
		at.pending = p
		if c.op == opExec {
			p.by = at.program()
		}
	}
}

// end is the stop at the end of a call.
func (t *tracer) end(at *task) {
	p := at.pending
	at.pending = nil
	var info syscallInfo
	if p == nil || info.get(at.id) != nil || info.op != unix.PTRACE_SYSCALL_INFO_EXIT {
		return
	}
	t.leave(at, p, info.result())
}

// syscallInfo is struct ptrace_syscall_info of a beginning. At the end of a call, number is
// what it returned.
type syscallInfo struct {
	op     uint8
	_      [3]uint8
	arch   uint32
	_      [2]uint64 // instruction and stack pointer
	number uint64
	args   [6]uint64
	_      uint64
}

func (i *syscallInfo) result() int64 { return int64(i.number) }

func (i *syscallInfo) get(id int) error {
	return getSyscallInfo(id, i)
}
