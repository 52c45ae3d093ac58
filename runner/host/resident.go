package host

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// residence is where a process stays that takes the samples of all benchmarks that are prepared from one file, with
// the same arguments, environment and folder.
type residence struct {
	key   string
	stays *resident // nil: no process runs
	users int       // that are prepared
}

// move gives a benchmark its residence.
func (g *goTest) move(all map[string]*residence) {
	c := g.command
	key := fmt.Sprintf("%q %q %q %q", c.path, g.spec.Argv, c.env, c.spec.Dir)
	if all[key] == nil {
		all[key] = &residence{key: key}
	}
	g.home = all[key]
	g.home.users++
}

// leave makes the last user end the process.
func (g *goTest) leave() {
	if g.home == nil {
		return
	}
	if g.home.users--; g.home.users == 0 {
		g.home.end()
		delete(g.command.kit.residences, g.home.key)
	}
	g.home = nil
}

// resident is a process of a test binary that stays, and takes a sample for each request. Goroutines that a benchmark
// has left may take CPUs from what is measured between two requests.
type resident struct {
	service        *spawn.Service
	requests       *os.File
	answers        *os.File
	lines          *bufio.Reader
	stdout, stderr *os.File // files without names
	samples        int      // that it has taken
	rested         int64    // when it gave the last answer, and for how long it then had nothing to do, ns
	idle           int64
	restless       bool // it uses CPUs all the same: it is stopped between requests
}

// stay starts a process of the binary.
func (g *goTest) stay() (p *resident, err error) {
	p = &resident{}
	var inherited [2]*os.File
	inherited[0], p.requests, err = os.Pipe()
	if err == nil {
		p.answers, inherited[1], err = os.Pipe()
	}
	for _, f := range []**os.File{&p.stdout, &p.stderr} {
		if err == nil {
			*f, err = scratchFile()
		}
	}
	if err == nil {
		p.lines = bufio.NewReader(p.answers)
		c := g.command
		how := wire.Samples
		switch {
		case len(c.kit.wrap) > 0:
			how = wire.Counts
		case c.spec.Traced:
			how = wire.Passes
		case isCrowded():
			how = wire.Crowded
		}
		argv := append(slices.Clone(g.spec.Argv), "-test.bench=.", "-test.benchtime=1x")
		env := append(slices.Clone(c.env), wire.BenchmarkVariable+"="+how)
		path := c.path
		if wrap := c.kit.wrap; len(wrap) > 0 {
			path, argv, env = wrap[0], append(append(slices.Clone(wrap), path),
				argv[1:]...), append(env, c.kit.wrapEnv...)
		}
		p.service, err = c.kit.starter.Serve(&spawn.Job{Path: path, Argv: argv, Env: env, Dir: c.spec.Dir,
			Stdout: p.stdout, Stderr: p.stderr,
			Inherited: inherited[:]}, "")
	}
	for _, f := range inherited {
		f.Close() // nil is no file
	}
	if err != nil {
		p.drop()
		return nil, err
	}
	return p, nil
}

func (p *resident) drop() {
	p.requests.Close()
	p.answers.Close()
	for _, f := range []*os.File{p.stdout, p.stderr} {
		if f != nil {
			scratch.Discard(f)
		}
	}
}

// end ends the process, if there is one: package testing then ends as after all benchmarks.
func (h *residence) end() {
	p := h.stays
	if p == nil {
		return
	}
	h.stays = nil
	p.requests.Close()
	if p.restless {
		p.service.Continue()
	}
	p.service.End()
	p.drop()
}

// firstShare of a sample is what a new process of a block runs before its first sample, but not fewer iterations than
// in which each goroutine begins.
const firstShare = 10

// renew gives a block a process that has taken no sample of the benchmark, so that blocks differ as processes do.
func (g *goTest) renew(n int) *wire.Failure {
	if g.in == nil || g.command.spec.Traced {
		return nil
	}
	if g.in == g.home.stays {
		g.home.end()
	}
	if g.command.spec.Warmup == 0 && g.command.spec.WarmupBatches == 0 || g.begins {
		return nil
	}
	_, _, failure := g.sample(wire.PhaseRun, max(n/firstShare, min(n, beginFew)))
	return failure
}

