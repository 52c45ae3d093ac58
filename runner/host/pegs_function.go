package host

import (
	"bytes"
	"encoding/json"

	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host/wire"
)

// warmShare: a first batch that lasts less than this part of the goal is thrown away.
// It fills the memory in which pegs keep their arcs, which would show in the longest
// arcs.
const warmShare = 10

// pegs runs batches with pegs on, under the same settings as batches of samples, and
// reads what the pegs have written into memory after the last of them.
func (f *function) pegs(h *Host, r *wire.Request) (p *pegPass, failure *wire.Failure) {
	p = &pegPass{}
	f.inside(func() {
		policy := h.startGC(f.GC)
		defer policy.end()
		f.on(h, func(m *meter) {
			peg.Enable(r.Pegs...)
			defer peg.Disable()
			peg.Reset()
			if failure = guard("pegs", func() { f.peggedBatches(h, m, r, p) }); failure == nil {
				failure = p.snapshot(r.Pegs)
			}
		})
	})
	return p, failure
}

func (f *function) peggedBatches(h *Host, m *meter, r *wire.Request, p *pegPass) {
	start, warm := h.now(), false
	row := &f.blank(m, 1)[:1][0]
	for p.goesOn(h, r, mostPegged, start) {
		began := h.now()
		f.time(m, max(r.N, 1), row)
		took := h.now() - began
		if !warm && took < r.Goal/warmShare {
			peg.Reset()
			warm = true
			continue
		}
		warm = true
		p.Batches, p.Elapsed = p.Batches+1, p.Elapsed+took
		p.Iterations += (int64(max(r.N, 1)) + max(row.void, 0)) * int64(max(f.Parallel, 1))
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
		return pegFailure("error", "the pegs are not valid: "+err.Error())
	}
	doc.End = true // of the pass: the program goes on
	p.take(doc, wanted)
	return nil
}
