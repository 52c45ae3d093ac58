//go:build linux

package host

import (
	"strings"
	"testing"

	"example.com/suite/runner/host/wire"
)

func same(c *wire.Command) { c.SameOutput = true }

func TestRunsThatPrintTheSamePass(t *testing.T) {
	h := commander(t)
	got := times(t, h, script(t, "echo one; echo two", same), 5)
	if got.Failure != nil || len(got.Readings.ID) != 5 {
		t.Fatalf("%+v", got.Failure)
	}
	if o := h.kit.printed; o == nil || string(o.Text) != "one\ntwo\n" || o.Size != 8 || !strings.HasPrefix(o.Hash, "sha256:") || o.Of != "" {
		t.Errorf("%+v", o)
	}
}

func TestARunThatPrintsOtherThingsFails(t *testing.T) {
	got := times(t, commander(t), script(t, `echo one; mkdir x 2>/dev/null || echo two`, same), 5)
	if f := got.Failure; f == nil || f.Phase != "output" || f.Cause != "differs" || f.Batch != 2 || len(got.Readings.ID) != 1 ||
		f.Message != "the output differs from the output of an earlier run in line 2" || f.Detail != "line 2 was not there\nline 2 is  \"two\\n\"" {
		t.Errorf("%+v", f)
	}
}

// What others have printed comes with the case or with its first run.
func TestWhatOtherCasesPrintedIsExpected(t *testing.T) {
	expected := &wire.Output{Of: "fast", Hash: "sha256:of something else", Size: 4, Text: []byte("two\n")}
	check := func(got *wire.Response) {
		t.Helper()
		if f := got.Failure; f == nil || f.Message != `the output differs from the output of case "fast" in line 1` || !strings.HasPrefix(f.Detail, `line 1 was "two"`) {
			t.Errorf("%+v", f)
		}
	}
	check(times(t, commander(t), script(t, "echo one", same, func(c *wire.Command) { c.Expect = expected }), 1))
	h := commander(t)
	c := script(t, "echo one", same)
	id := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	check(h.answer(&wire.Request{Op: "run", Batches: []wire.Batch{{ID: id, N: 1}}, Limit: second, Expect: expected}))
}

func TestDifferences(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, test := range []struct {
		a, b    string
		size    int // of a, if only its beginning is known
		message string
		detail  string
	}{
		{"a\nb\n", "a\nc\n", 4, "in line 2", "line 2 was \"b\"\nline 2 is  \"c\""},
		{"a", "a\n", 1, "in line 1", "line 1 was \"a\"\nline 1 is  \"a\\n\""},
		{"", "a\n", 0, "in line 1", "line 1 was not there\nline 1 is  \"a\\n\""},
		{"a\nb", "a\n", 3, "in line 2", "line 2 was \"b\"\nline 2 is  not there"},
		{"\x1b[31ma\n", "\x1b[32ma\n", 7, "in line 1", "line 1 was \"\\x1b[31ma\"\nline 1 is  \"\\x1b[32ma\""},
		{long + "a\n", long + "b\n", 302, "in line 1", "line 1 was …\"" + long[:20] + "a\"\nline 1 is  …\"" + long[:20] + "b\""},
		{"a" + long, "b" + long, 301, "in line 1", "line 1 was \"a" + long[:79] + "\"…\nline 1 is  \"b" + long[:79] + "\"…"},
		{"a\nb\n", "a\nb\nc\n", 90, "in line 3 or later", ""},
		{"a\nb", "a\nbc\n", 90, "in line 2 or later", ""},
		{"", "a\n", -1, "before the run was interrupted", ""},
	} {
		message, detail := difference(&wire.Output{Size: test.size}, []byte(test.a), []byte(test.b))
		if !strings.HasSuffix(message, test.message) || detail != test.detail {
			t.Errorf("%.20q and %.20q: %q, %q", test.a, test.b, message, detail)
		}
	}
}
