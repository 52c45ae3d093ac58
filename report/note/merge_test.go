package note

import (
	"fmt"
	"testing"

	"example.com/suite/result"
)

func seconds(texts ...string) (qs []result.Quantity) {
	for i, text := range texts {
		qs = append(qs, result.Printed(text, float64(len(texts)-i), "s")) // descending
	}
	return qs
}

// Messages that differ in their numbers are printed once, with the range of each.
func TestMergedMessages(t *testing.T) {
	some := func(ns ...int) (qs []result.Quantity) {
		for i := 0; i < len(ns); i += 2 {
			qs = append(qs, result.Some(ns[i], ns[i+1]))
		}
		return qs
	}
	for _, c := range []struct {
		want, format string
		values       []result.Quantity
	}{
		{"7 of 12 samples were disturbed", "%s samples were disturbed", some(7, 12, 7, 12)},
		{"50% to 75% of samples were disturbed", "%s samples were disturbed", some(6, 12, 15, 20)},
		{"under 1% of pairs", "%s pairs", some(1, 400, 1, 300)},
		{"up to 10% of pairs", "%s pairs", some(1, 400, 1, 10)},
		{"about 1% of pairs", "%s pairs", some(1, 100, 1, 101)},
		{"took 16% to 58% of the time", "took %s of the time", seconds("58%", "20%", "16%")},
		{"loop ≤ 0.34 ns to 1.2 µs", "loop ≤ %s", seconds("1.2 µs", "0.34 ns")},
		{"loop ≤ 0.34 to 1.2 ns", "loop ≤ %s", seconds("1.2 ns", "0.34 ns")},
		{"moved by −2% to +9.7% here", "moved by %s here", seconds("+9.7%", "−2%")},
		{"usually 479.056µs to 1ms: it", "usually %s: it", seconds("1ms", "479.056µs")},
		{"5 to 7 of at least 20 samples", "%s of at least 20 samples", []result.Quantity{result.Number(7), result.Number(5)}},
		{"sort/3 took 1 s", "sort/3 took %s", seconds("1 s", "1 s")},
	} {
		var messages []result.Sentence
		for _, v := range c.values {
			messages = append(messages, result.Say(c.format, v))
			if patternOf(messages[0]) != patternOf(messages[len(messages)-1]) {
				t.Errorf("%q is of another pattern than %q", messages[len(messages)-1].Text, messages[0].Text)
			}
		}
		if got := merged(messages); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.format, got, c.want)
		}
	}
	if got := merged([]result.Sentence{{Text: "one"}, {Text: "one"}}); got != "one" {
		t.Errorf("got %q", got)
	}
}

// Messages about different things stay separate, and a message of an earlier version,
// without values, is merged only with equal ones.
func TestPatternsKeepNames(t *testing.T) {
	for _, pair := range [][2]result.Sentence{
		{result.Say("compared with %s", "sort/100"), result.Say("compared with %s", "sort/200")},
		{result.Say("%s runs hang", result.Number(3)), result.Say("%s samples hang", result.Number(3))},
		{{Text: "3 of 4 samples"}, {Text: "2 of 4 samples"}},
		{result.Say("%s of {}", result.Number(3)), result.Say("%s of {}", result.Number(4))},
		{{Text: "1 2", Pattern: "{} {}", Values: []result.Quantity{result.Number(1)}}, {Text: "1 3", Pattern: "{} {}", Values: []result.Quantity{result.Number(1)}}},
	} {
		if patternOf(pair[0]) == patternOf(pair[1]) {
			t.Errorf("%q and %q", pair[0].Text, pair[1].Text)
		}
	}
}

// Whatever messages are, printing them as one loses none and never panics.
func FuzzMerged(f *testing.F) {
	f.Add("7 of 12 samples", "{}", "{} and {}", 3)
	f.Fuzz(func(t *testing.T, a, b, pattern string, n int) {
		for _, s := range []result.Sentence{{Text: a}, result.Say("%s: %s", a, result.Number(n)), {Text: a, Pattern: pattern, Values: []result.Quantity{result.Number(n)}}} {
			if got := merged([]result.Sentence{s, s}); s.Pieces() == nil && got != s.Text {
				t.Errorf("%q became %q", s.Text, got)
			}
			g := gathered{code: result.WarningCode(a), labels: []string{"a", "b", "c"}, messages: []result.Sentence{s, {Text: b}, s}}
			if note := g.note(max(3, n)); note.Text == "" {
				t.Errorf("nothing is said of %s", fmt.Sprint(g.messages))
			}
		}
	})
}

// A case without an interval has too few samples, or too few launches or blocks of them.
func TestWhyThereIsNoInterval(t *testing.T) {
	for _, c := range []struct {
		n, blocks, launches int
		disturbed           []result.Disturbed
		want                string
	}{
		{3, 3, 1, nil, "no interval, because there are too few samples for one (n = 3)"},
		{3, 3, 1, []result.Disturbed{{}, {}}, "no interval: 2 of 5 samples were disturbed and left out, and the rest is too few for one"},
		{66, 3, 3, []result.Disturbed{{}, {}}, "no interval: 66 samples are of 3 launches, too few for one"},
		{66, 3, 1, nil, "no interval: 66 samples are of 3 blocks, too few for one"},
	} {
		one := &result.Case{Status: result.Measured, Kind: result.KindGoTest, Launches: c.launches,
			Metrics: []result.Summary{{Metric: "time", Unit: "s", N: c.n, Blocks: c.blocks, Median: 1}}}
		one.Samples.Disturbed = c.disturbed
		one.Samples.Taken = c.n + len(c.disturbed)
		if got := own(one); len(got) != 1 || got[0].Message != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
