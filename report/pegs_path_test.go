package report

import (
	"strings"
	"testing"

	"example.com/suite/report/pegs"
	"example.com/suite/report/reporttest"
)

// Cases without a path are listed; it is an error if no case has it.
func TestPathOfSomeCases(t *testing.T) {
	cases, path := pegged(reporttest.Flowing()), []string{"accept", "decode", "look up"} // the second alone
	var out, json strings.Builder
	if err := writePath(&out, cases, path); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "server: ") || !strings.HasSuffix(got, "\n\nwithout these arcs: parser, script, odd, none\n") {
		t.Error(got)
	}
	if err := pegs.JSON(&json, cases, path); err != nil || strings.Count(json.String(), `"path": {`) != 1 {
		t.Errorf("%v\n%s", err, json.String())
	}
	out.Reset()
	for _, write := range []func() error{
		func() error { return writePath(&out, cases, []string{"accept", "begin"}) },
		func() error { return pegs.JSON(&out, cases, []string{"accept", "begin"}) },
	} {
		if err := write(); err == nil || !strings.HasPrefix(err.Error(), `case "parser": no arc`) || out.Len() > 0 {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}
