package result

import (
	"strings"
	"testing"
)

// Each cause has words of its own, which name what the evidence is about.
func TestEvidenceIsSaid(t *testing.T) {
	seen := map[string]EvidenceCause{}
	for _, cause := range []EvidenceCause{EvidenceProgram, EvidenceUnread, EvidenceReaches, EvidenceReads, EvidenceInputs, EvidenceNeeded, EvidenceUnseen, EvidenceUnsteady,
		EvidenceMayExecute, EvidenceConnection, EvidenceDoubt, EvidenceSlow, EvidenceUntraced, EvidenceReadsHere, EvidenceExecutesHere, EvidenceExecutesInstalled, EvidenceReadsBuilt} {
		e := Evidence{Cause: cause, Subject: "SUBJECT", Change: "changed"}
		text := e.String()
		if other, taken := seen[text]; taken || text == string(cause) {
			t.Errorf("%s is said as %q, like %s", cause, text, other)
		}
		seen[text] = cause
		if names := strings.Contains(text, e.Subject); names != (cause != EvidenceProgram && cause != EvidenceNeeded) {
			t.Errorf("%s: %q", cause, text)
		}
	}
}
