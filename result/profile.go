package result

// Profiling is what the profiles of a case show: passes after all samples, in processes of
// their own, with the profiler of the Go runtime or of the system switched on. Nothing in it
// takes part in a verdict.
type Profiling struct {
	Reason   ProfileReason `json:"reason,omitempty"` // why there are no profiles, or fewer than planned
	Text     string        `json:"text,omitempty"`   // the reason for people
	Hint     string        `json:"hint,omitempty"`   // what to try
	Seconds  float64       `json:"seconds"`          // that profiling took, in no other number of the document
	Profiles []Profile     `json:"profiles,omitempty"`
	// functions that are shown to cost more, at most three, the largest first
	Causes []ProfileCause `json:"causes,omitempty"`
	Method string         `json:"method,omitempty"` // how the intervals are made: welch-bonferroni
}

// ProfileMethod is how intervals of profiles are made: Welch's for two means, over launches,
// with the error divided among all functions that are compared.
const ProfileMethod = "welch-bonferroni"

// ProfileReason is why a case has no profiles, or fewer than planned.
type ProfileReason string

// The reasons.
const (
	ProfileTooMany     ProfileReason = "too_many"     // enough other cases were profiled
	ProfileCounted     ProfileReason = "counted"      // counted instructions name the functions
	ProfileInterrupted ProfileReason = "interrupted"  // a signal ended the profiling
	ProfileNoTime      ProfileReason = "no_time"      // the budget, or max_time, is used up
	ProfileFailed      ProfileReason = "failed"       // a run with a profile failed
	ProfileNoTool      ProfileReason = "no_tool"      // perf is not installed
	ProfileForbidden   ProfileReason = "forbidden"    // the system does not allow perf
	ProfileNotMeasured ProfileReason = "not_measured" // the case has no samples
)

// ProfileKind is what a profile counts.
type ProfileKind string

// The kinds of profile.
const (
	ProfileCPU   ProfileKind = "cpu"   // time on processors
	ProfileAlloc ProfileKind = "alloc" // bytes that were allocated
	ProfileMutex ProfileKind = "mutex" // time that others waited for a lock, by who held it
	ProfileBlock ProfileKind = "block" // time of waiting for channels, conditions and, without a mutex profile, locks
)

// Profile is one kind of profile of a case and, if it has a base that can be run, of its
// base. All amounts are per iteration, in seconds or bytes.
type Profile struct {
	Kind       ProfileKind  `json:"kind"`
	Unit       string       `json:"unit"` // s or B
	Here       ProfileSide  `json:"here"`
	Base       *ProfileSide `json:"base,omitempty"`
	Change     *Estimated   `json:"change,omitempty"`     // of the total
	Confidence float64      `json:"confidence,omitempty"` // of all intervals of the profile together
	Compared   int          `json:"compared,omitempty"`   // functions that share the error
	// those that changed most, or without a base cost most, first
	Functions []ProfileFunction `json:"functions,omitempty"`
	Left      int               `json:"left,omitempty"`   // functions that Functions leaves out
	Stacks    []ProfileStack    `json:"stacks,omitempty"` // the calls as a tree, each after its caller
}

// ProfileSide is one side of a profile.
type ProfileSide struct {
	Launches   int     `json:"launches"`
	Iterations int64   `json:"iterations"`     // of all launches
	Samples    int64   `json:"samples"`        // readings of the profiler, of all launches
	Total      float64 `json:"total"`          // mean of the launches
	Wall       float64 `json:"wall"`           // seconds an iteration took in these passes, mean of the launches
	Rate       int     `json:"rate,omitempty"` // Hz that were asked for
	File       string  `json:"file,omitempty"` // all launches as one pprof file
}

// Estimated is a difference and its confidence interval. Without an interval there were too
// few launches.
type Estimated struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Grew reports whether the interval is above zero.
func (e *Estimated) Grew() bool { return e != nil && e.Low != nil && *e.Low > 0 }

// Differs reports whether the interval excludes zero.
func (e *Estimated) Differs() bool {
	return e.Grew() || e != nil && e.High != nil && *e.High < 0
}

// ProfileFunction is a function of the measured module. Code that the two sides cannot have
// different, such as the runtime and the standard library, counts for the function that
// called it.
type ProfileFunction struct {
	Name     string     `json:"name"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Self     float64    `json:"self"`  // itself and the library code that it calls
	Total    float64    `json:"total"` // with all that it calls
	BaseSelf float64    `json:"base_self,omitempty"`
	BaseAll  float64    `json:"base_total,omitempty"`
	Change   *Estimated `json:"change,omitempty"` // of Self
	// the library function below it with the largest part of the change, or of Self
	Leaf     string  `json:"leaf,omitempty"`
	LeafSelf float64 `json:"leaf_self,omitempty"` // its part of the change, or of Self
	Caller   string  `json:"caller,omitempty"`    // the function of the module that called it most

	// other library functions with a large part, the largest first
	MoreLeaves []ProfileLeaf `json:"more_leaves,omitempty"`
}

// ProfileLeaf is a library function that did work for a function of the module.
type ProfileLeaf struct {
	Function string  `json:"function"`
	Self     float64 `json:"self"` // its part of the change, or of the cost, of the function of the module
}

// Leaves are the library functions with a large part of the change, or of Self, the largest first.
func (f *ProfileFunction) Leaves() []ProfileLeaf {
	if f.Leaf == "" {
		return nil
	}
	return append([]ProfileLeaf{{f.Leaf, f.LeafSelf}}, f.MoreLeaves...)
}

// ProfileStack is a node of the tree of calls.
type ProfileStack struct {
	Name   string  `json:"name"`
	Parent int     `json:"parent"` // index of the caller, -1 for none
	Here   float64 `json:"here"`   // with all that it calls
	Base   float64 `json:"base,omitempty"`
}

// ProfileCause is a function that is shown to cost more than in the base.
type ProfileCause struct {
	Function string      `json:"function"`
	Kind     ProfileKind `json:"kind"` // the profile that shows most of it
	Unit     string      `json:"unit"`
	Change   Estimated   `json:"change"` // per iteration
	Share    Estimated   `json:"share"`  // of the change of the whole case in the profiles
	Leaf     string      `json:"leaf,omitempty"`
	Caller   string      `json:"caller,omitempty"`
	File     string      `json:"file,omitempty"`
	Line     int         `json:"line,omitempty"`

	MoreLeaves []ProfileLeaf `json:"more_leaves,omitempty"` // as in ProfileFunction
}
