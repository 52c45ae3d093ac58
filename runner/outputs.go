package runner

import "example.com/suite/runner/host/wire"

// outputs are what the commands of a run have printed that all have to print
// the same. What each of them has to print is what the first of them did.
type outputs map[outputKey]*wire.Output

// outputKey is the key of an output, of one case or shared by several. The output of a
// case in another tree has its own key, because a change may be meant to change it.
type outputKey struct{ suite, tree, shared, alone string }

// unknownSize is the size of an output of which only the hash is known.
const unknownSize = -1

// expect sends a host what a command has to print, as soon as it is known, and only
// once: a text of 256 KiB in each request would cost a millisecond.
func (o outputs) expect(t *side, request *wire.Request, to *remote) {
	first := o[t.outputKey()]
	if !t.spec.SameOutput || first == nil {
		return
	}
	known := *first
	if known.Of == t.result.Name {
		known.Of = ""
	}
	switch {
	case request.Command != nil:
		request.Command.Expect = &known
	case request.Op == "run" && t.expects != to:
		request.Expect = &known
	default:
		return
	}
	t.expects, t.result.Output = to, first.Hash
}

// take takes over what the first run of a command has printed.
func (o outputs) take(t *side, response *wire.Response, from *remote) {
	if response == nil || response.Output == nil || !t.spec.SameOutput || o[t.outputKey()] != nil {
		return
	}
	first := *response.Output
	first.Text = first.Text[:min(len(first.Text), wire.KeptOutput)]
	if first.Hash == "" {
		return
	}
	first.Of = t.result.Name
	o[t.outputKey()] = &first
	t.expects, t.result.Output = from, first.Hash
}

// recall takes over the output of a case that was measured before the run was
// interrupted. Only its hash is known.
func (o outputs) recall(t *side) {
	if key := t.outputKey(); t.spec.SameOutput && t.result.Output != "" && o[key] == nil {
		o[key] = &wire.Output{Of: t.result.Name, Hash: t.result.Output, Size: unknownSize}
	}
}

// drop forgets the output of a case that no other has to print.
func (o outputs) drop(t *side) {
	if t.spec.OutputName == "" {
		delete(o, t.outputKey())
	}
}
