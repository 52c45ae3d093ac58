package result

import "slices"

// WarningCode is the kind of a warning: lower-case words with hyphens between them.
// Documents of other versions may have codes that are not listed here.
type WarningCode string

// Warnings about samples.
const (
	WarnFewSamples      WarningCode = "few-samples"      // too few samples for an interval
	WarnCutShort        WarningCode = "cut-short"        // a limit ended the case before it had samples.min
	WarnSinglePass      WarningCode = "single-pass"      // one sample, as was asked for
	WarnSlowBody        WarningCode = "slow-body"        // one iteration takes longer than target_time
	WarnBelowResolution WarningCode = "below-resolution" // an iteration is not distinguished from an empty loop
	WarnLoopCost        WarningCode = "loop-cost"        // a large part of the time is the loop's
	WarnDisturbed       WarningCode = "disturbed"        // samples lost the processor, or were disturbed otherwise
	// the machine or the process was stopped while samples were taken
	WarnStopped    WarningCode = "stopped"
	WarnStolen     WarningCode = "stolen"      // other work took the CPU
	WarnOutliers   WarningCode = "outliers"    // some samples are far from the others
	WarnSlowest    WarningCode = "slowest"     // what was different in the slowest run
	WarnDrift      WarningCode = "drift"       // the time moved from the first to the last block
	WarnGCMixed    WarningCode = "gc-mixed"    // some samples contain a garbage collection and others do not
	WarnExitStatus WarningCode = "exit-status" // runs failed, and every exit status was asked to mean success
	WarnVoid       WarningCode = "void"        // iterations were declared void
	WarnPauses     WarningCode = "pauses"      // pausing the clock for inputs makes the time uncertain
	WarnRetried    WarningCode = "retried"     // batches were run again because a counter was disturbed
	// runs were killed after the timeout: their times are lower bounds
	WarnKilled       WarningCode = "killed"
	WarnKilledWarmup WarningCode = "killed-warmup" // runs that warm up were killed after the timeout
	WarnSaturated    WarningCode = "saturated"     // iterations were due faster than they ended
)

// Warnings about comparisons.
const (
	// what the case is compared with, if not with the base of the suite
	WarnBase           WarningCode = "base"
	WarnNotCompared    WarningCode = "not-compared"    // there are no pairs to compare
	WarnSetAside       WarningCode = "set-aside"       // disturbed pairs were left out
	WarnLayouts        WarningCode = "layouts"         // the layouts of a program differ
	WarnUnclear        WarningCode = "unclear"         // why a comparison is undecided
	WarnNoInstructions WarningCode = "no-instructions" // why instructions do not show where a change comes from
	WarnCollections    WarningCode = "collections"     // garbage collections add unequal times to the two sides
	WarnIsolated       WarningCode = "isolated"        // a benchmark cannot run twice in one process
	// undecided, and processes could stay with another harness
	WarnProcessEach        WarningCode = "process-each"
	WarnFixedLayout        WarningCode = "fixed-layout"        // launches share one order of functions
	WarnOldFile            WarningCode = "old-file"            // a launch ran from a file that another one had run from
	WarnKeptFiles          WarningCode = "kept-files"          // files that a case reads stay where they are in memory
	WarnCounterpartNew     WarningCode = "counterpart-new"     // the base does not have the case
	WarnCounterpartChanged WarningCode = "counterpart-changed" // the base defines the case differently
	WarnCounterpartUnable  WarningCode = "counterpart-unable"  // the case cannot be compared with the base
	WarnCounterpartRenamed WarningCode = "counterpart-renamed" // the case has another name in the base
	WarnContradicted       WarningCode = "contradicted"        // the case counts as unaffected, and differs
)

