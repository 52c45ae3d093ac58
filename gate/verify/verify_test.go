package verify

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"example.com/suite/gate"
	"example.com/suite/gate/again"
	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// TestMain collects garbage seldom, which is a fifth of the time of these tests otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// document has a case of every kind with gates of every form, judged as a run
// judges them.
func document(t *testing.T) *result.Document {
	t.Helper()
	d := &result.Document{Schema: result.Schema, Tool: result.Tool{Name: "suite", Version: "1", Go: "go1.26.8"}, Started: time.Unix(0, 0).UTC(),
		Seed: "9f3c51d07a2be84466f01c9d5e3a7b18", Machine: result.Machine{OS: "linux", Arch: "amd64", CPUs: 2, GOMAXPROCS: 2},
		Suites: []result.Suite{{Name: "s", File: "s.yaml", Hash: "sha256:1", OnInconclusive: "list"}}}
	add(d, "function", result.KindGo, 2e-6, "time.median < 1ms", "time.p99 < 1ns", "allocs.max == 0", `case("command").time.median > time.median`)
	add(d, "command", result.KindCommand, 3e-3, "time.median < 3ms and exit_code == 0", "params.size == 64 and exit_code == 0", `host.os == "linux"`)
	c := add(d, "broken", result.KindCommand, 1, "time.median < 1s")
	c.Status, c.Samples, c.Metrics, c.Launches = result.Failed, result.Samples{}, nil, 0
	c.Failure = &result.Failure{Phase: "run", Cause: "exit", Message: "exit status 1"}
	judged(t, d)
	return d
}

func add(d *result.Document, name string, kind result.Kind, median float64, exprs ...string) *result.Case {
	size := 64.0
	c := result.Case{Suite: "s", Name: name, Kind: kind, Unit: "op", Work: 1, Status: result.Measured, Iterations: 1, Clock: "wall", Launches: 1,
		Params: []result.Param{{Name: "size", Text: "64", Number: &size}}, Samples: result.Samples{Columns: map[string]result.Column{}},
		Settings: result.Settings{Confidence: 0.95}}
	rng := rand.New(rand.NewPCG(1, uint64(len(name))))
	for i := range 120 {
		s := &c.Samples
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i/10), append(s.At, float64(i))
		s.Columns["time"] = append(s.Columns["time"], median*math.Exp(0.1*rng.NormFloat64()))
		if kind != result.KindGo {
			s.Columns["exit_code"] = append(s.Columns["exit_code"], 0)
		} else if i%10 == 3 {
			s.Disturbed = append(s.Disturbed, result.Disturbed{Index: i, Cause: result.Preempted, Count: 1})
		}
	}
	c.Metrics = summary.Of(&c)
	if kind == result.KindGo {
		c.Metrics = append(c.Metrics, result.Summary{Metric: "allocs", Exact: true, N: 3, Blocks: 3})
	}
	for i, expr := range exprs {
		c.Gates = append(c.Gates, result.Gate{ID: expr, Expr: expr, Place: diag.Place{File: "s.yaml", Line: i + 1, Col: 1}, Severity: "fail", OnInconclusive: "list"})
	}
	d.Cases = append(d.Cases, c)
	return &d.Cases[len(d.Cases)-1]
}

// judged fills in verdicts and the exit status.
func judged(t *testing.T, d *result.Document) {
	t.Helper()
	set, err := again.Gates(d)
	if err != nil {
		t.Fatal(err)
	}
	set = again.Share(set, d).On(func(int) gate.Host { return gate.Host{OS: "linux", Arch: "amd64", CPUs: 2} })
	set.Assess(nil).Judge(d.Cases)
	planned(d)
	d.Exit = d.Outcome().Exit
}

// planned writes down that all that the document has was to be judged.
func planned(d *result.Document) {
	for i := range d.Suites {
		p := result.PlannedOf(d.Cases, d.Suites[i].Name)
		d.Suites[i].Planned = &p
	}
}

// sealed sets the right digest, as anybody can who changes a document by hand.
func sealed(t *testing.T, d *result.Document) *result.Document {
	t.Helper()
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	return d
}

