//go:build amd64 || arm64

package spawn

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"example.com/suite/runner/host/spawner"
	"example.com/suite/timer"
	"golang.org/x/sys/unix"
)

// spawning is the process that starts the programs of a host, see package spawner.
type spawning struct {
	pid    int
	socket int
	block  int     // file that a request is written to
	base   uint64  // its address in the spawner
	last   string  // its content
	group  *cgroup // nil for none
	used   Usage   // by the last reading of the group
}

// newSpawning starts a spawner. It is the same program once more, with a name that
// package spawner recognises.
func newSpawning() (s *spawning, err error) {
	s = &spawning{}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	s.block, err = unix.MemfdCreate("suite", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	sockets, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		unix.Close(s.block)
		return nil, err
	}
	s.socket = sockets[0]
	err = s.greet(null, sockets[1])
	if err != nil {
		s.close()
		return nil, err
	}
	s.group, _ = newCgroup(s.pid) // without it, what it counts is absent
	s.used = s.group.read(s.pid)
	return s, nil
}

// greet starts the program and waits for its first message. The process started
// here ends at once, and leaves a small copy of itself.
func (s *spawning) greet(null *os.File, socket int) error {
	err := unix.Ftruncate(s.block, spawner.BlockSize)
	first := 0
	if err == nil {
		first, err = syscall.ForkExec("/proc/self/exe", []string{spawner.Name}, &syscall.ProcAttr{
			Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), uintptr(socket), uintptr(s.block)},
			Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
		})
	}
	unix.Close(socket)
	if err != nil {
		return err
	}
	_ = unix.SetsockoptTimeval(s.socket, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 10})
	var hello spawner.Hello
	err = s.receive(bytesOf(&hello))
	_ = unix.Kill(first, unix.SIGKILL) // has ended, if all is well
	for _, err := unix.Wait4(first, nil, 0, nil); err == unix.EINTR; {
		_, err = unix.Wait4(first, nil, 0, nil)
	}
	_ = unix.SetsockoptTimeval(s.socket, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{})
	s.pid, s.base = int(hello.PID), hello.Block
	if err == nil && int64(s.base) < 0 && int64(s.base) > -4096 {
		err = syscall.Errno(-int64(s.base))
	}
	return err
}

// close ends the spawner and the processes of its run, and waits for that.
func (s *spawning) close() {
	if s == nil {
		return
	}
	_ = unix.Shutdown(s.socket, unix.SHUT_RDWR)
	for s.pid > 0 {
		if got, err := unix.Wait4(s.pid, nil, unix.WNOHANG, nil); got == s.pid || err == unix.ECHILD {
			break
		}
		s.abandon()
		time.Sleep(time.Millisecond)
	}
	unix.Close(s.socket)
	unix.Close(s.block)
	s.group.close()
}

// process is the pid of the spawner, 0 if there is none.
func (s *spawning) process() int {
	if s == nil {
		return 0
	}
	return s.pid
}

// abandon makes the spawner kill the current run. Any goroutine may call it.
func (s *spawning) abandon() {
	if s != nil && s.pid > 0 {
		_ = unix.Kill(s.pid, unix.SIGTERM) // gone: then its run is gone too
		_ = unix.Kill(s.pid, unix.SIGCONT) // its run may have stopped it
	}
}

// bySpawner makes one run by the spawner, which it starts if there is none yet. ok
// is false if none can be started. If the spawner has died, the processes of the
// run have become children of this process, and are killed.
func (s *Starter) bySpawner(job *Job) (r Run, ok bool, err error) {
	p := s.spawner()
	if p == nil {
		return r, false, nil
	}
	r, err = p.run(job)
	if err == ErrLost && s.spawning.CompareAndSwap(p, nil) {
		p.close()
		s.sweep(0)
	}
	return r, true, err
}

// spawner is the spawner of this process, nil if none can be started.
func (s *Starter) spawner() *spawning {
	p := s.spawning.Load()
	if p == nil && !s.Alone {
		var err error
		p, err = newSpawning()
		s.Alone = err != nil
		s.spawning.Store(p)
	}
	return p
}

// Peak is the least peak memory that a run can have, bytes; 0 if it is not known.
func (s *Starter) Peak() int64 {
	if p := s.spawner(); p != nil { // a new one, if a run has killed the last
		return ProcBytes(fmt.Sprintf("/proc/%d/status", p.pid), "VmHWM")
	}
	return peakMemory()
}

// Scope covers the events of a run: the programs that the spawner starts.
func (s *Starter) Scope() timer.Scope {
	if p := s.spawner(); p != nil {
		return timer.ChildrenOf(p.pid)
	}
	return timer.Children
}

// PID is the process id of the spawner, 0 if there is none yet.
func (s *Starter) PID() int {
	p := s.spawning.Load()
	if p == nil {
		return 0
	}
	return p.pid
}

