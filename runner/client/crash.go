package client

import (
	"fmt"
	"strings"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/process"
)

// Died is the failure of a host that should be waiting for a request, nil if it is.
func (r *Client) Died() (failure *result.Failure) {
	select {
	case <-r.ended:
		failure = r.crashed("run")
	case a := <-r.answers:
		_, failure = r.receive("run", a)
		if failure == nil { // it repeated its last answer
			failure = r.Breach("run", "an answer that was not asked for")
		}
	default:
		return nil
	}
	failure.Hint = "it came between two requests: from a goroutine that the benchmark has left running?"
	return failure
}

// hangs ends a host that did not answer. A Go program that receives SIGQUIT prints the stacks
// of its goroutines.
func (r *Client) hangs(op string, timeout time.Duration) *result.Failure {
	stopped := r.stops.Now()
	process.AskForStacks(r.cmd.Process)
	select {
	case <-r.ended:
	case <-time.After(lastWords):
	}
	r.Kill()
	f := &result.Failure{Phase: phase(op), Cause: result.FailedTimeout, Elapsed: timeout.Seconds(),
		Message: fmt.Sprintf("no answer within the timeout of %v", timeout), Detail: stuck(r.errs.String()),
		Hint: "a deadlock, an endless loop, or a body that needs a longer timeout"}
	switch {
	case stopped:
		f.Message, f.Hint = f.Message+": the host process was stopped", "continue it (kill -CONT) before the "+
			"timeout is over"
	case f.Phase == result.PhaseStart:
		f.Hint = hintStart
	}
	return f
}

// Hints for hosts that did not do their part.
const (
	hintPipes = "does the benchmark close, or write to, descriptors that it did not open?"
	hintStart = "is this program a host of suite?"
	hintExit  = "the benchmark must not call os.Exit or log.Fatal; use c.Fatal"
)

// crashed explains how a host that has closed its end of a pipe ended.
func (r *Client) crashed(op string) *result.Failure {
	select {
	case <-r.ended:
	case <-time.After(lastWords): // it is still alive
		return r.Breach(op, "it closed its end of the pipe")
	}
	r.Kill()
	f := &result.Failure{Phase: phase(op), Cause: result.FailedCrash, Detail: r.errs.String()}
	state := r.cmd.ProcessState
	switch name := process.SignalName(state); {
	case name != "":
		f.Signal, f.Message = name, "the host process was ended by signal "+name
	case state.ExitCode() == 2 && panicLine(f.Detail) != "":
		f.Cause, f.Message = result.FailedPanic, panicLine(f.Detail)
	case state.ExitCode() == 3 && strings.Contains(f.Detail, wire.Complaint):
		f.Cause = result.FailedProtocol
		f.Message = "the host could not talk to suite any more"
		f.Hint = hintPipes
	default:
		exit := state.ExitCode()
		f.Exit = &exit
		f.Message = fmt.Sprintf("the host process ended with exit status %d", exit)
		f.Hint = hintExit
	}
	if f.Phase == result.PhaseStart {
		f.Hint = hintStart
	}
	return f
}
