package result

// Stop is why sampling ended.
type Stop string

const (
	StopTargetTime  Stop = "target_time" // the case was measured for that long
	StopPrecision   Stop = "precision"   // the interval is as narrow as asked for
	StopDecided     Stop = "decided"     // every gate is decided
	StopLaunches    Stop = "launches"    // all launches were made
	StopMaxTime     Stop = "max_time"    // the limit of a case
	StopSamplesMax  Stop = "samples.max" // the limit of samples
	StopBudget      Stop = "budget"      // the limit of the run
	StopShare       Stop = "share"       // a sentinel has had its share of the time
	StopOnce        Stop = "once"        // it was to be measured in a single pass
	StopCounted     Stop = "counted"     // it is judged by instructions, which do not take samples
	StopInterrupted Stop = "interrupted" // a signal ended the run
)

// Phase is the step in which a case failed.
type Phase string

// The phases of a case, in their order.
const (
	PhaseStart    Phase = "start"
	PhaseSetup    Phase = "setup"
	PhaseService  Phase = "service"
	PhaseBuild    Phase = "build"
	PhasePrepare  Phase = "prepare"
	PhaseWarmup   Phase = "warmup"
	PhaseRun      Phase = "run"
	PhasePegs     Phase = "pegs"
	PhaseMetrics  Phase = "metrics"
	PhaseOutput   Phase = "output"
	PhaseConclude Phase = "conclude"
	PhaseCleanup  Phase = "cleanup"
	PhaseFinish   Phase = "finish"
)

// FailureCause is what went wrong. A document of a later version may have others.
type FailureCause string

const (
	FailedCrash    FailureCause = "crash"    // a process ended by itself, with a trace of the runtime
	FailedPanic    FailureCause = "panic"    // a body panicked
	FailedError    FailureCause = "error"    // a body or a step returned an error
	FailedExit     FailureCause = "exit"     // a command ended with a status that it must not have
	FailedSignal   FailureCause = "signal"   // a process was ended by a signal
	FailedTimeout  FailureCause = "timeout"  // it took too long
	FailedMissing  FailureCause = "missing"  // a program, a file or a number is not there
	FailedProtocol FailureCause = "protocol" // a host answered what it must not
	FailedCheck    FailureCause = "check"    // a check of the suite file failed
	FailedDiffers  FailureCause = "differs"  // runs printed different outputs
	FailedVanished FailureCause = "vanished" // a case of the other tree is gone
	FailedLost     FailureCause = "lost"     // the shard that was to measure the case is missing
	FailedMemory   FailureCause = "memory"   // the memory of a host would not hold it
	FailedRejected FailureCause = "rejected" // too little was left after what was declared void
	// valgrind cannot count the instructions of a case that is judged by them
	FailedUncounted FailureCause = "uncounted"
)

// Kind is the kind of body that a case has.
type Kind string

// The kinds of body.
const (
	KindGo      Kind = "go"
	KindCommand Kind = "command"
	KindShell   Kind = "shell"
	KindGoTest  Kind = "gotest"
)

// Status is how far a case came.
type Status string

// A case is measured, could not be measured, or was not reached.
const (
	Measured Status = "measured"
	Failed   Status = "error"
	NotRun   Status = "not_run"
	// LeftOut cases were not measured, because this machine lacks a program that they
	// require.
	LeftOut Status = "skipped"
	// Unaffected cases were not measured, because nothing that they depend on has changed.
	Unaffected Status = "unaffected"
)
