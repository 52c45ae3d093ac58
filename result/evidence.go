package result

import "fmt"

// Evidence is why a case is measured although its counterpart in another tree exists: what was
// observed to differ, or why nothing could be observed.
type Evidence struct {
	Cause EvidenceCause `json:"cause"`
	// a file, relative to the trees with slashes, or what the cause is about
	Subject string `json:"subject,omitempty"`
	// of the file: changed, mode, target, names, added, removed …; for reaches and executes where it is: lex.go:120
	Change  string `json:"change,omitempty"`
	Unknown string `json:"unknown,omitempty"` // for reaches: why it is not known whether the case executes what differs
}

// EvidenceCause is a kind of evidence.
type EvidenceCause string

// Causes for which a case is measured.
const (
	EvidenceProgram EvidenceCause = "program" // its Go program differs
	// its Go program differs, and what it can reach is not known because of Subject
	EvidenceUnread EvidenceCause = "unread"
	// it can reach code or data that differs; Subject is the way: Parse → (*lexer).skip
	EvidenceReaches EvidenceCause = "reaches"
	// it executed a function that differs, or that refers to what differs; Subject is the way
	EvidenceExecutes EvidenceCause = "executes"
	// like EvidenceExecutes, by a function whose parts were not executed alike in all runs
	EvidenceMayExecute EvidenceCause = "may-execute"
	EvidenceReads      EvidenceCause = "reads"  // it looks at Subject, which differs
	EvidenceInputs     EvidenceCause = "inputs" // Subject is one of its inputs, and differs
	EvidenceNeeded     EvidenceCause = "needed" // other cases or gates need its times
	// a run of the case does not show what Subject, a hook or a build, does
	EvidenceUnseen       EvidenceCause = "unseen"
	EvidenceUnsteady     EvidenceCause = "unsteady"      // two runs looked at different files, of which Subject is one
	EvidenceConnection   EvidenceCause = "connection"    // it connects to Subject
	EvidenceDoubt        EvidenceCause = "doubt"         // the record is incomplete because of Subject
	EvidenceSlow         EvidenceCause = "slow"          // a run under the tracer takes longer than Subject
	EvidenceUntraced     EvidenceCause = "untraced"      // it could not be run under a tracer: Subject
	EvidenceReadsHere    EvidenceCause = "reads-here"    // the base reads Subject of this tree
	EvidenceExecutesHere EvidenceCause = "executes-here" // the base executes Subject of this tree

	// it executes Subject, which was built from the module, or by a build, or copied from one tree, and is in neither
	EvidenceExecutesInstalled EvidenceCause = "executes-installed"
	// it reads Subject, which is in neither tree and has changed since a build began
	EvidenceReadsBuilt EvidenceCause = "reads-built"
)

// IsShared reports whether both sides use one file, so that a comparison would show nothing.
func (e *Evidence) IsShared() bool {
	return e.Cause == EvidenceReadsHere || e.Cause == EvidenceExecutesHere || e.Cause == EvidenceExecutesInstalled
}

// differing describes the way to code or data that differs.
func (e *Evidence) differing() string {
	if e.Change != "" {
		return fmt.Sprintf("%s (differs, %s)", e.Subject, e.Change)
	}
	return e.Subject + " (differs)"
}

// String is a part of a sentence that begins with the name of the case: "reads data.txt (changed)".
func (e *Evidence) String() string {
	switch e.Cause {
	case EvidenceProgram:
		return "its program differs"
	case EvidenceUnread:
		return fmt.Sprintf("its program differs, and what it reaches is not known: %s", e.Subject)
	case EvidenceReaches:
		if e.Unknown != "" {
			return fmt.Sprintf("reaches %s; what it executes is not known: %s", e.differing(), e.Unknown)
		}
		return "reaches " + e.differing()
	case EvidenceExecutes:
		return "executes " + e.differing()
	case EvidenceMayExecute:
		return "may execute " + e.differing()
	case EvidenceReads:
		return fmt.Sprintf("reads %s (%s)", e.Subject, e.Change)
	case EvidenceInputs:
		return fmt.Sprintf("its input %s has changed", e.Subject)
	case EvidenceNeeded:
		return "another case or a gate needs its time"
	case EvidenceUnseen:
		return fmt.Sprintf("has %s:, and what that does is not observed", e.Subject)
	case EvidenceUnsteady:
		return fmt.Sprintf("two runs looked at different files: %s", e.Subject)
	case EvidenceConnection:
		return fmt.Sprintf("connects to %s", e.Subject)
	case EvidenceDoubt:
		return fmt.Sprintf("what it reads is not known: %s", e.Subject)
	case EvidenceSlow:
		return fmt.Sprintf("a run that was observed took longer than %s", e.Subject)
	case EvidenceUntraced:
		return fmt.Sprintf("could not be observed: %s", e.Subject)
	case EvidenceReadsHere:
		return fmt.Sprintf("both sides read %s of this tree", e.Subject)
	case EvidenceExecutesHere:
		return fmt.Sprintf("both sides run %s of this tree", e.Subject)
	case EvidenceReadsBuilt:
		return fmt.Sprintf("reads %s, which is in neither tree and has changed since the build", e.Subject)
	case EvidenceExecutesInstalled:
		return fmt.Sprintf("both sides run %s, which belongs to neither tree", e.Subject)
	}
	return string(e.Cause)
}