// reread is the document as suite reads it from a file.
func reread(t *testing.T, d *result.Document) *result.Document {
	t.Helper()
	var b bytes.Buffer
	if err := result.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	again, err := result.Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func check(t *testing.T, d *result.Document) *Report {
	t.Helper()
	r, err := Document(sealed(t, d), "1")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestWhatWasWrittenVerifies(t *testing.T) {
	d := document(t)
	r := check(t, reread(t, d))
	for _, f := range r.Findings {
		t.Errorf("%+v", f)
	}
	if r.Gates != 8 || r.Metrics < 5 {
		t.Errorf("%d gates and %d metrics", r.Gates, r.Metrics)
	}
	if len(r.Taken) != 2 || !strings.Contains(r.Taken[0], "allocations") || !strings.Contains(r.Taken[1], "only the digest covers") {
		t.Errorf("taken as it is: %q", r.Taken)
	}
}

// Whatever is changed by hand is found, by name.
func TestChangedByHand(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *result.Document)
		want   string
	}{
		"a sample":                       {func(d *result.Document) { d.Cases[0].Samples.Columns["time"][7] *= 1.01 }, `metric "time": mean`},
		"a small sample":                 {func(d *result.Document) { d.Cases[1].Samples.Columns["time"][0] *= 1 + 1e-6 }, `metric "time": mean`},
		"a disturbed sample":             {func(d *result.Document) { d.Cases[0].Samples.Disturbed = d.Cases[0].Samples.Disturbed[1:] }, `metric "time": n`},
		"a block":                        {func(d *result.Document) { d.Cases[0].Samples.Block[9] = 1 }, `metric "time": `},
		"a median":                       {func(d *result.Document) { d.Cases[0].Metrics[0].Median *= 0.99 }, `metric "time": median`},
		"an interval":                    {func(d *result.Document) { *d.Cases[0].Metrics[0].Low *= 0.99 }, `metric "time": low`},
		"an unknown metric":              {func(d *result.Document) { d.Cases[0].Metrics[1].Metric = "speed" }, `metric "speed"`},
		"a missing interval":             {func(d *result.Document) { s := &d.Cases[0].Metrics[0]; s.Low, s.High = nil, nil }, `metric "time": low`},
		"a missing summary":              {func(d *result.Document) { d.Cases[0].Metrics = d.Cases[0].Metrics[1:] }, `metric "time"`},
		"a verdict":                      {func(d *result.Document) { d.Cases[0].Gates[1].Verdict = result.Pass }, `gate "time.p99 < 1ns": verdict`},
		"a verdict of a case that broke": {func(d *result.Document) { d.Cases[2].Gates[0].Verdict = result.Pass }, `gate "time.median < 1s": verdict`},
		"a form":                         {func(d *result.Document) { d.Cases[0].Gates[1].Form = result.FormInterval }, `gate "time.p99 < 1ns": form`},
		"a reason":                       {func(d *result.Document) { d.Cases[0].Gates[1].Reason = "all is well" }, `gate "time.p99 < 1ns": reason`},
		"a cause":                        {func(d *result.Document) { d.Cases[0].Gates[1].Cause = result.CauseUnfit }, `gate "time.p99 < 1ns": cause`},
		"what a gate reads":              {func(d *result.Document) { d.Cases[0].Gates[1].Reads[0].Metric = "wall" }, `gate "time.p99 < 1ns": reads`},
		"a value":                        {func(d *result.Document) { d.Cases[0].Gates[1].Values[0].Value = 1e-10 }, `gate "time.p99 < 1ns": values`},
		"a limit": {func(d *result.Document) {
			g := &d.Cases[0].Gates[0]
			g.Expr = "time.median < 1ns"
		}, `gate "time.median < 1ms": verdict`},
		"an exact metric": {func(d *result.Document) { s := d.Cases[0].Summary("allocs"); s.Max, s.Median = 1, 1 }, `gate "allocs.max == 0": verdict`},
		"a parameter":     {func(d *result.Document) { *d.Cases[1].Params[0].Number = 65 }, `gate "params.size == 64 and exit_code == 0": verdict`},
		"the system":      {func(d *result.Document) { d.Machine.OS = "darwin" }, `gate "host.os == \"linux\"": verdict`},
		"the exit status": {func(d *result.Document) { d.Exit = 0 }, "exit status"},
		"a failure that nobody accepted": {func(d *result.Document) {
			d.Cases[0].Gates[1].Accepted = &result.Accepted{Until: "2026-12-31", Reason: "slower until mended"}
		}, `gate "time.p99 < 1ns": accepted`},
		"an acceptance of another day": {func(d *result.Document) { accepted(d).Until = "2027-12-31" }, `gate "time.p99 < 1ns": accepted`},
		"an expired acceptance":        {func(d *result.Document) { accepted(d).Expired = true }, `gate "time.p99 < 1ns": accepted`},
		"the launches":                 {func(d *result.Document) { d.Cases[0].Launches = 2 }, "launches"},
	} {
		d := document(t)
		c.change(d)
		var found []string
		for _, f := range check(t, reread(t, d)).Findings {
			found = append(found, f.What)
		}
		if !strings.Contains(strings.Join(found, "\n"), c.want) {
			t.Errorf("%s: want a difference about %s, got %q", name, c.want, found)
		}
	}
}

