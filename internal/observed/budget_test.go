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
