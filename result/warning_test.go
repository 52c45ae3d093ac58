package result_test

import (
	"encoding/json"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func TestSentencesKeepTheirNumbers(t *testing.T) {
	inner := result.Say("in %s launches one side was disturbed", result.Some(3, 7))
	for _, c := range []struct {
		got  result.Sentence
		want result.Sentence
	}{
		{result.Say("no numbers in %s", "sort/100"), result.Sentence{Text: "no numbers in sort/100"}},
		{result.Say("%s samples of %s took %s", result.Some(1, 4), "a", result.Amount(2e-3, "s")), result.Sentence{
			Text: "1 of 4 samples of a took 2 ms", Pattern: "{} samples of a took {}",
			Values: []result.Quantity{{Text: "1 of 4", Value: 1, Of: 4}, {Text: "2 ms", Value: 2e-3, Unit: "s"}}}},
		{result.Say("%s pairs: %s", result.Number(9), inner), result.Sentence{
			Text: "9 pairs: in 3 of 7 launches one side was disturbed", Pattern: "{} pairs: in {} launches one side was disturbed",
			Values: []result.Quantity{{Text: "9", Value: 9}, {Text: "3 of 7", Value: 3, Of: 7}}}},
		{result.Say("%s files in {}", result.Number(2)), result.Sentence{Text: "2 files in {}", Values: []result.Quantity{{Text: "2", Value: 2}}}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Error(diff)
		}
		if pieces := c.got.Pieces(); (pieces == nil) != (c.want.Pattern == "") || pieces != nil && len(pieces) != len(c.got.Values)+1 {
			t.Errorf("%q: pieces %q", c.got.Text, pieces)
		}
	}
}

// A warning of an earlier version has neither values nor a pattern, and is read.
func TestOldWarningsAreRead(t *testing.T) {
	var w result.Warning
	if err := json.Unmarshal([]byte(`{"code": "disturbed", "message": "3 of 4 samples were disturbed"}`), &w); err != nil {
		t.Fatal(err)
	}
	if s := w.Sentence(); s.Text != "3 of 4 samples were disturbed" || s.Pieces() != nil {
		t.Errorf("%+v", s)
	}
}