// accepted has the failing gate accepted, in a document whose broken case is left
// out.
func accepted(d *result.Document) *result.Accepted {
	d.Cases = d.Cases[:2]
	g := &d.Cases[0].Gates[1]
	g.Accepted = &result.Accepted{Until: "2026-12-31", Reason: "slower until mended"}
	d.Acceptances = []result.Acceptance{{Suite: "s", Case: "function", Gate: g.ID, Until: "2026-12-31", State: result.AcceptanceUsed}}
	planned(d)
	d.Exit = d.Outcome().Exit
	return g.Accepted
}

// What is accepted is taken as it is, and the exit status follows from it.
func TestAcceptedFailuresVerify(t *testing.T) {
	d := document(t)
	accepted(d)
	if r := check(t, reread(t, d)); len(r.Findings) > 0 || !strings.Contains(strings.Join(r.Taken, "\n"), "1 acceptance") {
		t.Errorf("%+v, taken as it is: %q", r.Findings, r.Taken)
	}
	d.Exit = 1
	if r := check(t, reread(t, d)); len(r.Findings) != 1 || r.Findings[0].What != "exit status" {
		t.Errorf("with exit status 1: %+v", r.Findings)
	}
}

// Another version of suite may word a reason differently, but must decide the same.
func TestWordsOfAnotherVersion(t *testing.T) {
	d := document(t)
	d.Tool.Version, d.Cases[0].Gates[1].Reason = "0.9", "in other words"
	if r := check(t, d); len(r.Findings) > 0 {
		t.Errorf("%+v", r.Findings)
	}
	d.Cases[0].Gates[1].Verdict = result.Inconclusive
	if r := check(t, d); len(r.Findings) != 1 {
		t.Errorf("%+v", r.Findings)
	}
}

// A document of an earlier version has no causes, and lists nothing that gates read.
func TestDocumentsWithoutCauses(t *testing.T) {
	d := document(t)
	for i := range d.Cases {
		for j := range d.Cases[i].Gates {
			g := &d.Cases[i].Gates[j]
			g.Cause, g.Reads = "", nil
		}
	}
	if r := check(t, reread(t, d)); len(r.Findings) == 0 {
		t.Error("this version writes causes, and their absence is not found")
	}
	d.Tool.Version = "0.9"
	if r := check(t, reread(t, d)); len(r.Findings) > 0 || r.Gates == 0 {
		t.Errorf("%+v", r.Findings)
	}
}

// If only a summary of the samples is kept, medians and intervals follow from the
// rows. The rest is accepted unchecked, and the report lists it.
func TestSummaryOfSamples(t *testing.T) {
	d := document(t)
	c := &d.Cases[0]
	c.Samples.Taken, c.Samples.Disturbed = 1200, nil
	c.Metrics = append(summary.Of(c), *c.Summary("allocs"))
	for i := range c.Metrics[:len(c.Metrics)-1] {
		c.Metrics[i].N, c.Metrics[i].P99, c.Metrics[i].Mean = 1200, c.Metrics[i].Max, c.Metrics[i].Median
	}
	judged(t, d)
	r := check(t, d)
	if len(r.Findings) > 0 || len(r.Taken) != 3 {
		t.Errorf("%+v, taken as it is: %q", r.Findings, r.Taken)
	}
	c.Metrics[0].Median *= 0.999
	if r := check(t, d); len(r.Findings) == 0 {
		t.Error("a median that was changed is not found")
	}
}

