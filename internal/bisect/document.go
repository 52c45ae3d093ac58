package bisect

import (
	"io"
	"time"

	"example.com/suite/internal/jsondoc"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
)

// Schema names the form of a Document.
const Schema = "suite-bisect/1"

// Document is the outcome of a search.
type Document struct {
	Schema     string      `json:"schema"`
	Tool       result.Tool `json:"tool"`
	Suite      string      `json:"suite"`
	File       string      `json:"file"` // the suite file
	Case       string      `json:"case"`
	Started    time.Time   `json:"started"`
	Seconds    float64     `json:"seconds"` // of this part of the search
	Good       End         `json:"good"`
	Bad        End         `json:"bad"`
	Metric     string      `json:"metric"`              // that was compared: time or instructions
	Backwards  bool        `json:"backwards,omitempty"` // the good commit is the later one
	Commits    int         `json:"commits"`             // that could be the answer
	Tolerance  float64     `json:"tolerance"`           // the smallest change that was looked for
	Asked      float64     `json:"asked_confidence"`    // that was asked for
	Confidence float64     `json:"confidence"`          // that all intervals of all steps are right
	Outcome    Outcome     `json:"outcome"`             //
	Reason     string      `json:"reason,omitempty"`    // of an outcome that is no answer
	Change     *Answer     `json:"change,omitempty"`    // bad against good
	Found      *Commits    `json:"found,omitempty"`     // the answer
	Range      *Range      `json:"range,omitempty"`     // where the change is, if there is no answer
	Steps      []Step      `json:"steps,omitempty"`     // comparisons, in order
	Skipped    []Skipped   `json:"skipped,omitempty"`   // commits that were not measured
	Interrupt  string      `json:"interrupt,omitempty"` // name of the signal that ended the search
	Continue   string      `json:"continue,omitempty"`  // the command that goes on from here
	Exit       int         `json:"exit"`                // status of the command
	Flags      []string    `json:"-"`                   // of the command of another search, besides its ends
}

// End is one of the two commits that a search begins with.
type End struct {
	Asked  string      `json:"asked"` // as the user named it
	Commit tree.Commit `json:"commit"`
}

// Outcome is how a search ended.
type Outcome string

// The outcomes of a search.
const (
	Found       Outcome = "found"       // the change, in one commit or in a range that cannot be narrowed down
	Unchanged   Outcome = "unchanged"   // the bad commit is not slower than the good one
	Faster      Outcome = "faster"      // it is faster
	Spread      Outcome = "spread"      // it is slower, and no commit alone is as slow as was asked for
	Undecided   Outcome = "undecided"   // the comparisons do not decide it
	Failed      Outcome = "failed"      // the case could not be measured
	Interrupted Outcome = "interrupted" // a signal ended the search
)

// Exit statuses of a search that no signal has ended.
const (
	exitFound     = 0
	exitNone      = 1
	exitFailed    = 3
	exitUndecided = 4
)

// Status is the exit status that follows from how a search ended.
func (d *Document) Status() int {
	switch d.Outcome {
	case Found:
		return exitFound
	case Unchanged, Faster, Spread:
		return exitNone
	case Failed:
		return exitFailed
	case Interrupted:
		return result.InterruptStatus(d.Interrupt)
	}
	return exitUndecided
}

// isOver reports whether nothing is left to search: the same search would find the same.
func (d *Document) isOver() bool {
	return d.Outcome != Interrupted && d.Outcome != Undecided && d.Outcome != Failed
}

// Commits are the commits that have made the case slower: one, or several that cannot be told
// apart because those between them cannot be measured. In a search for what made it faster,
// they are those that did.
type Commits struct {
	Commits []tree.Commit `json:"commits"` // in the order of the line
	Parent  tree.Commit   `json:"parent"`  // that they are compared with
	Change  Answer        `json:"change"`  // the slower side against the faster one
	// the faster side against the good commit, if it is another one
	Before *Answer `json:"before,omitempty"`
	// the slower side against the good commit, if it is not the bad one
	After     *Answer       `json:"after,omitempty"`
	Merges    []tree.Commit `json:"merges,omitempty"`    // that have brought the commit into the line, the latest first
	Unsettled string        `json:"unsettled,omitempty"` // why it is not known which commit of a merged branch it is
}

// Range is what is left of a line: the change is in one of so many commits after Good, up to
// Bad.
type Range struct {
	Good    tree.Commit `json:"good"`
	Bad     tree.Commit `json:"bad"`
	Commits int         `json:"commits"`
}

// Purpose is why two commits are compared.
type Purpose string

// The purposes of comparisons.
const (
	Ends   Purpose = "ends"   // is there a change at all, and how large?
	Middle Purpose = "middle" // is the commit before or after the change?
	Pair   Purpose = "pair"   // does a commit differ from its parent?
)

// Step is one comparison of a search.
type Step struct {
	Metric    string  `json:"-"`      // as in the document
	Number    int     `json:"number"` // from 1
	Of        int     `json:"-"`      // that a search usually takes
	Purpose   Purpose `json:"purpose"`
	Candidate string  `json:"candidate"` // hash
	Base      string  `json:"base"`      // hash
	Above     float64 `json:"above"`     // ratios: is the candidate slower by more than this …
	Below     float64 `json:"below"`     // … or by less than this?
	Side      string  `json:"side"`      // above, below, undecided
	Answer    *Answer `json:"answer"`    // nil before it is known
	Replayed  bool    `json:"replayed,omitempty"`
}

// Skipped is a commit that was not measured.
type Skipped struct {
	Commit string `json:"commit"`       // hash
	As     string `json:"as,omitempty"` // hash of a commit with the same program, whose comparison counts for both
	Reason string `json:"reason"`
}

// WriteJSON writes a document as JSON.
func (d *Document) WriteJSON(w io.Writer) error { return jsondoc.Write(w, d) }
