package host

import (
	"slices"

	"example.com/suite/timer"
)

// witness is the event that shows whether the code of two sides does the same.
const witness = "instructions"

// witnessed adds the witness to the events that a case has asked for, if it can be counted.
// why is the reason if it cannot.
func (h *Host) witnessed(counters []string, scope timer.Scope) (with []string, why string) {
	if slices.Contains(counters, witness) {
		return counters, ""
	}
	if h.machine.Events == nil {
		return counters, "this host counts no events"
	}
	skipped, _ := h.missing([]string{witness}, scope)
	if len(skipped) > 0 {
		return counters, skipped[0].Reason
	}
	return append(slices.Clone(counters), witness), ""
}
