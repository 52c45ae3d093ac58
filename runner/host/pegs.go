package host

import (
	"bytes"
	"encoding/json"
	"fmt"

	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host/wire"
)

// pegPass is a pass with pegs that is under way.
type pegPass wire.Pegged

// pegged is a body with pegs, which all of them are.
type pegged interface {
	pegs(k *kit, r *wire.Request) (*pegPass, *wire.Failure)
}

// Limits of the pass with pegs.
const (
	mostPegged  = 10_000 // batches: a clock that stands still would never reach the goal
	mostPegRuns = 5      // of a program: each of them starts it, with its hooks
	roomInFrame = 1 << 16
)

// sendable fails pegs that do not fit into one message: 16 MiB are some 40,000 arcs
// with their histograms.
func (p *pegPass) sendable() *wire.Failure {
	text, err := json.Marshal(p.Document)
	switch {
	case err != nil:
		return pegFailure(wire.FailedError, "the pegs cannot be written: "+err.Error())
	case len(text) > wire.MaxFrame-roomInFrame:
		const mib = 1 << 20
		return pegFailure(wire.FailedError,
			fmt.Sprintf("the pegs are too many: %d arcs are %.1f MiB of text, and there is room for %.1f; pegs: "+
				"[names] asks for some of them",
				len(p.Document.Arcs), float64(len(text))/mib, float64(wire.MaxFrame-roomInFrame)/mib))
	}
	return nil
}

func pegFailure(cause wire.Cause, message string) *wire.Failure {
	return newFailure(wire.PhasePegs, cause, message, "")
}

// goesOn reports whether the pass of a request takes another batch: it has at least one,
// then as many as were asked for or as fill the goal.
func (p *pegPass) goesOn(k *kit, r *wire.Request, most int, start int64) bool {
	switch {
	case k.stop.Load() || p.Batches >= most:
		return false
	case p.Batches == 0:
		return true
	case k.now()-start >= r.Limit:
		return false
	case r.Runs > 0:
		return p.Batches < r.Runs
	}
	return p.Elapsed < r.Goal
}

// take keeps the part of a document that is about the wanted points, and the names of
// all points that were hit.
func (p *pegPass) take(doc *pegfile.Document, wanted []string) {
	for _, point := range doc.Points {
		if point.Count > 0 {
			p.Known = append(p.Known, point.Name)
		}
	}
	p.Document = doc.Only(wanted...)
}

// warmShare: a first batch that lasts less than this part of the goal is thrown away.
// It fills the memory in which pegs keep their arcs, which would show in the longest
// arcs.
const warmShare = 10

// pegs runs batches with pegs on, under the same settings as batches of samples, and
// reads what the pegs have written into memory after the last of them.
func (f *function) pegs(k *kit, r *wire.Request) (p *pegPass, failure *wire.Failure) {
	p = &pegPass{}
	f.inside(func() {
		policy := k.startGC(f.spec.GC)
		defer policy.end()
		f.on(k, func(m *meter) {
			peg.Enable(r.Pegs...)
			defer peg.Disable()
			peg.Reset()
			if f.inputs != nil { // what makes an input may have pegs too
				f.inputs.aside = func(do func()) {
					peg.Disable()
					do()
					peg.Enable(r.Pegs...)
				}
				defer func() { f.inputs.aside = nil }()
			}
			failure = guard(wire.PhasePegs, func() { f.peggedBatches(k, m, r, p) })
			if failure == nil {
				failure = p.snapshot(r.Pegs)
			}
		})
	})
	return p, failure
}

func (f *function) peggedBatches(k *kit, m *meter, r *wire.Request, p *pegPass) {
	start, warm := k.now(), false
	row := &f.blank(m, 1)[:1][0]
	for p.goesOn(k, r, mostPegged, start) {
		began := k.now()
		f.time(m, max(r.N, 1), row)
		took := k.now() - began
		if !warm && took < r.Goal/warmShare {
			peg.Reset()
			warm = true
			continue
		}
		warm = true
		p.Batches, p.Elapsed = p.Batches+1, p.Elapsed+took
		p.Iterations += (int64(max(r.N, 1)) + max(row.void, 0)) * int64(max(f.spec.Parallel, 1))
	}
}

// snapshot takes what the pegs have measured, checked like the file of any program: a
// result must be consistent whoever has written it.
func (p *pegPass) snapshot(wanted []string) *wire.Failure {
	doc := peg.Snapshot()
	if len(doc.Points) == 0 { // nothing was hit, or the program was built without pegs
		return nil
	}
	text, err := json.Marshal(doc)
	if err == nil {
		doc, err = pegfile.Read(bytes.NewReader(text))
	}
	if err != nil {
		return pegFailure(wire.FailedError, "the pegs are not valid: "+err.Error())
	}
	doc.End = true // of the pass: the program goes on
	p.take(doc, wanted)
	return nil
}
