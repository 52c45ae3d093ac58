package host

import (
	"encoding/json"
	"fmt"

	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host/wire"
)

// pegPass is a pass with pegs that is under way.
type pegPass wire.Pegged

// pegged is a body with pegs, which all of them are.
type pegged interface {
	pegs(h *Host, r *wire.Request) (*pegPass, *wire.Failure)
}

// pegs answers the request for the pass.
func (h *Host) pegs(r *wire.Request) func(body) *wire.Response {
	return func(b body) *wire.Response {
		p, failure := b.(pegged).pegs(h, r)
		if failure == nil {
			failure = p.sendable()
		}
		if failure != nil {
			return &wire.Response{Failure: failure}
		}
		return &wire.Response{Pegged: (*wire.Pegged)(p)}
	}
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
		return pegFailure("error", "the pegs cannot be written: "+err.Error())
	case len(text) > wire.MaxFrame-roomInFrame:
		const mib = 1 << 20
		return pegFailure("error", fmt.Sprintf("the pegs are too many: %d arcs are %.1f MiB of text, and there is room for %.1f; pegs: [names] asks for some of them",
			len(p.Document.Arcs), float64(len(text))/mib, float64(wire.MaxFrame-roomInFrame)/mib))
	}
	return nil
}

func pegFailure(cause, message string) *wire.Failure {
	return told("pegs", cause, message, "")
}

// goesOn reports whether the pass of a request takes another batch: it has at least one,
// then as many as were asked for or as fill the goal.
func (p *pegPass) goesOn(h *Host, r *wire.Request, most int, start int64) bool {
	switch {
	case h.stop.Load() || p.Batches >= most:
		return false
	case p.Batches == 0:
		return true
	case h.now()-start >= r.Limit:
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
