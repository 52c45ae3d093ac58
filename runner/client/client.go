// Package client is the controller's side of a host: it starts the process, sends requests,
// and receives the answers. It knows the protocol and how hosts fail, and nothing of cases:
// a host that crashes, hangs, is stopped or breaks the protocol becomes a result.Failure.
package client

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"example.com/suite/internal/orphan"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
)

// Client is the controller's side of one host process.
type Client struct {
	Stopped time.Duration // how long the host was stopped during the last request
	Lost    bool          // the host has ended, or its answers make no sense

	cmd     *exec.Cmd
	send    *os.File
	answers chan answer
	ended   chan struct{} // closed when the host has ended and is reaped
	errs    *tail
	stops   *process.Stops
	sent    int      // requests so far
	mark    *os.File // nil for none
}

type answer struct {
	response *wire.Response
	err      error
}

// Grace is how long a host may take in addition to what its request allows.
const Grace = 5 * time.Second

// lastWords is how long a host may take to print the stacks that show where it hangs.
const lastWords = time.Second

// Launch starts a host process in a folder, empty for the current one. env is added to the
// variables of this process, and stdout is its standard output, nil for none. What it writes
// to standard error goes to debug as well, if that is not nil.
func Launch(argv []string, dir string, env []string, debug io.Writer, stdout *os.File) (*Client, error) {
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
	r := &Client{cmd: exec.Command(image(argv[0])), send: send, answers: make(chan answer),
		ended: make(chan struct{}), errs: &tail{}}
	r.cmd.Args, r.cmd.Dir = argv, dir
	if dir != "" {
		env = append(env[:len(env):len(env)], "PWD="+dir)
	}
	r.cmd.Env = slices.Concat(wire.WithoutPegs(os.Environ()), orphan.Environ(), env)
	if stdout != nil {
		r.cmd.Stdout = stdout
	}
	r.cmd.Stderr = r.errs
	if debug != nil {
		r.cmd.Stderr = io.MultiWriter(r.errs, debug)
	}
	r.cmd.WaitDelay = lastWords / 2 // what a benchmark started may keep standard error open for ever
	err = wire.Inherit(r.cmd, requests, answers)
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

// Enter makes the host a member of a set of processes until it has ended.
func (r *Client) Enter(set *process.Set) {
	done := set.Add(r.cmd.Process, r.stops)
	go func() { <-r.ended; done() }()
}

// Ended is closed when the host has ended.
func (r *Client) Ended() <-chan struct{} { return r.ended }

// image chooses the program to start for a path. If the path was this program's, and
// its file has been removed or built anew since, that is the program that runs, as
// Linux keeps it.
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

// wait reaps the host, and kills the processes that it has left.
func (r *Client) wait(ended func()) {
	defer close(r.ended)
	_ = r.cmd.Wait() // the result is in ProcessState
	ended()
	process.KillRest(r.cmd.Process)
	orphan.Kill()
}

// listen passes on answers until the host closes its end of the pipe.
func (r *Client) listen(receive *os.File) {
	defer receive.Close()
	defer close(r.answers)
	for {
		var response wire.Response
		err := wire.ReadMessage(receive, &response)
		r.answers <- answer{&response, err}
		if err != nil {
			return
		}
	}
}

// Call sends a request and waits for its answer, at most timeout. A host that dies, hangs or
// breaks the protocol is lost, and the failure explains how. An interrupt makes the host end
// after the batch that it is timing. A search during which the host was stopped is repeated.
func (r *Client) Call(
	ctx context.Context, request *wire.Request, timeout time.Duration,
) (*wire.Response, *result.Failure) {
	for try := 1; ; try++ {
		r.stops.Taken() // between two requests it disturbs nobody
		response, failure := r.callOnce(ctx, request, timeout)
		r.Stopped = r.stops.Taken()
		if failure != nil || r.Stopped == 0 || try == SteadyTries || ctx.Err() != nil ||
			request.Op != "size" && request.Op != "calibrate" {
			return response, failure
		}
	}
}

// SteadyTries is how often a search is made if the host was stopped during each of them.
const SteadyTries = 3

func (r *Client) callOnce(
	ctx context.Context, request *wire.Request, timeout time.Duration,
) (*wire.Response, *result.Failure) {
	if failure := r.ask(request, timeout); failure != nil {
		return nil, failure
	}
	deadline := process.NewDeadline(timeout)
	defer deadline.Stop()
	interrupted := ctx.Done()
	for {
		select {
		case a := <-r.answers:
			return r.receive(request.Op, a)
		case <-deadline.C:
			if deadline.Over(time.Now()) {
				return nil, r.hangs(request.Op, timeout)
			}
		case <-interrupted:
			interrupted = nil
			_ = r.cmd.Process.Signal(os.Interrupt) // if it is gone the answer reports that
			deadline.Reset(wire.Patience)
		}
	}
}

func (r *Client) ask(request *wire.Request, timeout time.Duration) *result.Failure {
	r.sent++
	request.Seq = r.sent
	r.errs.forget() // earlier output belongs to other requests
	// Without a reader a pipe takes 64 KiB, and no more. Windows has no deadlines here.
	_ = r.send.SetWriteDeadline(time.Now().Add(timeout))
	switch err := wire.WriteMessage(r.send, request); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return r.hangs(request.Op, timeout)
	case errors.As(err, new(*os.PathError)):
		return r.crashed(request.Op)
	case err != nil: // nothing was sent
		return &result.Failure{Phase: phase(request.Op), Cause: result.FailedProtocol, Message: err.Error()}
	}
	return nil
}

// Kill ends a host that may still run. A host that is idle ends by itself when its pipe is
// closed. A busy one notices and ends, or is killed.
func (r *Client) Kill() {
	if r.Lost {
		return
	}
	r.Lost = true
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

// Quit asks the host to end, and waits until it has.
func (r *Client) Quit() {
	if !r.Lost {
		_ = wire.WriteMessage(r.send, &wire.Request{Op: "quit"}) // gone already: that is what is wanted
		r.Kill()
	}
}

// Leave asks the host to end, and waits until what it was started in, such as a profiler, has
// ended after it: so long, or until ctx ends.
func (r *Client) Leave(ctx context.Context, patience time.Duration) {
	if !r.Lost {
		_ = wire.WriteMessage(r.send, &wire.Request{Op: "quit"})
		select {
		case <-r.ended:
		case <-ctx.Done():
		case <-time.After(patience):
		}
	}
	r.Kill()
}

// phase is what the case was doing when op was requested.
func phase(op string) result.Phase {
	names := map[string]result.Phase{
		"hello": result.PhaseStart, "calibrate": result.PhaseStart, "prepare": result.PhaseSetup,
		"size":  result.PhaseWarmup,
		"serve": result.PhaseService, "served": result.PhaseService, "stop": result.PhaseService,
		"once": result.PhaseRun, "run": result.PhaseRun, "allocs": result.PhaseRun, "simulate": result.PhaseRun,
		"pegs": result.PhasePegs, "profile": "profile", "finish": result.PhaseFinish,
	}
	return names[op]
}

func convert(f *wire.Failure) *result.Failure {
	return &result.Failure{Phase: result.Phase(f.Phase), Cause: result.FailureCause(f.Cause),
		Message: f.Message, Detail: f.Detail,
		Batch: f.Batch, Exit: f.Exit, Signal: f.Signal}
}
