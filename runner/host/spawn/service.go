package spawn

import (
	"os/exec"
	"time"

	"example.com/suite/runner/host/wire"
)

// Service is a program that runs while others are measured, until it is asked to end.
type Service struct {
	starter *Starter
	cmd     *exec.Cmd
	stop    string        // name of the signal that ends it
	ended   chan struct{} // closed when it is reaped
	killed  bool          // it did not end by its signal
}

// Serve starts a service. Of the job, its standard input, its timeout and its pin do not
// count: a service has no input and runs until End. stop is the name of the signal that
// ends it.
func (s *Starter) Serve(job *Job, stop string) (*Service, error) {
	v := &Service{starter: s, stop: stop, ended: make(chan struct{})}
	v.cmd = &exec.Cmd{Path: job.Path, Args: job.Argv, Dir: job.Dir, Env: job.Env,
		Stdout: job.Stdout, Stderr: job.Stderr, SysProcAttr: serviceGroup()}
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	s.running.Store(int64(v.cmd.Process.Pid))
	go func() {
		_ = v.cmd.Wait() // the result is in ProcessState
		close(v.ended)
	}()
	return v, nil
}

// Served describes the state of the service.
func (v *Service) Served() *wire.Served {
	out := &wire.Served{PID: v.cmd.Process.Pid, Killed: v.killed}
	select {
	case <-v.ended:
		out.Ended, out.Exit = true, v.cmd.ProcessState.ExitCode()
		if v.cmd.ProcessState != nil { // nil: it was reaped together with its orphans
			out.Signal = endedBy(v.cmd.ProcessState)
		}
	default:
	}
	return out
}

// End sends the service its signal, kills it if it does not end, and kills all processes
// that it leaves.
func (v *Service) End() {
	select {
	case <-v.ended:
	default:
		v.askAndKill()
	}
	sweepService(v.cmd.Process)
	v.starter.running.Store(0)
}

func (v *Service) askAndKill() {
	if err := askToEnd(v.cmd.Process, v.stop); err == nil {
		select {
		case <-v.ended:
			return
		case <-time.After(wire.ServiceGrace):
		}
	}
	v.killed = v.stop != "SIGKILL"
	killService(v.cmd.Process)
	select {
	case <-v.ended:
	case <-time.After(wire.ServiceGrace): // a process that hangs in the kernel cannot be killed
	}
}