// Status 3 may come from a report that could not be written. It is a remark and not a
// difference.
func TestExitOfAReportThatCouldNotBeWritten(t *testing.T) {
	d := document(t)
	d.Cases = d.Cases[1:2]
	d.Cases[0].Gates = d.Cases[0].Gates[1:2]
	judged(t, d)
	d.Exit = 3
	if r := check(t, d); len(r.Findings) > 0 || !strings.Contains(strings.Join(r.Taken, "\n"), "exit status 3, although the verdicts lead to 0") {
		t.Errorf("%+v, taken as it is: %q", r.Findings, r.Taken)
	}
}

// The digest covers the whole document, including fields that no other check reads.
func TestTheDigestCoversTheWholeDocument(t *testing.T) {
	for name, change := range map[string]func(d *result.Document){
		"work":               func(d *result.Document) { d.Cases[0].Work = 2 },
		"a setting":          func(d *result.Document) { d.Cases[0].Settings.Timeout = 7 },
		"the machine":        func(d *result.Document) { d.Machine.CPU = "faster" },
		"an exit status":     func(d *result.Document) { x := 3; d.Cases[2].Failure.Exit = &x },
		"a source":           func(d *result.Document) { d.Suites[0].Sources = []result.Source{{File: "s.yaml", Text: "suite: s"}} },
		"the time":           func(d *result.Document) { d.Started = time.Unix(1, 0).UTC() },
		"a description":      func(d *result.Document) { d.Cases[0].Description = "x" },
		"the end of digests": func(d *result.Document) { d.Digest = d.Digest[:60] + "00000000000" },
		"no digest":          func(d *result.Document) { d.Digest = "" },
	} {
		d := sealed(t, document(t))
		if r, err := Document(d, "1"); err != nil || len(r.Findings) > 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		change(d)
		r, err := Document(d, "1")
		if err != nil || len(r.Findings) != 1 || r.Findings[0].What != "digest of the document" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// A document without a plan may have lost cases or gates.
func TestWhatWasPlannedIsRequired(t *testing.T) {
	d := document(t)
	d.Suites[0].Planned, d.Cases = nil, d.Cases[1:2]
	d.Cases[0].Gates = d.Cases[0].Gates[:1]
	d.Exit = 0
	if r := check(t, d); len(r.Findings) != 1 || r.Findings[0].What != `suite "s": the plan` {
		t.Errorf("%+v", r.Findings)
	}
	d = document(t)
	stored := d.Suites[0].Planned.Digest
	d.Suites[0].Planned.Digest = stored[:len(stored)-1] + string('0'+(stored[len(stored)-1]+1)%10)
	if r := check(t, d); len(r.Findings) != 1 || r.Findings[0].Recomputed != stored {
		t.Errorf("a digest that differs at its end: %+v", r.Findings)
	}
}

func TestGateThatDoesNotCompile(t *testing.T) {
	d := document(t)
	d.Cases[0].Gates[0].Expr = "time.medain < 1ms"
	if _, err := Document(d, "1"); err == nil || !strings.Contains(err.Error(), "medain") {
		t.Errorf("error %v", err)
	}
}

// A summary that was changed together with the verdict that rests on it hides
// neither: gates are judged over what follows from the samples.
func TestVerdictsRestOnSamples(t *testing.T) {
	d := document(t)
	d.Cases[0].Summary("time").P99 = 1e-10
	judged(t, d)
	if g := d.Cases[0].Gates[1]; g.Verdict != result.Pass {
		t.Fatalf("%s of a summary that was changed", g.Verdict)
	}
	var found []string
	for _, f := range check(t, d).Findings {
		found = append(found, f.What)
	}
	all := strings.Join(found, "\n")
	if !strings.Contains(all, `metric "time": p99`) || !strings.Contains(all, `gate "time.p99 < 1ns": verdict`) {
		t.Errorf("found %q", found)
	}
}
