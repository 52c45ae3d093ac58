package probe

import (
	"testing"
	"testing/fstest"

	"example.com/suite/internal/units"
)

func TestUsageOfProcStat(t *testing.T) {
	const rest = "\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4 5 6 7 8 9 10\nintr 1 2 3 4 5 6 7 8 9 10\n"
	for _, test := range []struct {
		text string
		want usage
		ok   bool
	}{
		{"cpu  100 20 30 1000 200 4 5 60 70 80" + rest, usage{159, 60, 1419, 2}, true},
		{"cpu  100 20 30 1000 200 4 5 60" + rest, usage{159, 60, 1419, 2}, true},
		{"cpu  100 20 30 1000 200 4 5" + rest, usage{cpus: 2}, false}, // before Linux 2.6.11
		{"cpu  100 20 30 1000 x 4 5 60" + rest, usage{}, false},
		{"cpu  100 20 30 1000 200 4 5 60\n", usage{159, 60, 1419, 0}, false},
		{"", usage{}, false},
	} {
		if got, ok := parseUsage(test.text); got != test.want || ok != test.ok {
			t.Errorf("%q: %+v, %v, want %+v, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}

func TestSettingsOfTheProcessor(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	for _, test := range []struct {
		name, text string
		of         func(Settings) *bool
		want       string
	}{
		{"intel_pstate/no_turbo", "0", func(s Settings) *bool { return s.Turbo }, "on"},
		{"intel_pstate/no_turbo", "1", func(s Settings) *bool { return s.Turbo }, "off"},
		{"cpufreq/boost", "1", func(s Settings) *bool { return s.Turbo }, "on"},
		{"cpufreq/boost", "0", func(s Settings) *bool { return s.Turbo }, "off"},
		{"cpufreq/boost", "maybe", func(s Settings) *bool { return s.Turbo }, unreadable},
		{"smt/active", "1", func(s Settings) *bool { return s.SMT }, "on"},
		{"smt/active", "0", func(s Settings) *bool { return s.SMT }, "off"},
		{"smt/control", "on", func(s Settings) *bool { return s.SMT }, unreadable},
	} {
		s := settings(fstest.MapFS{cpu + test.name: file1(test.text)})
		if got := onOff(test.of(s)); got != test.want {
			t.Errorf("%s of %s: %s, want %s", test.name, test.text, got, test.want)
		}
	}
	s := settings(fstest.MapFS{
		cpu + "cpu0/cpufreq/scaling_governor":  file1("powersave"),
		cpu + "cpu1/cpufreq/scaling_governor":  file1("performance"),
		cpu + "cpu10/cpufreq/scaling_governor": file1("powersave"),
		cpu + "cpu2/cpufreq/scaling_governor":  file1(""),
	})
	if len(s.Governors) != 2 || s.Governors["powersave"] != 2 || s.Governors["performance"] != 1 {
		t.Errorf("%v", s.Governors)
	}
}

func TestNumbersOfTheText(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{units.Brief(0), "0%"}, {units.Brief(0.0063), "0.6%"}, {units.Brief(0.02), "2%"}, {units.Brief(0.0999), "10%"}, {units.Brief(0.09949), "9.9%"},
		{units.Brief(0.125), "12%"}, {units.Brief(1), "100%"}, {units.Signed(-0.004, units.Brief), "−0.4%"}, {units.Signed(0.046, units.Brief), "+4.6%"},
		{units.ShortTime(26.34e-9), "26.3 ns"}, {units.ShortTime(999.7e-9), "1 µs"}, {units.ShortTime(0.9999), "1 s"}, {units.ShortTime(0.015), "15 ms"},
		{units.ShortTime(0), "0 ns"}, {units.ShortTime(123.4), "2.06 min"}, {units.ShortTime(0.4e-9), "0.4 ns"},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}
