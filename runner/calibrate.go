package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"example.com/suite/host"
	"example.com/suite/result"
)

// calibration is what timing costs in hosts of one kind, as the first of them
// found it.
type calibration struct {
	hello *host.Hello
	costs *host.Costs
}

// greet opens a host: hello, and calibration where it is the first of its kind
// in this suite. Later hosts get the costs of the first.
func (w *window) greet(ctx context.Context, r *remote, kind string) *result.Failure {
	response, failure := r.call(ctx, &host.Request{Op: "hello", Kind: kind, Clock: w.plan.Timer.Clock}, grace)
	if failure != nil {
		return failure
	}
	hello := response.Hello
	if hello == nil || hello.Version != host.Version || hello.Hash != host.Hash() {
		return &result.Failure{Phase: "start", Cause: "protocol", Message: "the host was built from another version of suite",
			Hint: "build it again"}
	}
	return w.calibrate(ctx, r, kind, hello)
}

// calibrate takes the costs of timing from the first host of a kind, and from
// a later one only where it found that they had moved.
func (w *window) calibrate(ctx context.Context, r *remote, kind string, hello *host.Hello) *result.Failure {
	w.progress(nil, "calibrate")
	request := &host.Request{Op: "calibrate"}
	known := w.calibrated[hostKind{w.plan, kind}]
	if known != nil {
		request.Known = known.costs
	}
	response, failure := r.call(ctx, request, 2*grace)
	if failure != nil {
		return failure
	}
	if known != nil && response.Costs.Elapsed == known.costs.Elapsed {
		return nil // it kept them
	}
	c := &calibration{hello, response.Costs}
	if kind == host.KindGo && (c.costs.Direct == nil || c.costs.Indirect == nil) {
		return r.breach("calibrate", "no cost of loops")
	}
	w.calibrated[hostKind{w.plan, kind}] = c
	w.calibrations = append(w.calibrations, w.describe(kind, c))
	return nil
}

// raiseFloor keeps the stated floor of peak memory true when the host that
// starts the commands grows.
func (w *window) raiseFloor(t *track, peak int64) {
	for i := range w.calibrations {
		c := &w.calibrations[i]
		if c.Suite == w.plan.Suite && c.Host == t.hostKind() && c.SpawnFloor != nil {
			c.SpawnFloor.RSS = max(c.SpawnFloor.RSS, float64(peak))
		}
	}
}

// describe turns costs into the unit of the document.
func (w *window) describe(kind string, c *calibration) result.Calibration {
	d := result.Calibration{
		Suite: w.plan.Suite, Host: kind, Binary: w.binary(w.Host[0]), Seconds: seconds(float64(c.costs.Elapsed)),
		Clock: result.ClockInfo{Name: c.hello.Clock, Resolution: seconds(float64(c.costs.Resolution)),
			Cost: seconds(c.costs.Reading.NS), CostError: seconds(c.costs.Reading.Error)},
	}
	for _, s := range c.hello.Skipped {
		d.Clock.Skipped = append(d.Clock.Skipped, result.Skipped{Name: s.Name, Reason: s.Reason})
	}
	if c.costs.Direct != nil {
		d.Direct = &result.LoopCost{Batch: seconds(c.costs.Direct.Batch.NS), BatchError: seconds(c.costs.Direct.Batch.Error),
			Iteration: seconds(c.costs.Direct.Iteration.NS), IterationError: seconds(c.costs.Direct.Iteration.Error)}
	}
	if c.costs.Indirect != nil {
		d.Indirect = &result.LoopCost{Batch: seconds(c.costs.Indirect.Batch.NS), BatchError: seconds(c.costs.Indirect.Batch.Error),
			Iteration: seconds(c.costs.Indirect.Iteration.NS), IterationError: seconds(c.costs.Indirect.Iteration.Error)}
	}
	if f := c.costs.Floor; f != nil {
		d.SpawnFloor = &result.Spawn{Program: f.Program, Time: seconds(float64(f.Time)), RSS: float64(f.RSS)}
	}
	return d
}

// seconds turns nanoseconds into the unit of the document.
func seconds(ns float64) float64 { return ns / 1e9 }

// charge tells a case what its samples have to be relieved of, and what its
// loop costs.
func (t *track) charge(c *calibration) {
	if c == nil || t.isCommand() {
		return // 30 ns beside a process of at least 40 µs
	}
	t.empty = c.costs.Empty
	loop := c.costs.Direct
	if t.result.Loop == "indirect" {
		loop = c.costs.Indirect
	}
	t.loopStart = loop.Batch.NS
	t.result.ClockCost = seconds(t.empty["time"].NS)
	t.result.LoopCost = seconds(loop.Iteration.NS) / t.units(1)
	t.result.LoopError = seconds(loop.Iteration.Error) / t.units(1)
}

// binary is the sha256 of a program, empty where it cannot be read. Each is
// read once.
func (r *run) binary(path string) string {
	if path == "" {
		path = r.Host[0]
	}
	if hash, known := r.binaries[path]; known {
		return hash
	}
	r.binaries[path] = hashFile(path)
	return r.binaries[path]
}

func hashFile(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return fmt.Sprintf("sha256:%s", hex.EncodeToString(sum.Sum(nil)))
}
