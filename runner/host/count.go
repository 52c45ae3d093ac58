package host

import (
	"runtime/debug"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// instructions runs n iterations, while callgrind counts what this whole process executes, and lets it write what it
// has counted after them. A batch before them, of as many, is thrown away. Inputs that iterations use up are
// not counted. No garbage is collected meanwhile unless it fills wire.CountedMemory.
//
// The answer has n, which may be less than was asked for.
func (f *function) instructions(k *kit, r *wire.Request) *wire.Response {
	n := max(r.N, 1)
	if f.inputs != nil {
		n = min(n, max(f.inputs.part, 1))
	}
	if !timer.InValgrind() {
		return refuse("this host is not run by valgrind")
	}
	var failure *wire.Failure
	f.inside(func() {
		policy := k.startGC("off")
		defer policy.end()
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(wire.CountedMemory))
		f.where(func() {
			failure = guard(wire.PhaseRun, func() {
				f.fill(n)
				f.loop(n)
				f.fill(n)
				timer.CallgrindStart()
				f.loop(n)
				timer.CallgrindDump(wire.CountEnds)
				if f.inputs != nil {
					f.inputs.Drop()
				}
			})
		})
	})
	return &wire.Response{Sized: &wire.Sized{N: n}, Failure: failure}
}

// fill makes the inputs of n iterations, if the function has inputs.
func (f *function) fill(n int) {
	if f.inputs != nil {
		f.inputs.prepare(n)
	}
}

// instructions runs the command once in the program of the request, which counts, with its hooks. Nothing is timed.
func (c *command) instructions(_ *kit, r *wire.Request) *wire.Response {
	if len(r.Wrap) == 0 {
		return refuse("the instructions of a command are counted by a program")
	}
	return &wire.Response{Sized: &wire.Sized{N: 1}, Failure: c.wrapped(r)}
}

func (c *command) wrapped(r *wire.Request) *wire.Failure {
	inside := *c
	inside.spec.Argv = append(append(r.Wrap[:len(r.Wrap):len(r.Wrap)], c.path), c.spec.Argv[1:]...)
	inside.env = append(c.env[:len(c.env):len(c.env)], r.WrapEnv...)
	inside.path = r.Wrap[0]
	inside.spec.Timeout = r.Limit
	inside.spec.Counters = nil
	run, failure := inside.attempt(wire.PhaseRun)
	c.round = inside.round
	c.texts = inside.texts
	if failure == nil && run.TimedOut {
		failure = newFailure(wire.PhaseRun, wire.FailedTimeout, "the counted run was killed", inside.said)
	}
	return failure
}

// instructions asks a process, in the program of the request, which counts, for n iterations as often as the request
// says. A program that marks what is counted runs as many before as a warm-up.
func (b *harnessed) instructions(_ *kit, r *wire.Request) *wire.Response {
	switch {
	case b.harness.Answered == nil, b.harness.Slow && b.harness.Count == nil:
		return &wire.Response{Failure: newFailure(wire.PhaseRun, wire.FailedMissing,
			"instructions are counted of harnesses that can be asked for one benchmark several times: its process "+
				"runs more than that", "")}
	case len(r.Wrap) == 0 || r.Runs < 1:
		return refuse("the instructions of a benchmark are counted by a program, in so many runs")
	}
	n := max(r.N, 1)
	b.amount = Amount{Iterations: n, Warmups: r.Runs - 1}
	request := func() (args, env []string, input string) { return b.harness.Run(b.amount, "") }
	if b.harness.Count != nil {
		b.amount.Warmups = 1
		request = func() (args, env []string, input string) { return b.harness.Count(b.amount) }
	}
	args, env, input := request()
	if failure := b.give(wire.PhaseRun, input); failure != nil {
		return &wire.Response{Failure: failure}
	}
	c := b.command
	c.spec.Argv = append(b.spec.Argv[:len(b.spec.Argv):len(b.spec.Argv)], args...)
	defer c.with(env...)()
	b.wrong = nil
	failure := c.wrapped(r)
	if b.wrong != nil {
		failure = b.explain(wire.PhaseRun)
	}
	return &wire.Response{Sized: &wire.Sized{N: n}, Failure: failure}
}

// instructions takes a sample of n iterations in a process that the program of the request counts. All benchmarks that
// this host counts from one file share the process.
func (g *goTest) instructions(k *kit, r *wire.Request) *wire.Response {
	if g.home == nil {
		return &wire.Response{Failure: newFailure(wire.PhaseRun, wire.FailedMissing,
			"each of its samples is a process, or this release of Go is not known", "")}
	}
	k.wrap, k.wrapEnv = r.Wrap, r.WrapEnv
	defer func(timeout int64) { g.command.spec.Timeout = timeout }(g.command.spec.Timeout)
	g.command.spec.Timeout = r.Limit
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	n := max(r.N, 1)
	_, _, failure := g.ask(wire.PhaseRun, n)
	if failure != nil {
		g.home.end()
	}
	return &wire.Response{Sized: &wire.Sized{N: n}, Failure: failure}
}
