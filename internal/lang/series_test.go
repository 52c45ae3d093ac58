package lang

import (
	"strings"
	"testing"
)

func TestSeries(t *testing.T) {
	for text, want := range map[string]string{
		"1..5":              "1 2 3 4 5",
		"0..10+4":           "0 4 8",
		"0..1+0.1":          "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1",
		"-2..2+2":           "-2 0 2",
		"1..1000*10":        "1 10 100 1000",
		"1..5*1.5":          "1 1.5 2.25 3.375",
		"1_000..3_000+1000": "1000 2000 3000",
		"256KiB..4MiB*4":    "256KiB 1MiB 4MiB",
		"1KiB..3KiB":        "1KiB 2KiB 3KiB",
		"512B..2KiB+512B":   "512B 1KiB 1536B 2KiB",
		"100kB..10MB*10":    "100kB 1MB 10MB",
		"1ms..1s*10":        "1ms 10ms 100ms 1s",
		"5%..15%+5%":        "5% 10% 15%",
		"7..7":              "7",
	} {
		got, err := Series(text, 100)
		if !IsSeries(text) || err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %v, error %v, want %s", text, got, err, want)
		}
	}
}

func TestSeriesThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"5..1":         "5 is larger than 1",
		"1..5+0":       "the step 0 is not above 0",
		"1..5+x":       `"x" is not a step`,
		"1..5*1":       "the factor 1 is not above 1",
		"0..5*2":       "begins above 0",
		"1..1MiB":      "no units of one kind",
		"1KiB..1MB":    "no units of one kind",
		"1x..5x":       "not the ends of a series",
		"1..1000000":   "more than 100 values",
		"1KiB..2KiB+5": `"5" is not a step in the unit of the series`,
	} {
		if got, err := Series(text, 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"1.5", "a..b", "1..", "..5", "../x", "HEAD~1..HEAD", "v1..v2"} {
		if IsSeries(text) {
			t.Errorf("%s is taken for a series", text)
		}
		half := text == "1.." || text == "..5"
		if IsHalfSeries(text) != half {
			t.Errorf("%s is half a series: %v, want %v", text, !half, half)
		}
	}
	for _, text := range []string{"1..x", "-1..", "..-5", "1...3", "1KiB.."} {
		if !IsHalfSeries(text) {
			t.Errorf("%s is not half a series", text)
		}
	}
	for _, text := range []string{"1..5", "1..5*x", "..", "../5", "..x", "main..5", "5", ""} {
		if IsHalfSeries(text) {
			t.Errorf("%s is half a series", text)
		}
	}
}
