package lang

import (
	"encoding/json"
	"testing"
)

func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (float64, error)
		in    string
		want  float64
	}{
		{ParseDuration, "2ms", 0.002}, {ParseDuration, "1.5s", 1.5}, {ParseDuration, "3m", 180},
		{ParseDuration, "1h", 3600}, {ParseDuration, "100ns", 1e-7}, {ParseDuration, "5us", 5e-6},
		{ParseDuration, "5µs", 5e-6}, {ParseDuration, "5μs", 5e-6}, {ParseDuration, "0", 0},
		{ParseDuration, "0s", 0}, {ParseDuration, "0.3ns", 3e-10}, {ParseDuration, "1h30m", 5400},
		{ParseDuration, "1m30.5s", 90.5}, {ParseDuration, "1_000ms", 1},
		{ParseSize, "64KiB", 65536}, {ParseSize, "64kB", 64000}, {ParseSize, "200MB", 2e8},
		{ParseSize, "1.5GiB", 1.5 * (1 << 30)}, {ParseSize, "512B", 512}, {ParseSize, "4096", 4096},
		{ParseSize, "2PiB", 1 << 51}, {ParseSize, "0", 0},
		{ParseRate, "1000/s", 1000}, {ParseRate, "90/m", 1.5}, {ParseRate, "1/20ms", 50}, {ParseRate, "1_000/1h", 1000.0 / 3600}, {ParseRate, "0.5/s", 0.5}, {ParseRate, "1e3/s", 1000},
		{ParsePercent, "3%", 0.03}, {ParsePercent, "0.5%", 0.005}, {ParsePercent, "0.03", 0.03}, {ParsePercent, "150%", 1.5},
		{ParseNumber, "42", 42}, {ParseNumber, "-1.5", -1.5}, {ParseNumber, "1e6", 1e6}, {ParseNumber, "1_000", 1000},
		{ParseNumber, "0x10", 16}, {ParseNumber, "-0x10", -16}, {ParseNumber, ".5", 0.5}, {ParseNumber, "0", 0}, {ParseNumber, "+7", 7},
	} {
		if got, err := c.parse(c.in); err != nil || got != c.want {
			t.Errorf("%q = %v, %v; want %v", c.in, got, err, c.want)
		}
	}
}

