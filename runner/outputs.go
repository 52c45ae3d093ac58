package runner

import (
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/target"
)

// outputs are what the commands of a run have printed that all have to print
// the same. What each of them has to print is what the first of them did.
type outputs map[target.OutputKey]*wire.Output

// unknownSize is the size of an output of which only the hash is known.
const unknownSize = -1

// expect sends a host what a command has to print, as soon as it is known, and only
// once: a text of 256 KiB in each request would cost a millisecond.
func (o outputs) expect(s *side, request *wire.Request, to *remote) {
	first := o[s.target.OutputKey()]
	if !s.target.Spec.SameOutput || first == nil {
		return
	}
	known := *first
	if known.Of == s.result.Name {
		known.Of = ""
	}
	switch {
	case request.Command != nil:
		request.Command.Expect = &known
	case request.Op == "run" && s.expects != to:
		request.Expect = &known
	default:
		return
	}
	s.expects, s.result.Output = to, first.Hash
}

// take takes over what the first run of a command has printed.
func (o outputs) take(s *side, response *wire.Response, from *remote) {
	if response == nil || response.Output == nil || !s.target.Spec.SameOutput || o[s.target.OutputKey()] != nil {
		return
	}
	first := *response.Output
	first.Text = first.Text[:min(len(first.Text), wire.KeptOutput)]
	if first.Hash == "" {
		return
	}
	first.Of = s.result.Name
	o[s.target.OutputKey()] = &first
	s.expects, s.result.Output = from, first.Hash
}

// recall takes over the output of a case that was measured before the run was
// interrupted. Only its hash is known.
func (o outputs) recall(s *side) {
	if key := s.target.OutputKey(); s.target.Spec.SameOutput && s.result.Output != "" && o[key] == nil {
		o[key] = &wire.Output{Of: s.result.Name, Hash: s.result.Output, Size: unknownSize}
	}
}

// drop forgets the output of a case that no other has to print.
func (o outputs) drop(s *side) {
	if s.target.Spec.OutputName == "" {
		delete(o, s.target.OutputKey())
	}
}
