package result

// Pegs are the arcs of a case. They are measured in a separate pass after the samples,
// because pegs take time of their own. Times are seconds.
type Pegs struct {
	Clock      string  `json:"clock"`
	Iterations int64   `json:"iterations"` // of the pass; for a command, runs
	Seconds    float64 `json:"seconds"`    // time of the iterations, with their pegs
	Residue    float64 `json:"residue"`    // most that an arc shows if there is no code between its two points
	Cost       float64 `json:"cost"`       // of a hit; an arc contains at most Residue of it
	// most that the program may have worked during a hit; it is subtracted with the cost
	Overlap   float64    `json:"overlap,omitempty"`
	Points    []PegPoint `json:"points"`              // in the order in which they were first hit
	Arcs      []Arc      `json:"arcs"`                // by From, To, Kind, Lane
	Problems  []string   `json:"problems,omitempty"`  // in the program's own words
	Truncated bool       `json:"truncated,omitempty"` // the program did not end normally, so hits may be missing
}

// PegPairs are further passes with pegs of a case and of its base, in pairs. Each pair has
// processes, setups and layouts of its own, in an order by coin, so it is one observation.
// They are taken if the pairs of samples differ. Times are seconds per iteration.
type PegPairs struct {
	Base []float64  `json:"base"` // an iteration of the base, in each pair
	Case []float64  `json:"case"` // an iteration of the case, likewise
	Arcs []ArcPairs `json:"arcs"` // by From, To, Kind
}

// ArcPairs is the time in an arc, on all lanes together, in each pair of passes. It is 0 in
// a pass in which nothing took the arc.
type ArcPairs struct {
	From string    `json:"from"`
	To   string    `json:"to"`
	Kind ArcKind   `json:"kind,omitempty"`
	Base []float64 `json:"base"`
	Case []float64 `json:"case"`
}

// PegPoint is a named point of the program.
type PegPoint struct {
	Name      string `json:"name"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Hits      int64  `json:"hits"`
	Unmatched int64  `json:"unmatched,omitempty"` // of Hits: those that end an arc or span that had not begun
}

// ArcKind is what an arc begins at.
type ArcKind string

// The kinds of arc.
const (
	ArcNext     ArcKind = ""         // from the last point on the lane
	ArcDirected ArcKind = "directed" // from the point that the program names, whatever was hit since
	ArcSpan     ArcKind = "span"     // the span To, inside the span From; From is "" for an outermost span
)

// Arc contains the times between two points, or of a span, on all lanes of one name, over
// the whole pass.
type Arc struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Kind   ArcKind  `json:"kind,omitempty"`
	Lane   string   `json:"lane,omitempty"`
	Count  int64    `json:"count"`
	Sum    float64  `json:"sum"`
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Mean   float64  `json:"mean"`
	StdDev float64  `json:"stddev"`
	P50    *float64 `json:"p50,omitempty"` // from the histogram; absent without one
	P90    *float64 `json:"p90,omitempty"`
	P99    *float64 `json:"p99,omitempty"`
	// replaces the residue of the pegs if greater: this arc spans several hits, or they found the caches cold
	Residue float64 `json:"residue,omitempty"`
	// replaces the overlap of the pegs if greater: this arc spans several hits
	Overlap float64 `json:"overlap,omitempty"`
	// of Count: times below zero after subtracting the cost, counted as zero
	Zero      int64    `json:"zero,omitempty"`
	Histogram []ArcBin `json:"histogram,omitempty"` // ascending
}

// ResidueOf is the most that each time of an arc may be too long by, in seconds.
func (p *Pegs) ResidueOf(a *Arc) float64 { return max(p.Residue, a.Residue) }

// OverlapOf is the most that the program may have worked during the hits of each time of an
// arc, in seconds.
func (p *Pegs) OverlapOf(a *Arc) float64 { return max(p.Overlap, a.Overlap) }

// ShortOf is the most that each time of an arc may be too short by, in seconds.
func (p *Pegs) ShortOf(a *Arc) float64 { return max(p.ResidueOf(a), p.OverlapOf(a)) }

// ArcBin is low, high, count: the number of times of at least low and less than high seconds.
type ArcBin [3]float64