func TestQuantitiesRefused(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (float64, error)
		in    string
		want  string
	}{
		{ParseDuration, "", `"" is not a duration: write it like 100ms, 1.5s or 2m`},
		{ParseDuration, "100", `"100" is not a duration: its unit is missing, write it like 100ms, 1.5s or 2m`},
		{ParseDuration, "2 ms", `"2 ms" is not a duration: write it without spaces, like 100ms`},
		{ParseDuration, "-2ms", `"-2ms" is negative`},
		{ParseDuration, "2MS", `"2MS" is not a duration: units are ns, us, ms, s, m and h`},
		{ParseDuration, "5min", `"5min" is not a duration: did you mean "5m"?`},
		{ParseDuration, "1d", `"1d" is not a duration: units are ns, us, ms, s, m and h`},
		{ParseDuration, "30m1h", `"30m1h" is not a duration: longer units come first, each once: 1h30m`},
		{ParseDuration, "fast", `"fast" is not a duration: write it like 100ms, 1.5s or 2m`},
		{ParseDuration, "1e3ms", `"1e3ms" is not a duration: units are ns, us, ms, s, m and h`},
		{ParseSize, "64KB", `"64KB" is not a size: write kB (powers of 1000) or KiB (powers of 1024)`},
		{ParseSize, "1M", `"1M" is not a size: write MB (powers of 1000) or MiB (powers of 1024)`},
		{ParseSize, "1k", `"1k" is not a size: write kB (powers of 1000) or KiB (powers of 1024)`},
		{ParseSize, "1 KiB", `"1 KiB" is not a size: write it without spaces, like 64KiB`},
		{ParseSize, "1bit", `"1bit" is not a size: units are B, kB, MB, GB, TB and KiB, MiB, GiB, TiB`},
		{ParseRate, "1000", `"1000" is not a rate: write it like 1000/s, 90/m or 1/20ms`},
		{ParseRate, "/s", `"/s" is not a rate: "" is not a number`}, {ParseRate, "1000/", `"1000/" is not a rate: "" is not a duration: write it like 100ms, 1.5s or 2m`},
		{ParseRate, "1000/5", `"1000/5" is not a rate: "5" is not a duration: its unit is missing, write it like 100ms, 1.5s or 2m`},
		{ParseRate, "0/s", `"0/s" is not more than zero`}, {ParseRate, "-1/s", `"-1/s" is negative`}, {ParseRate, "1/0s", `"1/0s" is not a rate: its time is zero`},
		{ParseRate, "1 /s", `"1 /s" is not a rate: write it without spaces, like 1000/s`},
		{ParsePercent, "3 %", `"3 %" is not a percentage: write it without spaces, like 3%`},
		{ParsePercent, "%", `"%" is not a percentage: write it like 3% or 0.03`},
		{ParsePercent, "-3%", `"-3%" is negative`},
		{ParseNumber, "010", `"010" is not a number`}, {ParseNumber, "nan", `"nan" is not a number`},
		{ParseNumber, ".inf", `".inf" is not a number`}, {ParseNumber, "Inf", `"Inf" is not a number`},
		{ParseNumber, "1__0", `"1__0" is not a number`}, {ParseNumber, "1_", `"1_" is not a number`},
		{ParseNumber, "0x1p-2", `"0x1p-2" is not a number`}, {ParseNumber, "--1", `"--1" is not a number`},
		{ParseNumber, "1e999", `"1e999" is too large`}, {ParseNumber, "", `"" is not a number`},
	} {
		if got, err := c.parse(c.in); err == nil || err.Error() != c.want {
			t.Errorf("%q = %v, %v; want the error %s", c.in, got, err, c.want)
		}
	}
}

func TestParseQuantity(t *testing.T) {
	for in, want := range map[string]float64{"2ms": 0.002, "64KiB": 65536, "3%": 0.03, "1_000": 1000, "-3%": -0.03, "1h30m": 5400, "1.5e6": 1.5e6} {
		if got, ok := parseQuantity(in); !ok || got != want {
			t.Errorf("parseQuantity(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "1M", "ms", "a.txt", "2ms5", "--3%", "%", "1k", "64KB", "010", "NaN"} {
		if got, ok := parseQuantity(in); ok {
			t.Errorf("parseQuantity(%q) = %v, want none", in, got)
		}
	}
}

func TestParameterValueKeepsSpellingAndNumber(t *testing.T) {
	for _, c := range []struct {
		text, tag, json string
	}{
		{"1KiB", "!!str", `{"text":"1KiB","number":1024}`},
		{"64", "!!int", `{"text":"64","number":64}`},
		{"64", "!!str", `{"text":"64"}`},   // quoted: text, because it was asked for
		{"010", "!!int", `{"text":"010"}`}, // YAML 1.1 says 8
		{"1e3", "!!float", `{"text":"1e3","number":1000}`},
		{"true", "!!bool", `{"text":"true","bool":true}`},
		{"False", "!!bool", `{"text":"False","bool":false}`},
		{"a.txt", "!!str", `{"text":"a.txt"}`},
		{"2026-01-02", "!!timestamp", `{"text":"2026-01-02"}`},
	} {
		got, err := json.Marshal(ParameterValue(c.text, c.tag))
		if err != nil || string(got) != c.json {
			t.Errorf("ParameterValue(%q, %s) = %s, %v; want %s", c.text, c.tag, got, err, c.json)
		}
	}
}

func TestFormatNumberIsShortest(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1024: "1024", 0.1: "0.1", 1e20: "100000000000000000000", 1e21: "1e+21", 1e-7: "1e-07", -2.5: "-2.5"} {
		if got := FormatNumber(x); got != want {
			t.Errorf("FormatNumber(%v) = %s, want %s", x, got, want)
		}
	}
}
