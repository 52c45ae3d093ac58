package result

import (
	"strings"
	"time"
)

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
	// Gates are the gates of it that this tree removed or relaxed. The run was judged by them
	// too, unless they are accepted.
	Gates []GateChange `json:"gates,omitempty"`
}

// GateChange is a gate of the base that this tree removed or relaxed.
type GateChange struct {
	Case     string `json:"case,omitempty"` // empty: the whole suite
	Gate     string `json:"gate"`           // its name in the base, or the key of the suite file
	Was      string `json:"was"`            // as the base has it
	Now      string `json:"now,omitempty"`  // as this tree has it; empty: removed
	Accepted bool   `json:"accepted,omitempty"`
}

// String is the change in one line: "relaxed: words: tolerance@against: not worse(time, 20%),
// now not worse(time, 900%)".
func (g *GateChange) String() string {
	var text strings.Builder
	if g.Now == "" {
		text.WriteString("removed: ")
	} else {
		text.WriteString("relaxed: ")
	}
	if g.Case != "" {
		text.WriteString(g.Case + ": ")
	}
	if !strings.HasPrefix(g.Was, g.Gate) { // else the expression is the name
		text.WriteString(g.Gate + ": ")
	}
	text.WriteString(g.Was)
	if g.Now != "" {
		text.WriteString(", now " + g.Now)
	}
	if g.Accepted {
		return text.String() + " (accepted by --accept-gates)"
	}
	return text.String() + " (judged as it was)"
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
	Name  string           `json:"name,omitempty"` // in Against, if it differs (was:)
	State CounterpartState `json:"state"`
	// of an unaffected case, and of one that was measured although it counts as such
	Rule   UnaffectedRule `json:"rule,omitempty"`
	Reason string         `json:"reason,omitempty"` // why it is not compared

	Evidence *Evidence `json:"evidence,omitempty"` // for which a case is measured and not called unaffected
}

// UnaffectedRule is why a case cannot differ between two trees.
type UnaffectedRule string

const (
	SameProgram UnaffectedRule = "same-program" // bit by bit, and what the benchmark was observed to read
	// code and data that it can reach, and what the benchmark was observed to read
	CannotReach UnaffectedRule = "cannot-reach"
	// code that it executed, data to which that refers, and what the benchmark was observed to read
	DidNotExecute UnaffectedRule = "did-not-execute"
	SameFiles     UnaffectedRule = "same-files"  // what the command was observed to read, its programs included
	SameInputs    UnaffectedRule = "same-inputs" // no file that matches the case's inputs has changed
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

// Compared reports whether the case is compared, in pairs or with a saved result. It is
// false for nil.
func (c *Counterpart) Compared() bool {
	return c != nil && (c.State == CounterpartPaired || c.State == CounterpartUnpaired)
}