// again takes one sample in the process that stays, or in a new one if there is none. A benchmark that fails there runs
// once more in a new process: if it does not fail there, it cannot be run after others in one, or twice.
func (g *goTest) again(phase wire.Phase, n int) (r run, nsPerOp float64, failure *wire.Failure) {
	r, nsPerOp, failure = g.ask(phase, n)
	if failure == nil {
		return r, nsPerOp, nil
	}
	p := g.home.stays
	alone := p == nil || p.samples == 0
	how := "runs again in one process"
	if p != g.in {
		how = "runs after others in one process"
	}
	g.home.end()
	if !alone && !g.command.kit.stop.Load() {
		_, _, once := g.ask(phase, n)
		g.home.end()
		if once == nil {
			message := "it fails when it " + how + ": " + failure.Message
			return r, 0, newFailure(phase, wire.FailedRepeat, message, failure.Detail)
		}
		failure = once
	}
	return g.apart(phase, n, failure)
}

// apart takes a sample that has failed in a new process once more after all processes that stay have ended, those of
// its base among them: they may have the port or the lock that it needs. In a pair both processes have to run at the
// same time. If that is not the reason, the benchmark may still run in a process that does not stay: the main of some
// tests runs them in one that it starts itself.
func (g *goTest) apart(phase wire.Phase, n int, failed *wire.Failure) (r run, nsPerOp float64, failure *wire.Failure) {
	k := g.command.kit
	if k.stop.Load() {
		return r, 0, failed
	}
	if k.endResidents() {
		r, nsPerOp, failure = g.ask(phase, n)
		if failure == nil && !g.paired {
			return r, nsPerOp, nil
		}
		g.home.end()
		if failure == nil {
			return r, 0, newFailure(phase, wire.FailedRepeat,
				"it fails while another process of its tests runs: "+failed.Message, failed.Detail)
		}
	}
	if failed.Cause == wire.FailedTimeout || k.stop.Load() {
		return r, 0, failed
	}
	if _, _, failure = g.start(phase, n); failure != nil {
		return r, 0, failed
	}
	message := "it fails in a process that is to stay: " + failed.Message
	if failed.Cause == wire.FailedMissing {
		message = "its test binary runs it in another process than the one that is started"
	}
	return r, 0, newFailure(phase, wire.FailedRepeat, message, failed.Detail)
}

// endResidents ends all processes that stay, and reports whether there were any.
func (k *kit) endResidents() (any bool) {
	for _, h := range k.residences {
		any = any || h.stays != nil
		h.end()
	}
	return any
}

// id names the benchmark in all its files.
func (g *goTest) id() string { return g.command.spec.Dir + "\n" + g.spec.Benchmark }

// ask takes one sample.
func (g *goTest) ask(phase wire.Phase, n int) (r run, nsPerOp float64, failure *wire.Failure) {
	c := g.command
	if g.home.stays == nil {
		p, err := g.stay()
		if err != nil {
			return r, 0, notStarted(wire.PhaseStart, c.spec.Argv[0], err)
		}
		g.home.stays = p
	}
	p := g.home.stays
	if err := errors.Join(truncate(p.stdout), truncate(p.stderr)); err != nil {
		return r, 0, newFailure(phase, wire.FailedError, err.Error(), "")
	}
	if p.restless {
		p.service.Continue()
	}
	start := c.kit.now()
	p.idle = start - p.rested
	request := fmt.Sprintf("%d %s", n, g.spec.Benchmark)
	if c.kit.shared[g.id()] {
		request += fmt.Sprintf(" %d", min(n, beginFew))
	}
	_, _ = fmt.Fprintln(p.requests, request) // a process that has ended does not answer
	_ = p.answers.SetReadDeadline(time.Now().Add(time.Duration(c.spec.Timeout)))
	line, err := p.lines.ReadString('\n')
	r.Run = spawn.NewRun()
	r.Wall = c.kit.now() - start
	if err == nil && line == "LEFT\n" {
		g.home.end()
		return g.ask(phase, n)
	}
	if err == nil && strings.HasPrefix(line, "ok ") {
		nsPerOp, err = g.answered(&r, line)
		if err != nil {
			return r, 0, newFailure(phase, wire.FailedProtocol,
				"the answer of the test binary is not understood: "+err.Error(), line)
		}
		if nsPerOp > 0 && nsPerOp <= wire.LargestValue { // else package testing prints none, or what is no time
			p.samples++
			g.in = p
			if p.rested = c.kit.now(); p.restless {
				p.service.Pause()
			}
			return r, nsPerOp, nil
		}
	}
	failure = g.unanswered(phase, &r, err)
	if failure.Cause == wire.FailedMissing && nsPerOp != 0 {
		failure.Message = fmt.Sprintf("%s reported %v ns/op, which is no time", g.spec.Printed, nsPerOp)
	} else if failure.Cause == wire.FailedMissing && errors.Is(err, io.EOF) {
		failure.Message = g.spec.Printed + " was not run: the process has none of this name, which may differ from " +
			"process to process, or it was skipped"
	}
	return r, 0, failure
}

