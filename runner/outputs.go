package runner

import "example.com/suite/runner/host/wire"

// outputs are what the commands of a run have printed that all have to print
// the same. What each of them has to print is what the first of them did.
type outputs map[outputKey]*wire.Output

// outputKey is the key of an output, of one case or shared by several. The output of a
// case in another tree has its own key, because a change may be meant to change it.
type outputKey struct{ suite, tree, shared, alone string }

func (t *side) outputKey() outputKey {
	if t.spec.OutputName != "" {
		return outputKey{suite: t.result.Suite, tree: t.tree, shared: t.spec.OutputName}
	}
	return outputKey{suite: t.result.Suite, tree: t.tree, alone: t.result.Name}
}

// unknownSize is the size of an output of which only the hash is known.
const unknownSize = -1

// expect sends a host what a command has to print, as soon as it is known, and only
// once: a text of 256 KiB in each request would cost a millisecond.
func (r *run) expect(t *side, request *wire.Request, to *remote) {
	o := r.outputs[t.outputKey()]
	if !t.spec.SameOutput || o == nil {
		return
	}
	known := *o
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
	t.expects, t.result.Output = to, o.Hash
}

// printed takes over what the first run of a command has printed.
func (r *run) printed(t *side, response *wire.Response, from *remote) {
	if response == nil || response.Output == nil || !t.spec.SameOutput || r.outputs[t.outputKey()] != nil {
		return
	}
	o := *response.Output
	if o.Text = o.Text[:min(len(o.Text), wire.KeptOutput)]; o.Hash == "" {
		return
	}
	o.Of = t.result.Name
	r.outputs[t.outputKey()], t.expects, t.result.Output = &o, from, o.Hash
}

// recall takes over the output of a case that was measured before the run was
// interrupted. Only its hash is known.
func (r *run) recall(t *side) {
	if key := t.outputKey(); t.spec.SameOutput && t.result.Output != "" && r.outputs[key] == nil {
		r.outputs[key] = &wire.Output{Of: t.result.Name, Hash: t.result.Output, Size: unknownSize}
	}
}

// drop forgets the output of a case that no other has to print.
func (r *run) drop(t *side) {
	if t.spec.OutputName == "" {
		delete(r.outputs, t.outputKey())
	}
}
