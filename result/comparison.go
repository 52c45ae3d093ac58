package result

import (
	"encoding/json"
	"math"
)

// Comparison is the result of comparing one metric of a case over its pairs.
type Comparison struct {
	Metric    string  `json:"metric"`
	Unit      string  `json:"unit"`
	Exact     bool    `json:"exact"`     // neither side varied, so the values are compared without statistics
	Tolerance float64 `json:"tolerance"` // relative change too small to care about, 0 or more
	Alpha     float64 `json:"alpha"`     // chance of a false call in each direction, however often the pairs are judged
	// Within is the same chance of the call that the change is not beyond the tolerance, and of each end of the
	// interval, if it is not Alpha.
	Within    float64 `json:"within,omitempty"`
	Base      float64 `json:"base"`      // median of the base over the pairs used
	Candidate float64 `json:"candidate"` // median of the case over the pairs used
	// candidate ÷ base: exp of the median log ratio of the pairs used; null in JSON if only the base is 0
	Ratio      Ratio    `json:"ratio"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of Low and High at every moment, 1 − 2·alpha or 1 − 2·within
	// BaseBound and CandidateBound are set if the side is below resolution: all that is known
	// is that a time or count is less than the bound, and a rate more. The ratio is then a bound
	// too: the only one of Low and High that is known, and there is none if both sides are below.
	BaseBound      *float64 `json:"base_bound,omitempty"`
	CandidateBound *float64 `json:"candidate_bound,omitempty"`

	Pairs int `json:"pairs"` // taken
	Used  int `json:"used"`  // of them; the others were set aside
	// Blocks is the number of observations if two Go functions of one program are
	// compared: each block of pairs has its own setup of both sides and counts once.
	// It is also set for commands whose files were placed anew for each block (Pairs.Placed).
	// If Blocks and Launches are 0, each pair (of commands) is an observation. Documents
	// keep the name set_ups, because their digest covers it.
	Blocks int `json:"set_ups,omitempty"`
	// Launches is the number of observations if two programs are compared: each block
	// is taken in new hosts and counts once. Then Blocks is 0.
	Launches int `json:"launches,omitempty"`
	// Runs is the number of runs of each side in which valgrind has counted; then there are no pairs.
	Runs int `json:"runs,omitempty"`
	// Layouts is the number of layouts drawn for the launches, 0 if they shared one. If
	// it is less than the number of launches, each layout counts once.
	Layouts int `json:"layouts,omitempty"`
	// LayoutSpread is the range of this metric over about twenty layouts, files and
	// addresses of launches, as a share of the metric. It is 0 if they differ by no more
	// than the noise within launches.
	LayoutSpread float64 `json:"layout_spread,omitempty"`

	Rule string `json:"rule,omitempty"` // why some pairs were set aside, or why none was although some are disturbed
	// RuleValues are the numbers of the rule, and RulePattern is the rule with {} in place of
	// each, as in a Warning.
	RuleValues  []Quantity `json:"rule_values,omitempty"`
	RulePattern string     `json:"rule_pattern,omitempty"`

	// Witness is what the instructions show about a change of the time. Only the comparison
	// of the time has it, and only if the instructions of both sides are known.
	Witness *Witness `json:"witness,omitempty"`

	Change Change `json:"verdict"`
	Cause  Cause  `json:"cause,omitempty"`  // why it is unclear, as a word
	Reason string `json:"reason,omitempty"` // the same in words
	// Values are the numbers of the reason, and Pattern is the reason with {} in place of
	// each, as in a Warning.
	Values  []Quantity `json:"values,omitempty"`
	Pattern string     `json:"pattern,omitempty"`
}

// IsBound reports whether a side is below resolution, so that the ratio is at most a bound.
func (o *Comparison) IsBound() bool { return o.BaseBound != nil || o.CandidateBound != nil }

// Change is the verdict of a comparison.
type Change string

// The verdicts of a comparison: the metric changed by more than the tolerance, for the
// better or the worse; it changed by less; or the pairs show neither.
const (
	Better  Change = "better"
	Worse   Change = "worse"
	Same    Change = "same"
	Unclear Change = "unclear"
)

// Errors is how the chance of a false alarm is divided among the comparative calls of a
// suite: each has the chance Family ÷ Calls.
type Errors struct {
	Family float64 `json:"family"` // chance that any comparative call of the suite is false
	Calls  int     `json:"calls"`  // comparative calls that were planned, also if only a part of the suite was run
	Alpha  float64 `json:"alpha"`  // of each call and side: family ÷ calls
	// Within is the chance of error of a call that is no alarm: that a change is not beyond the tolerance; 0: Alpha.
	Within float64 `json:"within,omitempty"`
}

// Uneven returns how likely a call is false: that a change is beyond the tolerance, and that it is not.
func (o *Comparison) Uneven() (alpha, within float64) { return o.Alpha, max(o.Alpha, o.Within) }

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

// Ratio is a quotient that is infinite if only its divisor is 0. JSON has no infinite numbers, so it is
// null there.
type Ratio float64

// infiniteRatio and more is what documents of earlier versions have for infinite: the largest float64, or a
// power of e. It stays as it is, because their digest covers it.
const infiniteRatio = 1e300

// IsInfinite reports whether only the divisor is 0.
func (r Ratio) IsInfinite() bool { return r >= infiniteRatio }

// Same reports whether two ratios are equal, or both infinite.
func (r Ratio) Same(other Ratio) bool { return r == other || r.IsInfinite() && other.IsInfinite() }

// MarshalJSON returns null for an infinite ratio.
func (r Ratio) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(r), 1) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(r))
}

// UnmarshalJSON takes what MarshalJSON returns.
func (r *Ratio) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*r = Ratio(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(r))
}
