package spec

import "slices"

// Unaffected is the evidence for which a case counts as the same in two trees, and is not measured.
type Unaffected string

// Each word allows all that the words after it allow.
const (
	ByExecution Unaffected = "execution" // also what it did not execute
	ByReach     Unaffected = "reach"     // also what it cannot reach, although its program differs
	Never       Unaffected = "never"     // nothing: each case is measured
)

// Stricter returns the one of two words that allows less: a branch cannot take back what the base asks for. What
// no suite file has set, "", allows most.
func (u Unaffected) Stricter(other Unaffected) Unaffected {
	words := []Unaffected{ByExecution, ByReach, Never}
	return words[max(0, slices.Index(words, u), slices.Index(words, other))]
}
