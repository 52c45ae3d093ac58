package host

import (
	"os"
	"os/exec"
	"time"

	"example.com/suite/runner/host/wire"
)

// service is a program that this host has started and does not measure.
type service struct {
	wire.Service
	cmd    *exec.Cmd
	ended  chan struct{} // closed when it is reaped
	killed bool
}

// serve starts a service.
func (h *Host) serve(spec *wire.Service) *wire.Response {
	if spec == nil || len(spec.Argv) == 0 || h.service != nil {
		return refuse("serve needs one service")
	}
	program := command{Command: wire.Command{Argv: spec.Argv, Dir: spec.Dir}}
	path, failure := program.resolve()
	if failure != nil {
		failure.Phase = "service"
		return &wire.Response{Failure: failure}
	}
	s := &service{Service: *spec, ended: make(chan struct{}), cmd: &exec.Cmd{Path: path, Args: spec.Argv, Dir: spec.Dir,
		Env: environment(spec.Env, spec.Dir), Stdout: os.Stdout, Stderr: os.Stdout, SysProcAttr: beside()}}
	if err := s.cmd.Start(); err != nil {
		return &wire.Response{Failure: notStarted("service", spec.Argv[0], err)}
	}
	h.service = s
	h.running.Store(int64(s.cmd.Process.Pid))
	go func() {
		_ = s.cmd.Wait() // the result is in ProcessState
		close(s.ended)
	}()
	return h.served()
}

// served returns the state of the service.
func (h *Host) served() *wire.Response {
	s := h.service
	if s == nil {
		return refuse("no service is running")
	}
	out := &wire.Served{PID: s.cmd.Process.Pid, Killed: s.killed}
	select {
	case <-s.ended:
		out.Ended, out.Exit = true, s.cmd.ProcessState.ExitCode()
		if s.cmd.ProcessState != nil { // nil: it was reaped together with its orphans
			out.Signal = endedBy(s.cmd.ProcessState)
		}
	default:
	}
	return &wire.Response{Served: out}
}

// endService sends the service its signal, kills it if it does not end, and kills
// all processes that it leaves.
func (h *Host) endService() *wire.Response {
	s := h.service
	if s == nil {
		return refuse("no service is running")
	}
	select {
	case <-s.ended:
	default:
		s.end()
	}
	h.sweepService(s.cmd.Process)
	h.running.Store(0)
	return h.served()
}

func (s *service) end() {
	if err := askToEnd(s.cmd.Process, s.Stop); err == nil {
		select {
		case <-s.ended:
			return
		case <-time.After(wire.ServiceGrace):
		}
	}
	s.killed = s.Stop != "SIGKILL"
	killService(s.cmd.Process)
	select {
	case <-s.ended:
	case <-time.After(wire.ServiceGrace): // nothing can be done about one that hangs in the kernel
	}
}
