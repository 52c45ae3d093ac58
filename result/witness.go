package result

// Witness is what the instructions of both sides show about a change of the time: whether the
// code does more, or the same work takes longer.
type Witness struct {
	Source WitnessSource `json:"source"`
	// Base and Candidate are instructions per unit of work: medians of the pairs, or the
	// numbers of one simulated run of each side.
	Base      float64 `json:"base"`
	Candidate float64 `json:"candidate"`
	Ratio     float64 `json:"ratio"` // candidate ÷ base
	// Low and High are the ends of the 99 % interval of the ratio, which is valid however
	// often one looks. Simulated instructions have none.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
	// Tolerance is the change of the instructions that counts as none.
	Tolerance float64       `json:"tolerance"`
	Change    WitnessChange `json:"change"`
	// absent if the time is the same, or if it is unclear whether one of the two changed
	Cause WitnessCause `json:"cause,omitempty"`
}

// WitnessSource is how instructions were counted.
type WitnessSource string

// Instructions are counted by the processor, in the pairs themselves, or by callgrind, in one
// run of each side after the samples.
const (
	WitnessCounter   WitnessSource = "counter"
	WitnessCallgrind WitnessSource = "callgrind"
)

// WitnessChange is how the instructions differ from the base's.
type WitnessChange string

// The changes of instructions. Those that were shown to differ by less than the tolerance are
// the same.
const (
	WitnessSame    WitnessChange = "same"
	WitnessMore    WitnessChange = "more"
	WitnessFewer   WitnessChange = "fewer"
	WitnessUnclear WitnessChange = "unclear"
)

// WitnessCause is where a change of the time comes from, as far as instructions show it.
type WitnessCause string

// The causes of a change of the time.
const (
	WitnessCode      WitnessCause = "code"      // the code does more, or less, by at least half of the change
	WitnessPartly    WitnessCause = "partly"    // the code does more, or less, but that is less than half of the change
	WitnessElsewhere WitnessCause = "elsewhere" // the code does the same: layout, memory or neighbours
	WitnessOpposite  WitnessCause = "opposite"  // the code does more and takes less time, or the other way round
)

var (
	witnessSources = []WitnessSource{WitnessCounter, WitnessCallgrind}
	witnessChanges = []WitnessChange{WitnessSame, WitnessMore, WitnessFewer, WitnessUnclear}
	witnessCauses  = []WitnessCause{"", WitnessCode, WitnessPartly, WitnessElsewhere, WitnessOpposite}
)
