package accept

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// measured is a document with one gate of each kind, all in the case "c" of the
// suite "demo", and the same case in the suite "other".
func measured() *result.Document {
	gates := func() (all []result.Gate) {
		for _, v := range []result.Verdict{result.Pass, result.Fail, result.Inconclusive, result.Error, result.NotJudged} {
			all = append(all, result.Gate{ID: string(v), Expr: "1 < 2", Severity: "fail", OnInconclusive: "list", Verdict: v, Form: result.FormExact})
		}
		return append(all, result.Gate{ID: "warned", Expr: "1 < 2", Severity: "warn", OnInconclusive: "list", Verdict: result.Fail, Form: result.FormExact})
	}
	doc := &result.Document{Schema: result.Schema, Seed: strings.Repeat("0", 32)}
	for _, suite := range []string{"other", "demo"} { // the first is not to be taken for the second
		doc.Suites = append(doc.Suites, result.Suite{Name: suite, OnInconclusive: "list"})
		doc.Cases = append(doc.Cases, result.Case{Suite: suite, Name: "c", Kind: result.KindGo, Status: result.Measured, Gates: gates()})
	}
	late := result.Case{Suite: "demo", Name: "late", Kind: result.KindGo, Status: result.NotRun, Gates: gates()[4:5]}
	doc.Cases = append(doc.Cases, late)
	return doc
}

func gateOf(doc *result.Document, suite, id string) *result.Gate {
	for i := range doc.Cases {
		for j := range doc.Cases[i].Gates {
			if doc.Cases[i].Suite == suite && doc.Cases[i].Gates[j].ID == id {
				return &doc.Cases[i].Gates[j]
			}
		}
	}
	return nil
}

func TestWhatBecomesOfAnEntry(t *testing.T) {
	whole := Scope{Today: today, Whole: true, Suites: []string{"demo", "beside"}}
	part := Scope{Today: today}
	shard := Scope{Today: today, Whole: true, InOtherShard: func(suite, name string) bool { return suite == "demo" && name == "there" }}
	for _, c := range []struct {
		suite, name, gate string
		until             Day
		scope             Scope
		state             result.AcceptanceState // empty: not concerned
		detail            string
		accepted          bool
	}{
		{"demo", "c", "fail", today, whole, "used", "the gate fails", true},
		{"demo", "c", "fail", today, part, "used", "the gate fails", true},
		{"demo", "c", "fail", "2026-06-14", whole, "expired", "the gate still fails", false},
		{"demo", "c", "pass", today, whole, "unused", "the gate passes", false},
		{"demo", "c", "pass", "2026-06-14", whole, "expired", "the gate passes", false},
		{"demo", "c", "inconclusive", today, whole, "open", "the gate is inconclusive", false},
		{"demo", "c", "error", today, whole, "open", "the gate could not be evaluated", false},
		{"demo", "c", "error", "2026-06-14", whole, "expired", "the gate could not be evaluated", false},
		{"demo", "c", "skipped", today, whole, "open", "the gate was skipped", false},
		{"demo", "c", "warned", today, whole, "unused", "the gate only warns", false},
		{"demo", "c", "fial", today, whole, "unused", `the case has no gate "fial"; did you mean "fail"?`, false},
		{"demo", "c", "fial", today, part, "", "", false},
		{"demo", "c", "tolerance@against", today, whole, "", "", false},
		{"demo", "lat", "fail", today, whole, "unused", `the suite has no case "lat"; did you mean "late"?`, false},
		{"demo", "gone", "fail", "2026-06-14", whole, "expired", `the suite has no case "gone"`, false},
		{"demo", "gone", "fail", today, part, "", "", false},
		{"demo", "late", "skipped", today, whole, "", "", false},
		{"dmeo", "c", "fail", today, whole, "unused", `there is no suite "dmeo"; did you mean "demo"?`, false},
		{"dmeo", "c", "fail", today, part, "", "", false},
		{"beside", "c", "fail", today, whole, "", "", false},
		{"demo", "there", "fail", today, shard, "", "", false}, // another machine judges it
		{"demo", "gone", "fail", today, shard, "unused", `the suite has no case "gone"`, false},
		{"demo", "c", "fial", today, shard, "unused", `the case has no gate "fial"; did you mean "fail"?`, false},
		{"other", "c", "fail", today, Scope{Today: today, Whole: true}, "", "", false}, // a suite of another folder
	} {
		doc, f := measured(), New("accept.yaml")
		f.Put(Entry{Key: Key{Suite: c.suite, Case: c.name, Gate: c.gate}, Until: c.until, Reason: "slower until mended", At: "then"})
		f.Judge(doc, []string{"demo"}, c.scope)
		var state result.AcceptanceState
		var detail string
		if len(doc.Acceptances) == 1 {
			state, detail = doc.Acceptances[0].State, doc.Acceptances[0].Detail
		}
		if state != c.state || detail != c.detail {
			t.Errorf("%v until %s: %q %q, want %q %q", c.gate, c.until, state, detail, c.state, c.detail)
		}
		for _, suite := range []string{"demo", "other"} {
			g := gateOf(doc, suite, "fail")
			if got, want := g.IsAccepted(), c.accepted && suite == "demo"; got != want {
				t.Errorf("%v until %s: accepted in %s is %v", c.gate, c.until, suite, got)
			}
			if g.Verdict != result.Fail {
				t.Errorf("%v: the verdict became %s", c.gate, g.Verdict)
			}
		}
		if err := doc.Validate(); err != nil {
			t.Errorf("%v until %s: %v", c.gate, c.until, err)
		}
	}
}

// Only entries that need attention are footnotes, and the advice is printed once.
func TestStaleEntriesAreFootnotes(t *testing.T) {
	doc := measured()
	f := parsed(t, `
- {suite: demo, case: c, gate: fail, until: 2026-06-14, reason: slower until mended}
- {suite: demo, case: c, gate: pass, until: 2026-12-31, reason: slower until mended}
- {suite: demo, case: c, gate: inconclusive, until: 2026-12-31, reason: slower until mended}
- {suite: demo, case: gone, gate: pass, until: 2026-12-31, reason: slower until mended}
`)
	f.Judge(doc, []string{"demo"}, Scope{Today: today, Whole: true})
	Warn(doc)
	var lines []string
	for _, w := range doc.Warnings {
		lines = append(lines, string(w.Code)+" "+w.Message+" | "+w.Hint)
	}
	want := `acceptance-expired accept.yaml:2:3: the acceptance of c: fail expired on 2026-06-14: the gate still fails | 
acceptance-unused accept.yaml:3:3: the acceptance of c: pass is unused: the gate passes | 
acceptance-unused accept.yaml:5:3: the acceptance of gone: pass is unused: the suite has no case "gone" | suite accept renews an entry, suite accept --remove takes it out`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if g := gateOf(doc, "demo", "fail"); g.Accepted == nil || !g.Accepted.Expired {
		t.Error("a gate whose acceptance expired does not say so")
	}
}