// run makes one run. If the timeout has fired, it waits for one more answer: until
// then a late signal could hit the next run.
func (s *spawning) run(job *Job) (r Run, err error) {
	var request spawner.Request
	request.CPU, request.Alone = job.place()
	if err := s.put(&request, job.Path, job.Dir, job.Argv, job.Env); err != nil {
		return r, err
	}
	var a spawner.Answer
	r = NewRun()
	watch := s.watch(job.Timeout)
	err = s.ask(&request, &a, job.Stdin, job.Stdout, job.Stderr)
	r.Tree, s.used = s.group.since(s.used, s.pid)
	r.TimedOut = watch()
	if err == nil && r.TimedOut {
		err = s.ask(&spawner.Request{}, new(spawner.Answer))
	}
	switch {
	case err != nil:
		return r, ErrLost
	case a.Errno != 0:
		return r, syscall.Errno(a.Errno)
	case a.Unpinned != 0 && job.Pin == Pinned:
		return r, fmt.Errorf("it could not be kept on CPU %d: %w", request.CPU-1, syscall.Errno(a.Unpinned))
	}
	r.take(&a)
	r.Left = cmdlines(&a)
	return r, nil
}

// watch kills the run when it lasts too long, until stop is called, which reports
// whether it did. It repeats the signal every 10 ms: the first may come before the
// spawner has taken the request.
func (s *spawning) watch(timeout time.Duration) (stop func() (fired bool)) {
	var insisting sync.WaitGroup
	ended, fired := make(chan struct{}), false
	alarm := newAlarm(timeout, func() {
		fired = true
		insisting.Go(func() {
			for again := time.NewTicker(10 * time.Millisecond); ; {
				s.abandon()
				select {
				case <-again.C:
				case <-ended:
					again.Stop()
					return
				}
			}
		})
	})
	return func() bool {
		alarm.stop() // after it fired no longer changes
		close(ended)
		insisting.Wait()
		return fired
	}
}

// ask sends a request with its files and waits for the answer.
func (s *spawning) ask(request *spawner.Request, a *spawner.Answer, files ...*os.File) error {
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	err := unix.Sendmsg(s.socket, bytesOf(request), rights, nil, unix.MSG_NOSIGNAL)
	runtime.KeepAlive(files)
	if err != nil {
		return err
	}
	return s.receive(bytesOf(a))
}

// put writes path, folder, arguments and environment into the block, the lists as
// execve takes them: addresses followed by a zero.
func (s *spawning) put(request *spawner.Request, path, dir string, argv, env []string) error {
	var text strings.Builder
	address := func(list ...string) (at []uint64) {
		for _, word := range list {
			at = append(at, s.base+uint64(text.Len()))
			text.WriteString(word)
			text.WriteByte(0)
		}
		return at
	}
	for _, list := range [][]string{{path, dir}, argv, env} {
		for _, word := range list {
			if strings.IndexByte(word, 0) >= 0 {
				return syscall.EINVAL
			}
		}
	}
	request.Path, request.Dir = address(path)[0], address(dir)[0]
	lists := [][]uint64{append(address(argv...), 0), append(address(env...), 0)}
	for text.Len()%8 != 0 {
		text.WriteByte(0)
	}
	for i, list := range []*uint64{&request.Argv, &request.Env} {
		*list = s.base + uint64(text.Len())
		for _, at := range lists[i] {
			var word [8]byte
			binary.NativeEndian.PutUint64(word[:], at)
			text.Write(word[:])
		}
	}
	switch block := text.String(); {
	case len(block) > spawner.BlockSize:
		return syscall.E2BIG
	case block != s.last:
		s.last = block
		_, err := unix.Pwrite(s.block, []byte(block), 0)
		return err
	}
	return nil
}

// receive waits for a message of this size.
func (s *spawning) receive(into []byte) error {
	for {
		n, err := unix.Read(s.socket, into)
		if err != unix.EINTR {
			if err == nil && n != len(into) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
}

func bytesOf[T spawner.Hello | spawner.Request | spawner.Answer](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x))
}

// take stores what the kernel reports of a run.
func (r *Run) take(a *spawner.Answer) {
	r.Wall = a.Wall
	r.Stopped = a.Stopped
	r.Leaked = int(a.Leaked)
	r.ended(unix.WaitStatus(a.Status), (*unix.Rusage)(unsafe.Pointer(&a.Usage)))
	onCPU, wait := parseSchedstat(a.Schedstat.String())
	r.Wait = r.ownWait(onCPU, wait)
	r.Read, r.Written = parseIO(a.IO.String())
}

// cmdlines lists the processes that outlived a run. A long one is cut off, because a
// text of the answer has room for 248 bytes.
func cmdlines(a *spawner.Answer) (lines []string) {
	for i := range a.Left {
		if a.Left[i].N > 0 {
			lines = append(lines, a.Left[i].String())
		}
	}
	return lines
}
