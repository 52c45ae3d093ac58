package spawn

import (
	"os"
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

// Serve starts a service. Of the job, its timeout and its pin do not count: a service runs until End. stop is the name
// of the signal that ends it, empty for a service that ends by itself when its files are closed.
func (s *Starter) Serve(job *Job, stop string) (*Service, error) {
	v := &Service{starter: s, stop: stop, ended: make(chan struct{})}
	v.cmd = &exec.Cmd{Path: job.Path, Args: job.Argv, Dir: job.Dir, Env: job.Env,
		Stdout: job.Stdout, Stderr: job.Stderr, ExtraFiles: job.Inherited, SysProcAttr: serviceGroup()}
	if job.Stdin != nil {
		v.cmd.Stdin = job.Stdin
	}
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	s.services.Store(v.cmd.Process.Pid, v.cmd.Process)
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
	v.starter.services.Delete(v.cmd.Process.Pid)
	v.starter.sweepService(v.cmd.Process)
}

// Kill ends the service at once, with its group.
func (v *Service) Kill() { killService(v.cmd.Process) }

// Ended waits until the service has ended, for some time at most, and describes its state.
func (v *Service) Ended(most time.Duration) *wire.Served {
	select {
	case <-v.ended:
	case <-time.After(most):
	}
	return v.Served()
}

func (v *Service) askAndKill() {
	if v.stop == "" || askToEnd(v.cmd.Process, v.stop) == nil {
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

// killServices kills all services, with their groups.
func (s *Starter) killServices() {
	s.services.Range(func(_, process any) bool {
		killService(process.(*os.Process))
		return true
	})
}
