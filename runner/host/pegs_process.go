package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host/wire"
)

// pegs makes runs of a program with its pegs on.
func (c *command) pegs(k *kit, r *wire.Request) (*pegPass, *wire.Failure) {
	return c.peggedRuns(k, r, func() (run, int64, *wire.Failure) {
		one, failure := c.attempt(wire.PhasePegs)
		switch {
		case failure == nil && one.TimedOut:
			return one, 0, c.judge(wire.PhasePegs, one, nil)
		case failure == nil && slices.Contains(c.spec.Reject, one.Exit):
			return one, 0, nil // void
		}
		return one, 1, failure
	})
}

// pegs makes runs of a test binary. Package testing begins with a run of one
// iteration, whose pegs are among the others.
func (g *goTest) pegs(k *kit, r *wire.Request) (*pegPass, *wire.Failure) {
	n := max(r.N, 1)
	iterations := int64(n)
	if n > 1 {
		iterations++
	}
	return g.command.peggedRuns(k, r, func() (run, int64, *wire.Failure) {
		one, nsPerOp, failure := g.sample(wire.PhasePegs, n)
		one.Wall = total(nsPerOp, int(iterations)) // without the start of the binary
		return one, iterations, failure
	})
}

// peggedRuns makes runs until the pass is over, and merges what they have written.
// A run of no iterations does not count.
func (c *command) peggedRuns(
	k *kit, r *wire.Request, once func() (run, int64, *wire.Failure),
) (*pegPass, *wire.Failure) {
	k.folder.Store(&r.Folder)
	defer func() {
		_ = os.Remove(r.Folder) // if the controller still runs, it removes the rest
		k.folder.Store(nil)
	}()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // as for samples
	runtime.GC()
	p, start := &pegPass{}, k.now()
	var docs []*pegfile.Document
	for tries := 0; tries < 2*mostPegRuns && p.goesOn(k, r, mostPegRuns, start); tries++ {
		doc, one, iterations, failure := c.peggedRun(r, once)
		if failure != nil {
			return nil, failure
		}
		if doc != nil {
			docs = append(docs, doc)
		}
		if iterations > 0 {
			p.Batches = p.Batches + 1
			p.Iterations = p.Iterations + iterations
			p.Elapsed = p.Elapsed + one.Wall
		}
	}
	if p.Batches == 0 && !k.stop.Load() {
		return nil, pegFailure(wire.FailedRejected, "no run counted, all were declared void")
	}
	if len(docs) > 0 {
		p.take(pegfile.Merge(docs...), r.Pegs)
	}
	return p, nil
}

// peggedRun makes one run, and reads what its processes have written: nothing if
// they have written nothing, or if the run is void.
func (c *command) peggedRun(
	r *wire.Request, once func() (run, int64, *wire.Failure),
) (doc *pegfile.Document, one run, iterations int64, failure *wire.Failure) {
	folder, err := os.MkdirTemp(r.Folder, "run-")
	if err != nil {
		return nil, one, 0, pegFailure(wire.FailedMissing, err.Error())
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "pegs")
	end := c.with(pegVariables(file, r.Pegs)...)
	one, iterations, failure = once()
	end()
	if failure != nil || iterations == 0 {
		return nil, one, iterations, failure
	}
	doc, err = pegfile.ReadAll(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, one, iterations, nil
	}
	if err != nil {
		return nil, one, iterations, pegFailure(wire.FailedError, readable(err, folder))
	}
	return doc, one, iterations, nil
}

// readable is an error of a file of pegs in one line, without the folder, which no
// longer exists when the error is read.
func readable(err error, folder string) string {
	text := strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), "")
	return strings.ReplaceAll(text, "\n\thint: ", "; ")
}

// pegVariables asks a program for its pegs: the file that they go to, and the points, all if none is named.
func pegVariables(file string, points []string) []string {
	variables := []string{pegfile.Variable + "=" + file}
	if len(points) > 0 {
		variables = append(variables, pegfile.PointsVariable+"="+strings.Join(points, ","))
	}
	return variables
}
