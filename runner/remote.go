package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"example.com/suite/internal/orphan"
	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/runner/process"
)

// remote is a host process as the controller sees it.
type remote struct {
	cmd     *exec.Cmd
	send    *os.File
	answers chan answer
	ended   chan struct{} // closed when it has ended and is reaped
	errs    *tail
	stops   *process.Stops
	stopped time.Duration // in the last request
	asked   int           // requests so far
	user    *track        // whose code ran last in it
	mark    *os.File      // nil for none
	procs   int           // GOMAXPROCS
	lost    bool          // it has ended, or what it says makes no sense
}

type answer struct {
	response *host.Response
	err      error
}

// grace is how long a host may take beyond what its request allows, and how
// long it may take to say where it hangs.
const (
	grace     = 5 * time.Second
	lastWords = time.Second
)

// launch starts a host process. What it writes to standard error goes to debug
// as well, where that is not nil.
func launch(argv []string, debug io.Writer) (*remote, error) {
	return launchTo(argv, "", nil, debug, nil)
}

// launchTo is launch in a folder, empty for the current one, with variables beside
// those of this process, and with a file for standard output, nil for none.
func launchTo(argv []string, dir string, env []string, debug io.Writer, stdout *os.File) (*remote, error) {
	requests, send, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	receive, answers, err := os.Pipe()
	if err != nil {
		requests.Close()
		send.Close()
		return nil, err
	}
	r := &remote{cmd: exec.Command(image(argv[0])), send: send, answers: make(chan answer), ended: make(chan struct{}), errs: &tail{}}
	r.cmd.Args, r.cmd.Dir = argv, dir
	if dir != "" {
		env = append(env[:len(env):len(env)], "PWD="+dir)
	}
	r.cmd.Env = slices.Concat(host.WithoutPegs(os.Environ()), orphan.Environ(), env)
	if stdout != nil {
		r.cmd.Stdout = stdout
	}
	if r.cmd.Stderr = r.errs; debug != nil {
		r.cmd.Stderr = io.MultiWriter(r.errs, debug)
	}
	r.cmd.WaitDelay = lastWords / 2 // what a benchmark started may hold standard error for ever
	err = host.Inherit(r.cmd, requests, answers)
	var ended func()
	if err == nil {
		ended, err = orphan.Start(r.cmd)
	}
	requests.Close()
	answers.Close()
	if err != nil {
		send.Close()
		receive.Close()
		return nil, err
	}
	r.stops = process.WatchStops(r.cmd.Process.Pid)
	go r.listen(receive)
	go r.wait(ended)
	return r, nil
}

// image is the program to start for a path: where that was this program, and its
// file has been removed or built anew since, the one that runs, as Linux keeps it.
func image(path string) string {
	const running = "/proc/self/exe"
	self, err := os.Executable()
	if err != nil || path != self {
		return path
	}
	mine, err := os.Stat(running)
	if now, gone := os.Stat(path); err != nil || gone == nil && os.SameFile(mine, now) {
		return path
	}
	return running
}

// wait reaps the host, and kills what it has left.
func (r *remote) wait(ended func()) {
	defer close(r.ended)
	_ = r.cmd.Wait() // the state tells
	ended()
	process.KillRest(r.cmd.Process)
	orphan.Kill()
}

// listen hands on answers until the host closes its end.
func (r *remote) listen(receive *os.File) {
	defer receive.Close()
	defer close(r.answers)
	for {
		var response host.Response
		err := host.ReadMessage(receive, &response)
		r.answers <- answer{&response, err}
		if err != nil {
			return
		}
	}
}

