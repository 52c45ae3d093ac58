package result

// Pegs are the arcs of a case, measured in a pass of its own, behind
// the samples, and never judged by them. Times are seconds.
type Pegs struct {
	Clock      string     `json:"clock"`
	Iterations int64      `json:"iterations"`          // of the pass; runs, of a command
	Seconds    float64    `json:"seconds"`             // that the iterations took, with their pegs
	Residue    float64    `json:"residue"`             // at most this remains in an arc between two neighbours with nothing between them
	Cost       float64    `json:"cost"`                // of a hit; of it no more than Residue lies in an arc
	Points     []PegPoint `json:"points"`              // in the order in which they were first hit
	Arcs       []Arc      `json:"arcs"`                // by From, To, Kind, Lane
	Problems   []string   `json:"problems,omitempty"`  // as the program says them
	Truncated  bool       `json:"truncated,omitempty"` // the program did not come to its end: there may be more
}

// PegPoint is a named point of the program.
type PegPoint struct {
	Name      string `json:"name"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Hits      int64  `json:"hits"`
	Unmatched int64  `json:"unmatched,omitempty"` // of them, those that ended nothing because nothing had begun
}

// ArcKind is how an arc came about.
type ArcKind string

// The kinds of arc.
const (
	ArcNext     ArcKind = ""         // from the last point on the lane
	ArcDirected ArcKind = "directed" // from the point that was named, whatever lies between
	ArcSpan     ArcKind = "span"     // of the span To, inside of the span From, "" for none
)

// Arc is what was measured between two points, or of a span, on the lanes of one
// name. All numbers are over the whole pass.
type Arc struct {
	From      string   `json:"from"`
	To        string   `json:"to"`
	Kind      ArcKind  `json:"kind,omitempty"`
	Lane      string   `json:"lane,omitempty"`
	Count     int64    `json:"count"`
	Sum       float64  `json:"sum"`
	Min       float64  `json:"min"`
	Max       float64  `json:"max"`
	Mean      float64  `json:"mean"`
	StdDev    float64  `json:"stddev"`
	P50       *float64 `json:"p50,omitempty"` // by the histogram; absent without one
	P90       *float64 `json:"p90,omitempty"`
	P99       *float64 `json:"p99,omitempty"`
	Residue   float64  `json:"residue,omitempty"`   // in place of the residue of the pegs if greater: hits of this arc found the caches cold
	Zero      int64    `json:"zero,omitempty"`      // of Count, those that came out below zero, and count as zero
	Histogram []ArcBin `json:"histogram,omitempty"` // ascending
}

// ResidueOf returns what each time of an arc may be off by, in seconds, in either direction.
func (p *Pegs) ResidueOf(a *Arc) float64 { return max(p.Residue, a.Residue) }

// ArcBin is low, high, count: so many arcs of at least low and less than high seconds.
type ArcBin [3]float64
