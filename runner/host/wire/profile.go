package wire

// Kinds of profile that a host takes of a function.
const (
	ProfileCPU   = "cpu"
	ProfileAlloc = "alloc"
	ProfileMutex = "mutex"
	ProfileBlock = "block"
)

// Profiled is the outcome of a profile request: passes of a function with a profile of the
// host process. None of their batches is a sample.
type Profiled struct {
	Profiles []Profile `json:"profiles"`
}

// Profile is one profile in the format of pprof, compressed.
type Profile struct {
	Kind string `json:"kind"`
	Data []byte `json:"data"`
	// Before is the profile as it was before the pass, of kinds that the runtime counts
	// since the process has begun. The pass is the difference.
	Before     []byte `json:"before,omitempty"`
	Batches    int    `json:"batches"`
	Iterations int64  `json:"iterations"` // of all batches, on all goroutines
	Elapsed    int64  `json:"elapsed"`    // ns that the batches took
	CPU        int64  `json:"cpu"`        // ns of the process during them, negative if it is not known
}