// call sends a request and waits for its answer, at most timeout. A host that
// dies, hangs or breaks the protocol is lost, and the failure says why. An
// interrupt makes the host end behind the batch that it is timing. What was
// found out while the host was stopped is found out again.
func (r *remote) call(ctx context.Context, request *host.Request, timeout time.Duration) (*host.Response, *result.Failure) {
	for try := 1; ; try++ {
		r.stops.Taken() // between two requests it disturbs nobody
		response, failure := r.callOnce(ctx, request, timeout)
		r.stopped = r.stops.Taken()
		if failure != nil || r.stopped == 0 || try == steadyTries || ctx.Err() != nil || request.Op != "size" && request.Op != "calibrate" {
			return response, failure
		}
	}
}

// steadyTries of a search during which the host was stopped each time.
const steadyTries = 3

func (r *remote) callOnce(ctx context.Context, request *host.Request, timeout time.Duration) (*host.Response, *result.Failure) {
	if failure := r.ask(request, timeout); failure != nil {
		return nil, failure
	}
	deadline := newDeadline(timeout)
	defer deadline.stop()
	interrupted := ctx.Done()
	for {
		select {
		case a := <-r.answers:
			return r.receive(request.Op, a)
		case <-deadline.C:
			if deadline.over(time.Now()) {
				return nil, r.hangs(request.Op, timeout)
			}
		case <-interrupted:
			interrupted = nil
			_ = r.cmd.Process.Signal(os.Interrupt) // gone already: then the answer says so
			deadline.reset(host.Patience)
		}
	}
}

func (r *remote) ask(request *host.Request, timeout time.Duration) *result.Failure {
	r.asked++
	request.Seq = r.asked
	r.errs.forget() // what was said before belongs to other requests
	// Without a reader a pipe takes 64 KiB, and no more. Windows has no deadlines here.
	_ = r.send.SetWriteDeadline(time.Now().Add(timeout))
	switch err := host.WriteMessage(r.send, request); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return r.hangs(request.Op, timeout)
	case errors.As(err, new(*os.PathError)):
		return r.obituary(request.Op)
	case err != nil: // nothing was sent
		return &result.Failure{Phase: phase(request.Op), Cause: result.FailedProtocol, Message: err.Error()}
	}
	return nil
}

// kill ends a host that may still run. One that is idle ends by itself when its
// pipe is closed; one that is busy notices and ends, and is killed where it
// does not.
func (r *remote) kill() {
	if r.lost {
		return
	}
	r.lost = true
	r.send.Close()
	go func() {
		for range r.answers { // until listen is done, so that it never blocks
		}
	}()
	select {
	case <-r.ended:
		return
	case <-time.After(lastWords):
	}
	process.KillTree(r.cmd.Process)
	<-r.ended
}

// quit ends a host in good order.
func (r *remote) quit() {
	if !r.lost {
		_ = host.WriteMessage(r.send, &host.Request{Op: "quit"}) // gone already: that is what is wanted
		r.kill()
	}
}

// phase names what the case was doing when op was asked.
func phase(op string) result.Phase {
	names := map[string]result.Phase{"hello": "start", "calibrate": "start", "prepare": "setup", "size": "warmup",
		"serve": "service", "served": "service", "stop": "service",
		"once": "run", "run": "run", "allocs": "run", "pegs": "pegs", "finish": "finish", "list": "start"}
	return names[op]
}

func convert(f *host.Failure) *result.Failure {
	return &result.Failure{Phase: result.Phase(f.Phase), Cause: result.FailureCause(f.Cause), Message: f.Message, Detail: f.Detail,
		Batch: f.Batch, Exit: f.Exit, Signal: f.Signal}
}

// Functions asks a host program what it has registered, in alphabetical order.
func Functions(ctx context.Context, argv []string) ([]string, error) {
	r, err := launch(argv, nil)
	if err != nil {
		return nil, err
	}
	defer r.quit()
	response, failure := r.call(ctx, &host.Request{Op: "list"}, grace)
	if failure != nil {
		return nil, fmt.Errorf("%s: %s (%s)", argv[0], failure.Message, failure.Hint)
	}
	return response.Names, nil
}
