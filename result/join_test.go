package result

import (
	"strings"
	"testing"
	"time"
)

func shard(suite, hash string, cases ...string) *Document {
	d := &Document{Schema: Schema, Seed: strings.Repeat("0", 32), Started: time.Date(2026, 1, 1, 0, len(cases), 0, 0, time.UTC), Seconds: 2,
		Suites:       []Suite{{Name: suite, Hash: hash, OnInconclusive: "list"}},
		Calibrations: []Calibration{{Suite: suite, Host: "go"}}}
	for _, name := range cases {
		d.Cases = append(d.Cases, Case{Suite: suite, Name: name, Kind: KindGo, Status: Measured,
			Gates: []Gate{{ID: "g", Expr: "g", Severity: "fail", OnInconclusive: "list", Verdict: Pass, Form: FormExact}}})
	}
	return d
}

// The parts of a suite become one again, judged as a whole.
func TestJoinPutsPartsTogether(t *testing.T) {
	a, b, c := shard("s", "h", "one", "two"), shard("s", "h", "three"), shard("other", "h", "one")
	b.Cases[0].Gates[0].Verdict = Fail
	d, err := Join([]*Document{a, b, c})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Suites) != 2 || len(d.Cases) != 4 || len(d.Calibrations) != 3 || d.Seconds != 6 || d.Exit != 1 || !d.Started.Equal(b.Started) {
		t.Errorf("%d suites, %d cases, %g s, exit %d, started %v", len(d.Suites), len(d.Cases), d.Seconds, d.Exit, d.Started)
	}
	if err := d.Validate(); err != nil {
		t.Error(err)
	}
	if len(d.Warnings) != 0 || len(a.Cases) != 2 {
		t.Errorf("warnings %v, the first has %d cases", d.Warnings, len(a.Cases))
	}
}

// What cannot be one run is refused, and what was not alike is said.
func TestJoinSaysWhatDiffers(t *testing.T) {
	for want, docs := range map[string][]*Document{
		`case "one" of suite "s" is in two of them`:                                 {shard("s", "h", "one"), shard("s", "h", "one")},
		`suite "s" is not the same in all of them: its file has changed in between`: {shard("s", "h", "one"), shard("s", "i", "two")},
	} {
		if _, err := Join(docs); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	a, b := shard("s", "h", "one"), shard("s", "h", "two")
	b.Machine.CPU, b.Machine.Load, b.Seed = "another", "1.0", strings.Repeat("1", 32)
	d, err := Join([]*Document{a, b})
	if err != nil || len(d.Warnings) != 1 || !strings.HasSuffix(d.Warnings[0].Message, "shown from the first: machine, seed") {
		t.Errorf("%v, %v", d.Warnings, err)
	}
}
