package observed

import (
	"context"
	"testing"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// Cases that come when the time for observing is over are measured.
func TestNothingIsObservedAfterItsTime(t *testing.T) {
	t.Parallel()
	o := &Observer{spent: limitAll + 1} // a run would need a host, and would panic
	if _, got := o.Compare(context.Background(), new(spec.Plan), new(spec.Case), nil, "", ""); got == nil || got.Cause != result.EvidenceSlow {
		t.Errorf("%+v", got)
	}
}

// A case that counts instructions is observed without valgrind, which makes its runs slow.
func TestInstructionsAreNotCountedWhileObserving(t *testing.T) {
	t.Parallel()
	c := &spec.Case{Settings: spec.Settings{Judge: result.JudgeInstructions}}
	if got := shortened(new(spec.Plan), c).Cases[0].Settings.Judge; got != result.JudgeTime {
		t.Errorf("judge: %s", got)
	}
}
