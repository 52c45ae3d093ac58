package wire

// Failure is why a request could not be carried out.
type Failure struct {
	Phase   Phase  `json:"phase"`
	Cause   Cause  `json:"cause"`
	Message string `json:"message"` // one line
	Detail  string `json:"detail,omitempty"`
	Batch   int    `json:"batch,omitempty"` // 1-based, within the request
	Exit    *int   `json:"exit,omitempty"`
	Signal  string `json:"signal,omitempty"`
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Phase is what a host was about to do. The document has the same words, and some more.
type Phase string

const (
	PhaseStart    Phase = "start"
	PhaseSetup    Phase = "setup"
	PhaseService  Phase = "service"
	PhasePrepare  Phase = "prepare"
	PhaseWarmup   Phase = "warmup"
	PhaseRun      Phase = "run"
	PhasePegs     Phase = "pegs"
	PhaseProfile  Phase = "profile"
	PhaseMetrics  Phase = "metrics"
	PhaseOutput   Phase = "output"
	PhaseConclude Phase = "conclude"
	PhaseFinish   Phase = "finish"
)

// Cause is what went wrong, in the words of the document.
type Cause string

const (
	FailedCrash   Cause = "crash"
	FailedPanic   Cause = "panic"
	FailedError   Cause = "error"
	FailedExit    Cause = "exit"
	FailedSignal  Cause = "signal"
	FailedTimeout Cause = "timeout"
	FailedMissing Cause = "missing"
	// FailedRepeat is for the controller alone: a benchmark does not run again, or not as before, in the process that
	// it ran in, and has to have a process for each sample.
	FailedRepeat   Cause = "repeat"
	FailedMemory   Cause = "memory"
	FailedRejected Cause = "rejected"
	FailedDiffers  Cause = "differs"
	FailedProtocol Cause = "protocol"
)