// Warnings about metrics.
const (
	WarnNoCounters  WarningCode = "no-counters" // counters that the case asked for were refused
	WarnUserOnly    WarningCode = "user-only"   // counters leave out the kernel
	WarnMultiplexed WarningCode = "multiplexed" // counters were on the hardware for a part of the time
	// samples lack counts: the counter was off the hardware, or could not be read
	WarnUncounted     WarningCode = "uncounted"
	WarnNoAllocations WarningCode = "no-allocations" // allocations were not counted
	WarnNoPegs        WarningCode = "no-pegs"        // the pass with pegs recorded nothing
	WarnPegs          WarningCode = "pegs"           // the pass with pegs recorded a part, or what is doubtful
	WarnDirection     WarningCode = "direction"      // the sides disagree on which values of a metric are better
	WarnCallgrind     WarningCode = "callgrind"      // instructions are counted in a simulated run
)

// Warnings about what a case does.
const (
	WarnNoProgram       WarningCode = "no-program"       // the case was skipped, because the machine lacks a program
	WarnNoIterations    WarningCode = "no-iterations"    // the time is too short for the iterations
	WarnUnreadParameter WarningCode = "unread-parameter" // the function does not read a parameter that is set
	WarnNotPinned       WarningCode = "not-pinned"       // runs use any CPU although one was asked for
	WarnLeaked          WarningCode = "leaked"           // processes were left running
	WarnFiles           WarningCode = "files"            // files appeared during the runs, and stayed
	WarnNoCleanup       WarningCode = "no-cleanup"       // cleanup did not finish, because the run was killed
	WarnServiceKilled   WarningCode = "service-killed"   // a service had to be killed
	WarnServiceLog      WarningCode = "service-log"      // the output of a service was cut or lost
)

// Warnings about a whole run.
const (
	WarnCalibrationFailed WarningCode = "calibration-failed" // the costs of timing could not be measured again
	WarnCalibrationDrift  WarningCode = "calibration-drift"  // the costs of timing changed during the run
	WarnJournal           WarningCode = "journal"            // the journal could not be written
	WarnJournalDamaged    WarningCode = "journal-damaged"    // a part of the journal was damaged
	WarnResumed           WarningCode = "resumed"            // the run was interrupted, and went on later
	WarnJoined            WarningCode = "joined"             // the document was made from several
	WarnAcceptanceUnused  WarningCode = "acceptance-unused"  // an entry of accept.yaml accepts nothing
	WarnAcceptanceExpired WarningCode = "acceptance-expired" // an entry of accept.yaml is too old
)

var warningCodes = []WarningCode{
	WarnFewSamples, WarnCutShort, WarnSinglePass, WarnSlowBody, WarnBelowResolution, WarnLoopCost,
	WarnDisturbed, WarnStopped, WarnStolen, WarnOutliers, WarnSlowest, WarnDrift, WarnGCMixed, WarnExitStatus,
	WarnVoid, WarnPauses, WarnRetried, WarnKilled, WarnKilledWarmup, WarnSaturated,
	WarnBase, WarnNotCompared, WarnSetAside, WarnLayouts, WarnUnclear, WarnNoInstructions, WarnCollections,
	WarnIsolated, WarnProcessEach, WarnFixedLayout, WarnOldFile, WarnKeptFiles,
	WarnCounterpartNew, WarnCounterpartChanged,
	WarnCounterpartUnable, WarnCounterpartRenamed, WarnContradicted,
	WarnNoCounters, WarnUserOnly, WarnMultiplexed, WarnUncounted, WarnNoAllocations, WarnNoPegs, WarnPegs,
	WarnDirection, WarnCallgrind,
	WarnNoProgram, WarnNoIterations, WarnUnreadParameter, WarnNotPinned, WarnLeaked, WarnFiles, WarnNoCleanup,
	WarnServiceKilled, WarnServiceLog,
	WarnCalibrationFailed, WarnCalibrationDrift, WarnJournal, WarnJournalDamaged, WarnResumed,
	WarnJoined, WarnAcceptanceUnused, WarnAcceptanceExpired,
}

// WarningCodes lists the codes that this version writes, those included that only reports
// have.
func WarningCodes() []WarningCode { return slices.Clone(warningCodes) }
