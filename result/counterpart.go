package result

import "time"

// Against is what the cases of a suite were compared with: another tree, or the
// result of an earlier run.
type Against struct {
	Asked     string      `json:"asked"`                // as the user wrote it: main, HEAD~1, ../old, base.json
	Kind      AgainstKind `json:"kind"`                 // revision, folder or result
	Revision  string      `json:"revision,omitempty"`   // full hash of the commit that was measured
	MergeBase bool        `json:"merge_base,omitempty"` // Revision is the last common commit of HEAD and Asked
	Dirty     bool        `json:"dirty,omitempty"`      // the user's tree had changes that no commit has
	Started   time.Time   `json:"started,omitzero"`     // when the run of a saved result began
	Hash      string      `json:"hash,omitempty"`       // sha256:… of the file of a saved result
	Removed   []string    `json:"removed,omitempty"`    // cases of it that the suite lists as removed
	Vanished  []string    `json:"vanished,omitempty"`   // cases of it that are gone and not listed; each is an error
	Notes     []string    `json:"notes,omitempty"`      // what a reader has to know, one sentence each
}

// AgainstKind is what --against named.
type AgainstKind string

// A git revision, a folder, or a saved result.
const (
	AgainstRevision AgainstKind = "revision"
	AgainstFolder   AgainstKind = "folder"
	AgainstResult   AgainstKind = "result"
)

// Counterpart is the same case in Against, and whether the two are compared.
type Counterpart struct {
	Name   string           `json:"name,omitempty"` // in Against, if it differs (was:)
	State  CounterpartState `json:"state"`
	Rule   UnaffectedRule   `json:"rule,omitempty"`   // of an unaffected case
	Reason string           `json:"reason,omitempty"` // why it is not compared
}

// UnaffectedRule is why a case cannot differ between two trees.
type UnaffectedRule string

const (
	SameProgram UnaffectedRule = "same-program" // bit by bit, and no file that the benchmark could read has changed
	SameInputs  UnaffectedRule = "same-inputs"  // no file that matches the case's inputs has changed
)

// CounterpartState is whether and how a case is compared with its counterpart.
type CounterpartState string

const (
	CounterpartPaired   CounterpartState = "paired"   // both were measured, in pairs
	CounterpartUnpaired CounterpartState = "unpaired" // compared with its saved result
	CounterpartNew      CounterpartState = "new"      // Against does not have the case
	CounterpartChanged  CounterpartState = "changed"  // Against defines the case differently
	CounterpartUnable   CounterpartState = "unable"   // both trees have the case, but it cannot be compared

	CounterpartUnaffected CounterpartState = "unaffected" // nothing that the case depends on has changed
)

// Unmatched is the reason why a case is not compared with its counterpart, empty if
// it is compared or unaffected.
func (c *Counterpart) Unmatched() string {
	switch {
	case c == nil || c.Compared() || c.IsUnaffected():
		return ""
	case c.State == CounterpartChanged:
		return "not comparable: " + c.Reason
	}
	return c.Reason
}

// Cause is the cause that goes with Unmatched, empty if that is.
func (c *Counterpart) Cause() Cause {
	switch {
	case c.Unmatched() == "":
		return ""
	case c.State == CounterpartNew:
		return CauseNoBase
	}
	return CauseNotComparable
}

// IsUnaffected reports whether nothing that the case depends on has changed. It is false
// for nil.
func (c *Counterpart) IsUnaffected() bool { return c != nil && c.State == CounterpartUnaffected }

// Summary is the base's summary of a metric, nil if it has none.
func (p *Pairs) Summary(metric string) *Summary {
	for i := range p.Metrics {
		if p.Metrics[i].Metric == metric {
			return &p.Metrics[i]
		}
	}
	return nil
}

// BaseName names the base in reports: the tree, or the other case.
func (p *Pairs) BaseName() string {
	if p.Tree != "" {
		return p.Tree
	}
	return p.Base
}

// IsVanished reports whether only the other tree has the case, and the suite file does not
// list it as removed. Such a case is in the document because it is an error.
func (c *Case) IsVanished() bool { return c.Failure != nil && c.Failure.Cause == FailedVanished }

// Suite finds a suite by name; nil if there is none.
func (d *Document) Suite(name string) *Suite {
	for i := range d.Suites {
		if d.Suites[i].Name == name {
			return &d.Suites[i]
		}
	}
	return nil
}

// Compared reports whether the case is compared, in pairs or with a saved result. It is
// false for nil.
func (c *Counterpart) Compared() bool {
	return c != nil && (c.State == CounterpartPaired || c.State == CounterpartUnpaired)
}
