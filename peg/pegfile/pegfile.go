// Package pegfile is the document in which an instrumented program reports what its pegs
// have measured, docs/pegs.md: reading and checking it, and adding documents up. It starts
// nothing and keeps no state. Package peg records what is in the document; programs in other
// languages write it themselves.
package pegfile

import (
	"embed"
	"encoding/json"
	"errors"
	"strconv"
)

// Protocol names the version of the document that this package writes.
const Protocol = "suite-pegs/1"

// Variable is the environment variable that names the file into which a measured
// program writes its document, or fd:N, an inherited descriptor. If it is not set, pegs
// stay off.
const Variable = "SUITE_PEGS"

// PointsVariable is the environment variable with the names of the wanted points,
// separated by commas; if it is not set, all are wanted. A program may ignore it, because
// readers leave the other points out.
const PointsVariable = "SUITE_PEGS_POINTS"

// Document is what a program reports of its pegs. Times are nanoseconds.
type Document struct {
	Protocol string  `json:"pegs"`    // Protocol
	Clock    string  `json:"clock"`   // x86-rdtsc, wall, or what the program calls its own
	Residue  float64 `json:"residue"` // upper bound on an arc between two hits with no code between them
	Cost     float64 `json:"cost"`    // of a hit; an arc contains at most Residue of it
	// upper bound on the work of the program during one hit, which is subtracted from an arc with the cost of the hit
	Overlap  float64  `json:"overlap,omitempty"`
	Points   []Hits   `json:"points"`             // in the order in which they were first hit
	Arcs     []Arc    `json:"arcs"`               // by From, To, Kind, Lane
	Problems []string `json:"problems,omitempty"` // duplicate names, unknown names, spans left open
	End      bool     `json:"end"`                // the program has ended; false: hits may be missing
}

// Hits is a point of a document, with the number of its hits.
type Hits struct {
	Name      string `json:"name"`
	File      string `json:"file,omitempty"` // the source file that made the point
	Line      int    `json:"line,omitempty"`
	Count     uint64 `json:"count"`               // hits, stops without a start included
	Unmatched uint64 `json:"unmatched,omitempty"` // hits among Count that ended no arc because none had begun
}

// Kind is the rule that made an arc.
type Kind string

// The kinds of arc.
const (
	KindNext     Kind = ""         // from the last point on the lane
	KindDirected Kind = "directed" // from the point that was named
	KindSpan     Kind = "span"     // from begin to end of the span To, inside the span From
)

// Other replaces the From of arcs to a point that has too many predecessors to keep
// apart.
const Other = "…"

// Arc summarizes the times from one point to another, or of a span.
type Arc struct {
	From    string  `json:"from"`
	To      string  `json:"to"`
	Kind    Kind    `json:"kind,omitempty"`
	Lane    string  `json:"lane,omitempty"` // empty: the default one
	Count   uint64  `json:"count"`
	Sum     float64 `json:"sum"`
	Min     float64 `json:"min"`
	Max     float64 `json:"max"`
	Squares float64 `json:"squares"`        // sum of the squared deviations from the mean
	Zero    uint64  `json:"zero,omitempty"` // times among Count that were below zero, and count as zero
	// replaces the document's residue if greater, because this arc spans several hits or they found the caches cold
	Residue float64 `json:"residue,omitempty"`
	// replaces the document's overlap if greater, because this arc spans several hits
	Overlap   float64 `json:"overlap,omitempty"`
	Histogram []Bin   `json:"histogram,omitempty"` // ascending
}

// Bin is Count arcs of at least Low and less than High nanoseconds; [Low, High, Count]
// in JSON.
type Bin struct {
	Low, High float64
	Count     uint64
}

// MarshalJSON returns [Low, High, Count].
func (b Bin) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{b.Low, b.High, b.Count})
}

// UnmarshalJSON reads what MarshalJSON returns.
func (b *Bin) UnmarshalJSON(text []byte) error {
	var three []json.Number
	if err := json.Unmarshal(text, &three); err != nil || len(three) != 3 {
		return errBin
	}
	low, err1 := three[0].Float64()
	high, err2 := three[1].Float64()
	count, err3 := strconv.ParseUint(string(three[2]), 10, 64)
	*b = Bin{Low: low, High: high, Count: count}
	return errors.Join(err1, err2, err3)
}

var errBin = errors.New("a bin of a histogram is three numbers: [low, high, count]")

// Source holds the files of this package, so that hosts of other modules are built
// with it.
//
//go:embed *.go
var Source embed.FS