// unanswered explains why a process took no sample.
func (g *goTest) unanswered(phase wire.Phase, r *run, err error) *wire.Failure {
	p := g.home.stays
	if errors.Is(err, os.ErrDeadlineExceeded) {
		r.TimedOut = true
		p.service.Kill()
	}
	_ = p.requests.Close()
	state := p.service.Ended(wire.Patience)
	if !state.Ended {
		p.service.Kill()
		state = p.service.Ended(wire.Patience)
	}
	g.printed, _ = whole(nil, p.stdout)                     // what cannot be read is left out
	g.command.stderr, p.stderr = p.stderr, g.command.stderr // which has its last words
	var failure *wire.Failure
	if state.Ended && !r.TimedOut {
		r.Exit, r.Signal = state.Exit, state.Signal
		failure = g.command.judge(phase, *r, g.spec.ExitCodes)
	}
	return g.explain(phase, r, failure)
}

// answered reads the line about a sample. A benchmark may have no time, or a negative one.
func (g *goTest) answered(r *run, line string) (nsPerOp float64, err error) {
	words := strings.Fields(line)
	const numbers = 13
	if len(words) < 1+numbers || (len(words)-1-numbers)%2 != 0 {
		return 0, errors.New("it has another form")
	}
	var n [numbers]int64
	for i := range n {
		if n[i], err = strconv.ParseInt(words[1+i], 10, 64); err != nil {
			return 0, err
		}
	}
	p, ran, waited := g.home.stays, n[3], n[4]
	p.restless = p.restless || n[2] > int64(quiet)+int64(quietShare*float64(p.idle))
	r.User, r.System, r.RSS = n[5], n[6], p.service.PeakMemory(n[7])
	r.shared = n[12] != 0
	g.command.kit.shared[g.id()] = r.shared
	r.Faults, r.MajorFaults, r.Voluntary, r.Involuntary = n[8]+n[9], n[9], n[10], n[11]
	values := map[string]float64{}
	for rest := words[1+numbers:]; len(rest) > 0; rest = rest[2:] {
		if values[rest[1]], err = strconv.ParseFloat(rest[0], 64); err != nil {
			return 0, err
		}
	}
	g.values = g.values[:0]
	for _, m := range g.spec.Values {
		x, printed := values[m.Bench]
		if x = scaled(x, m.Scale); !printed {
			x = math.NaN()
		}
		g.values = append(g.values, x)
	}
	if ran >= 0 {
		r.Wait = waitOf(int64(values[perOp]*float64(n[0])), ran, waited, n[5]+n[6])
	}
	return values[perOp], nil
}

// What package testing does between the two readings of the scheduler's numbers, besides the timed part: it reads the
// statistics of memory three times, for which all threads stop.
const (
	untimed      = 200 * time.Microsecond
	untimedShare = 0.1
)

// A process that uses more of the time in which it has nothing to do has work of its own. Not all processes are
// stopped: stopping and going on takes up to 0.15 ms a sample, and with it pairs of 1 ms differed by 17 % or more in 3
// of 7 runs, without in 1 of 13.
const (
	quiet      = 200 * time.Microsecond
	quietShare = 0.05
)

// waitOf is how long a thread waited for a CPU in the timed part of a sample because of other processes: not longer
// than it waited in all, less what the other threads of its process ran. It is not known if there was more than the
// timed part, or if the thread slept. All are in ns.
func waitOf(timed, ran, waited, cpu int64) int64 {
	if overhead := ran + waited - timed; overhead > int64(untimed)+int64(untimedShare*float64(timed)) ||
		-overhead > int64(untimedShare*float64(timed)) {
		return timer.Absent
	}
	return max(waited-max(cpu-ran, 0), 0)
}

// lengthen makes samples longer if what comes with each of them takes longer than they do: a collection, and what the
// benchmark prepares.
func (g *goTest) lengthen(sized *wire.Sized, overhead int64) {
	if g.spec.N > 0 || sized.Cut || sized.Time <= 0 {
		return
	}
	if goal := min(overhead, g.spec.MostGoal); goal > sized.Time {
		n := float64(sized.N) * float64(goal) / float64(sized.Time)
		sized.N, sized.Time = int(min(n, mostIterations)), goal
	}
}
