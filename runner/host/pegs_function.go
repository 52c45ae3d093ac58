package host

import (
	"bytes"
	"encoding/json"

	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
)

// warmShare of the goal is what a batch may last that is thrown away first: it fills
// what the pegs keep their arcs in, which would be seen in the longest of them.
const warmShare = 10

// pegs runs batches with pegs on, set up as those of samples are, and what they have
// written into memory is read after the last of them.
func (f *function) pegs(h *Host, r *Request) (p *Pegged, failure *Failure) {
	p = &Pegged{}
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

func (f *function) peggedBatches(h *Host, m *meter, r *Request, p *Pegged) {
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

// snapshot takes what the pegs have measured, checked as that of any program: a result
// has to hold together whoever has written it.
func (p *Pegged) snapshot(wanted []string) *Failure {
	doc := peg.Snapshot()
	if len(doc.Points) == 0 { // nothing was hit, or the program was built without pegs
		return nil
	}
	text, err := json.Marshal(doc)
	if err == nil {
		doc, err = pegfile.Read(bytes.NewReader(text))
	}
	if err != nil {
		return pegFailure("error", "the pegs do not hold together: "+err.Error())
	}
	doc.End = true // of the pass: the program goes on
	p.take(doc, wanted)
	return nil
}
