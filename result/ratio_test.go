package result

import (
	"encoding/json"
	"math"
	"testing"
)

// An infinite ratio is null. The number that earlier versions wrote stays as it is, because their digest
// covers it, and means the same.
func TestRatioInJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Ratio{"null": Ratio(math.Inf(1)), "1.7976931348623157e+308": math.MaxFloat64, "1.0142320547350045e+304": 1.0142320547350045e304, "1.5": 1.5, "0": 0} {
		var o Comparison
		if err := json.Unmarshal([]byte(`{"ratio": `+text+`}`), &o); err != nil || o.Ratio != want || o.Ratio.IsInfinite() != (want > 2) {
			t.Errorf("%s: %v, %v", text, o.Ratio, err)
		}
		if again, err := json.Marshal(o.Ratio); err != nil || string(again) != text {
			t.Errorf("%s becomes %s, %v", text, again, err)
		}
	}
	inf, old := Ratio(math.Inf(1)), Ratio(math.MaxFloat64)
	if !inf.Same(old) || !old.Same(inf) || inf.Same(1) || !Ratio(2).Same(2) || Ratio(2).Same(3) {
		t.Error("Same")
	}
}
