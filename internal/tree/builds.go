package tree

import "time"

// Builds is what is known of earlier builds for a tree. A file outside of all trees that has changed while a build ran
// may come from it. One that has changed at another time, after the outputs in the tree were made, comes from
// elsewhere, such as an update of the system, and the outputs may depend on what it was before.
type Builds struct {
	Since time.Time // no build whose outputs are in the tree began earlier; zero: there are no outputs
	Spans []Span    // of the last day, of this tree and of the trees that were compared with it, in their order
}

// Span is a time in which build commands ran.
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Builds returns what is known of builds of earlier runs and of this one. It is empty for a folder.
func (t *Tree) Builds() (b Builds) {
	if t.slot == nil {
		return b
	}
	if t.Kept {
		b.Since = t.slot.now.Since
	}
	b.Spans = t.slot.now.Builds
	return b
}

// Ran records that build commands ran, in this tree or in one that is compared with it. For a folder it does nothing.
func (t *Tree) Ran(s Span) error {
	if t.slot == nil {
		return nil
	}
	t.slot.now.Builds = append(t.slot.now.Builds, Span{From: s.From.UTC(), To: s.To.UTC()})
	return t.slot.write()
}

// Outdate makes the tree be like a fresh clone when it is opened again. For a folder it does nothing.
func (t *Tree) Outdate() error {
	if t.slot == nil {
		return nil
	}
	t.slot.now.Recipe, t.slot.now.Since = "", time.Time{}
	return t.slot.write()
}
