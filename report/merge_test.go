package report

import "testing"

// Messages that differ in their numbers are told once, with the range of each.
func TestMergedMessages(t *testing.T) {
	for _, c := range []struct {
		want     string
		messages []string
	}{
		{"one", []string{"one", "one"}},
		{"7 of 12 samples were disturbed", []string{"7 of 12 samples were disturbed", "7 of 12 samples were disturbed"}},
		{"50% to 75% of samples were disturbed", []string{"6 of 12 samples were disturbed", "15 of 20 samples were disturbed"}},
		{"under 1% of pairs", []string{"1 of 400 pairs", "1 of 300 pairs"}},
		{"up to 10% of pairs", []string{"1 of 400 pairs", "1 of 10 pairs"}},
		{"about 1% of pairs", []string{"1 of 100 pairs", "1 of 101 pairs"}},
		{"took 16% to 58% of the time", []string{"took 58% of the time", "took 16% of the time", "took 20% of the time"}},
		{"loop ≤ 0.34 ns to 1.2 µs", []string{"loop ≤ 1.2 µs", "loop ≤ 0.34 ns"}},
		{"loop ≤ 0.34 to 1.2 ns", []string{"loop ≤ 1.2 ns", "loop ≤ 0.34 ns"}},
		{"moved by −2% to +9.7% here", []string{"moved by +9.7% here", "moved by −2% here"}},
		{"took 17.976ms, usually 479.056µs to 1ms: it", []string{"took 17.976ms, usually 1ms: it", "took 17.976ms, usually 479.056µs: it"}},
		{"5 to 7 of at least 20 samples", []string{"7 of at least 20 samples", "5 of at least 20 samples"}},
	} {
		if got := merged(c.messages); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.messages, got, c.want)
		}
	}
}

// Digits of names are no numbers: what was said of another thing is another message.
func TestPatternsKeepNames(t *testing.T) {
	for _, pair := range [][2]string{
		{"compared with sort/100", "compared with sort/200"}, {"sha256 is gone", "sha512 is gone"}, {"3 runs hang", "3 samples hang"}, {"1 of 3 pairs", "1 pairs"},
	} {
		if a, _ := readings(pair[0]); a == func() string { b, _ := readings(pair[1]); return b }() {
			t.Errorf("%q", pair)
		}
	}
}

// Whatever messages are, telling them in one loses none and never panics.
func FuzzMerged(f *testing.F) {
	f.Add("7 of 12 samples", "\x00\x01 3 of 4 of 5", 3)
	f.Fuzz(func(t *testing.T, a, b string, n int) {
		if got := merged([]string{a, a}); got != a {
			t.Errorf("%q became %q", a, got)
		}
		g := gathered{code: a, labels: []string{"a", "b", "c"}, messages: []string{a, b, a}}
		if note := g.note(max(3, n)); note.Text == "" {
			t.Errorf("nothing is said of %q", g.messages)
		}
	})
}
