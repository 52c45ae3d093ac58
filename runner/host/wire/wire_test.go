package wire

import (
	"encoding/json"
	"math"
	"testing"
)

func TestValuesAreWrittenWithGaps(t *testing.T) {
	out := Readings{ID: []int{1, 1, 1}}
	out.ID = out.ID[:2]
	out.PutValue("x", 1.5)
	out.ID = out.ID[:3]
	out.Complete()
	text, err := json.Marshal(out.Values["x"])
	if err != nil || string(text) != "[null,1.5,null]" {
		t.Fatalf("%s, %v", text, err)
	}
	var back Values
	if err := json.Unmarshal(text, &back); err != nil || len(back) != 3 || !math.IsNaN(back[0]) || back[1] != 1.5 || !math.IsNaN(back[2]) {
		t.Errorf("%v, %v", back, err)
	}
	if _, err := json.Marshal(Values{math.Inf(1)}); err == nil {
		t.Error("an infinite number is written")
	}
}

func TestWordsOfTheDebugVariable(t *testing.T) {
	for words, want := range map[string]bool{"": false, " ": false, "timer": true, " timer, timer\n": true} {
		if on, err := Debug(words); on != want || err != nil {
			t.Errorf("%q: %v, %v", words, on, err)
		}
	}
	if on, err := Debug("timer 1"); on || err == nil || err.Error() != `SUITE_DEBUG: unknown word "1"; known is timer` {
		t.Errorf("%v, %v", on, err)
	}
}
