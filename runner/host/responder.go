package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// responder is a process of another harness's program that stays, and takes a sample for each request.
type responder struct {
	service  *spawn.Service
	requests *os.File // its standard input
	answers  *os.File // its standard output
	lines    *bufio.Reader
	rested   spawn.Scheduled // when it gave the last answer
	since    int64           // when that was, ns
	restless bool            // it uses CPUs between two requests, or that cannot be seen: it is stopped there
}

// Bounds of what a process that stays does until it has answered.
const (
	firstAnswer = 5 * time.Second // a program that keeps what it prints until its input ends does not answer
	mostPrinted = 4 << 20         // bytes
)

// ask takes one sample in the process that stays, or in a new one if there is none. Whatever fails there is tried with
// a process for each sample, which shows why.
func (b *harnessed) ask(phase wire.Phase, n int) (r run, nsPerIteration float64, failure *wire.Failure) {
	r, nsPerIteration, failure = b.inProcess(phase, n)
	if failure != nil {
		if b.stays != nil {
			b.stays.service.Kill() // it may not notice the end of its input
		}
		b.end()
		failure = newFailure(phase, wire.FailedRepeat, failure.Message, failure.Detail)
	}
	return r, nsPerIteration, failure
}

func (b *harnessed) inProcess(phase wire.Phase, n int) (r run, nsPerIteration float64, failure *wire.Failure) {
	b.amount = Amount{Iterations: n, Seconds: float64(b.spec.Goal) / 1e9}
	_, _, request := b.harness.Run(b.amount, "")
	if b.stays == nil {
		failure = b.begin(phase)
		for range b.warmups() {
			if failure == nil {
				_, failure = b.request(phase, request)
			}
		}
		if failure != nil {
			return r, 0, failure
		}
	}
	p, k := b.stays, b.command.kit
	start := k.now()
	before := p.wake(start)
	text, failure := b.request(phase, request)
	if failure != nil {
		return r, 0, failure
	}
	r.Run = spawn.NewRun()
	r.Wall = k.now() - start
	after := p.service.Scheduled()
	b.wrong = nil
	failure = b.command.numbers(&r, func(wire.Metric) ([]byte, *wire.Failure) { return text, nil })
	switch {
	case b.wrong != nil:
		return r, 0, b.explain(phase)
	case failure != nil:
		return r, 0, failure
	}
	nsPerIteration = r.values[0] * 1e9
	if failure = b.noTime(phase, nsPerIteration, n); failure != nil {
		return r, 0, failure
	}
	if peak := p.service.PeakMemory(0); peak > 0 {
		r.RSS = peak
	}
	timed := int64(nsPerIteration * float64(n))
	used := after.Since(before)
	if used.Ran >= 0 {
		r.Wait = waitOf(timed, used.Ran, used.Waited, used.CPU)
	}
	p.rest(after, k.now(), used.Ran < timed/2)
	return r, nsPerIteration, nil
}

// wake lets a process go on, and finds out whether it has used CPUs since its last answer.
func (p *responder) wake(now int64) spawn.Scheduled {
	at := p.service.Scheduled()
	idle := now - p.since
	if at.CPU == timer.Absent || at.CPU-p.rested.CPU > int64(quiet)+int64(quietShare*float64(idle)) {
		p.restless = true
	}
	if p.restless {
		p.service.Continue()
	}
	return at
}

// rest is called after an answer. onOthers is set if the process did not do the work in its first thread: what it does
// later cannot be seen there either.
func (p *responder) rest(at spawn.Scheduled, now int64, onOthers bool) {
	p.rested, p.since = at, now
	p.restless = p.restless || onOthers
	if p.restless {
		p.service.Pause()
	}
}

// begin starts a process that stays, which has to answer a first request once before it lists its benchmarks.
func (b *harnessed) begin(phase wire.Phase) *wire.Failure {
	c, p := b.command, &responder{}
	args, env, request := b.harness.Run(Amount{Iterations: 1}, "")
	input, requests, err := os.Pipe()
	if err != nil {
		return newFailure(phase, wire.FailedError, err.Error(), "")
	}
	answers, output, err := os.Pipe()
	if err != nil {
		input.Close()
		requests.Close()
		return newFailure(phase, wire.FailedError, err.Error(), "")
	}
	p.requests, p.answers, p.lines = requests, answers, bufio.NewReader(answers)
	defer c.with(env...)()
	err = truncate(c.stderr)
	if err == nil {
		argv := append(b.spec.Argv[:len(b.spec.Argv):len(b.spec.Argv)], args...)
		p.service, err = c.kit.starter.Serve(&spawn.Job{Path: c.path, Argv: argv, Env: c.env, Dir: c.spec.Dir,
			Stdin: input, Stdout: output, Stderr: c.stderr}, "")
	}
	input.Close()
	output.Close() // else its end would not be seen
	if err != nil {
		requests.Close()
		answers.Close()
		return notStarted(wire.PhaseStart, c.spec.Argv[0], err)
	}
	b.stays = p
	text, failure := b.read(phase, request+b.harness.List, func(text []byte) bool {
		_, isListed := b.harness.Answered(text)
		return isListed
	})
	if failure != nil {
		return failure
	}
	if times, _ := b.harness.Answered(text); times != 1 {
		return newFailure(phase, wire.FailedMissing,
			fmt.Sprintf("it answered %d times for %q, and was asked once", times, b.spec.Benchmark), "")
	}
	p.rested, p.since = p.service.Scheduled(), c.kit.now()
	return nil
}

// request asks once, and returns what was printed with the answer.
func (b *harnessed) request(phase wire.Phase, text string) ([]byte, *wire.Failure) {
	return b.read(phase, text, func(text []byte) bool { times, _ := b.harness.Answered(text); return times > 0 })
}

// read writes a request and reads lines until one is the last. The first answer of a process has to come soon.
func (b *harnessed) read(
	phase wire.Phase, request string, isLast func(line []byte) bool,
) (text []byte, failure *wire.Failure) {
	p, limit := b.stays, time.Duration(b.command.spec.Timeout)
	if p.since == 0 && !b.harness.Slow {
		limit = min(limit, firstAnswer)
	}
	_, _ = io.WriteString(p.requests, request) // a process that has ended does not answer
	_ = p.answers.SetReadDeadline(time.Now().Add(limit))
	for {
		line, err := p.lines.ReadSlice('\n')
		text = append(text, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(text) <= mostPrinted:
		case err == nil && isLast(line):
			return text, nil
		case len(text) > mostPrinted:
			return nil, newFailure(phase, wire.FailedMissing, "it prints more than 4 MiB for one request", "")
		case errors.Is(err, os.ErrDeadlineExceeded) && p.since == 0 && !b.harness.Slow:
			return nil, newFailure(phase, wire.FailedTimeout,
				fmt.Sprintf("a process that was asked for one iteration has not answered after %v, and may keep what "+
					"it prints until its input ends", limit), "")
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, newFailure(phase, wire.FailedTimeout,
				fmt.Sprintf("a process that stayed did not answer within %v", limit), "")
		case err != nil:
			return nil, newFailure(phase, wire.FailedMissing, "its process ends before all requests are answered",
				scratch.Tail(b.command.stderr))
		}
	}
}

// end ends the process that stays, if there is one.
func (b *harnessed) end() {
	p := b.stays
	if p == nil {
		return
	}
	b.stays = nil
	p.requests.Close()
	if p.restless {
		p.service.Continue()
	}
	p.answers.Close() // it may print
	p.service.End()
}
