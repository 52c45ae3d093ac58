package result_test

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// acceptedDoc has one gate that passes, and one for each word: fail, accepted,
// expired, open, warned, skipped.
func acceptedDoc(words ...string) *result.Document {
	d := &result.Document{Schema: result.Schema, Seed: strings.Repeat("0", 32), Suites: []result.Suite{{Name: "s", OnInconclusive: "list"}}}
	c := result.Case{Suite: "s", Name: "c", Kind: result.KindGo, Status: result.Measured}
	add := func(id string, v result.Verdict) *result.Gate {
		c.Gates = append(c.Gates, result.Gate{ID: id, Expr: "1 < 2", Severity: "fail", OnInconclusive: "list", Verdict: v, Form: result.FormExact})
		return &c.Gates[len(c.Gates)-1]
	}
	for _, word := range words {
		switch word {
		case "pass":
			add(word, result.Pass)
		case "fail":
			add(word, result.Fail)
		case "accepted", "later":
			until := map[string]string{"accepted": "2026-12-31", "later": "2027-01-31"}[word]
			add(word, result.Fail).Accepted = &result.Accepted{Until: until, Reason: "slower until mended"}
		case "expired":
			add(word, result.Fail).Accepted = &result.Accepted{Until: "2026-01-31", Reason: "slower until mended", Expired: true}
		case "open":
			add(word, result.Inconclusive)
		case "warned":
			add(word, result.Inconclusive).Severity = "warn"
		case "skipped":
			add(word, result.NotJudged)
		case "error":
			add(word, result.Error)
		case "compared":
			c.Comparisons = append(c.Comparisons, result.Comparison{})
		case "stale":
			d.Acceptances = append(d.Acceptances, result.Acceptance{Suite: "s", Case: "c", Gate: "pass", State: result.AcceptanceUnused})
		}
	}
	d.Cases = []result.Case{c}
	return d
}

// What is accepted does not count, and is never hidden; strictness changes the exit
// status of what nobody has decided, and of nothing else.
func TestAcceptedAndStrictOutcomes(t *testing.T) {
	for _, c := range []struct {
		words        string
		exit, strict int
		line         string // unless strict
		strictly     string // how the line begins where it is strict, if it differs
	}{
		{"pass", 0, 0, "PASS: 1 case measured, 1 gate passed", ""},
		{"pass accepted", 0, 0, "PASS: 1 case measured, 1 of 2 gates passed, 1 accepted until 2026-12-31 (c: accepted)", ""},
		{"accepted", 0, 0, "ACCEPTED: 1 case measured, 0 of 1 gate passed, 1 accepted until 2026-12-31 (c: accepted)", ""},
		{"pass later accepted", 0, 0, "PASS: 1 case measured, 1 of 3 gates passed, 2 accepted (c: later; c: accepted)", ""},
		{"pass accepted fail", 1, 1, "FAIL: c: fail; 1 of 3 gates failed, 1 accepted until 2026-12-31", ""},
		{"pass expired", 1, 1, "FAIL: c: expired; 1 of 2 gates failed", ""},
		{"pass accepted error", 3, 3, "ERROR: 1 of 3 gates could not be evaluated, 1 accepted until 2026-12-31 (c: error)", ""},
		{"pass open", 0, 4, "PASS, 1 of 2 undecided: 1 case measured, 1 of 2 gates passed, 1 inconclusive (c: open)", "INCONCLUSIVE: 1 of 2 gates"},
		{"pass warned", 0, 0, "PASS: 1 case measured, 1 of 2 gates passed, 1 warned", ""},
		{"pass stale", 0, 4, "PASS: 1 case measured, 1 gate passed", "REFUSED: --strict: 1 of 1 acceptance unused or expired (c: pass: unused)"},
		{"fail stale", 1, 1, "FAIL: c: fail; 1 of 1 gate failed", ""},
		{"error stale", 3, 3, "ERROR: 1 of 1 gate could not be evaluated (c: error)", ""},
		{"", 0, 4, "NO GATES: 1 case measured, nothing to pass or fail", "REFUSED: --strict: 1 case measured and nothing judged"},
		{"skipped", 0, 4, "NOT JUDGED: 1 case measured, 0 of 1 gate passed, 1 skipped", "REFUSED: --strict: 1 case measured and nothing judged"},
		{"pass skipped", 0, 4, "PASS: 1 case measured, 1 of 2 gates passed, 1 skipped", "REFUSED: --strict: nothing was compared, 1 of 2 gates passed, 1 skipped"},
	} {
		d := acceptedDoc(strings.Fields(c.words)...)
		if o := d.Outcome(); o.Exit != c.exit || o.String() != c.line {
			t.Errorf("%s: exit %d, %s\nwant %d, %s", c.words, o.Exit, o, c.exit, c.line)
		}
		if c.strictly == "" {
			c.strictly = c.line
		}
		d.MakeStrict()
		if o := d.Outcome(); o.Exit != c.strict || !strings.HasPrefix(o.String(), c.strictly) {
			t.Errorf("%s, strictly: exit %d, %s\nwant %d, %s", c.words, o.Exit, o, c.strict, c.strictly)
		}
	}
	d := acceptedDoc("pass", "skipped", "compared")
	if d.MakeStrict(); d.Outcome().Exit != 0 {
		t.Errorf("something was compared, and the outcome is %s", d.Outcome())
	}
	d = acceptedDoc("pass", "accepted")
	if d.Interrupted = "interrupt"; d.Outcome().Exit != 130 {
		t.Errorf("interrupted, and the outcome is %s", d.Outcome())
	}
}

// Words and dates that an acceptance may not have are refused, and so is an
// acceptance of anything but a failure.
func TestReadRefusesAcceptances(t *testing.T) {
	good := string(recorded(t)["accepted.json"])
	s := schema(t)
	for _, edit := range []struct {
		from, to string
		schema   bool // the schema refuses it, too
	}{
		{`"until": "2026-12-31"`, `"until": "soon"`, true},
		{`"until": "2026-12-31"`, `"until": "2026-13-31"`, false},
		{`"reason": "the shared runner varies too much"`, `"reason": ""`, true},
		{`"verdict": "fail"`, `"verdict": "pass"`, false},
		{`"state": "used"`, `"state": "usable"`, true},
		{`"gate": "fast enough"`, `"gate": ""`, true},
		{`"gate": "fast enough"`, `"gate": "time.cv < 1%"`, false},
	} {
		bad := strings.Replace(good, edit.from, edit.to, 1)
		if bad == good {
			t.Fatalf("the document has no %s", edit.from)
		}
		if _, err := result.Read(strings.NewReader(bad)); err == nil {
			t.Errorf("Read takes %s", edit.to)
		}
		if err := s.Validate(parse(t, []byte(bad))); (err != nil) != edit.schema {
			t.Errorf("the schema says %v to %s", err, edit.to)
		}
	}
}
