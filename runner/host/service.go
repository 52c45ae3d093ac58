package host

import (
	"os"

	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
)

// serve starts a service. What it prints goes to the host's own standard output.
func (h *Host) serve(spec *wire.Service) *wire.Response {
	if spec == nil || len(spec.Argv) == 0 || h.service != nil {
		return refuse("serve needs one service")
	}
	program := command{spec: wire.Command{Argv: spec.Argv, Dir: spec.Dir}}
	path, failure := program.resolve()
	if failure != nil {
		failure.Phase = "service"
		return &wire.Response{Failure: failure}
	}
	job := &spawn.Job{Path: path, Argv: spec.Argv, Dir: spec.Dir, Env: environment(spec.Env, spec.Dir),
		Stdout: os.Stdout, Stderr: os.Stdout}
	service, err := h.kit.starter.Serve(job, spec.Stop)
	if err != nil {
		return &wire.Response{Failure: notStarted(wire.PhaseService, spec.Argv[0], err)}
	}
	h.service = service
	return h.served()
}

func (h *Host) served() *wire.Response {
	if h.service == nil {
		return refuse("no service is running")
	}
	return &wire.Response{Served: h.service.Served()}
}

// endService ends the service with all that it has started.
func (h *Host) endService() *wire.Response {
	if h.service == nil {
		return refuse("no service is running")
	}
	h.service.End()
	return h.served()
}
