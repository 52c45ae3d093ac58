package result

import (
	"fmt"

	"example.com/suite/internal/units"
)

// Disturbed marks one sample, with the reason. docs/method.md, "The headline",
// describes which samples are disturbed.
type Disturbed struct {
	Index   int         `json:"index"`
	Cause   Disturbance `json:"cause"`
	Count   int64       `json:"count,omitempty"`   // how often it was preempted
	Seconds float64     `json:"seconds,omitempty"` // for which it waited or was stopped, 0 if not known
}

// Disturbance is a kind of reason for which a sample is disturbed.
type Disturbance string

const (
	Preempted    Disturbance = "preempted"     // the thread lost its CPU
	Waited       Disturbance = "waited"        // it was ready and had no CPU for too long
	Stopped      Disturbance = "stopped"       // a signal stopped the process
	OtherStopped Disturbance = "other-stopped" // a signal stopped the process of the other side of its pair
)

// String describes the reason: preempted twice, waited 31 ms for a CPU.
func (d Disturbed) String() string {
	stopped := "stopped"
	if d.Seconds > 0 {
		stopped += " for " + units.ShortTime(d.Seconds)
	}
	switch {
	case d.Cause == Preempted && d.Count == 1:
		return "preempted once"
	case d.Cause == Preempted && d.Count > 1:
		return fmt.Sprintf("preempted %d times", d.Count)
	case d.Cause == Waited:
		return fmt.Sprintf("waited %s for a CPU", units.ShortTime(d.Seconds))
	case d.Cause == Stopped:
		return stopped
	case d.Cause == OtherStopped:
		return "paired with one that was " + stopped
	}
	return string(d.Cause)
}
