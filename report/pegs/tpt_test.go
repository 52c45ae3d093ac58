package pegs

import (
	"bytes"
	"testing"

	"example.com/suite/report/flow"
	"example.com/suite/result"
)

// The bytes of tpt's own formats: "  %*s  %-*s  %*s  %*s  %*s  %*s\n" for the header, with %-*ld
// for counts, and "\n%s ->\n" for sources. They are from dump.c of tpt in the uClinux tree, and
// were written by printf of a shell.
func TestTptIsByteForByte(t *testing.T) {
	arc := func(from, to string, count int64, us ...float64) result.Arc {
		return result.Arc{From: from, To: to, Count: count, Min: us[0] / 1e6, Max: us[1] / 1e6, Mean: us[2] / 1e6, Sum: us[3] / 1e6}
	}
	c := &result.Case{Pegs: &result.Pegs{
		Points: []result.PegPoint{{Name: "read"}, {Name: "answer"}, {Name: "write"}},
		Arcs: []result.Arc{
			arc("answer", "write", 2, 0.1, 0.3, 0.2, 0.4),
			arc("read", "answer", 1234567, 1, 1500, 2, 2469134),
			arc("read", "write", 2, 0.1, 0.3, 0.2, 0.4),
		},
	}}
	const want = `  Destination  Count     Min       Max  Average         Total

read ->
        write  2        0.10      0.30     0.20          0.40
       answer  1234567  1.00  1,500.00     2.00  2,469,134.00

answer ->
        write  2        0.10      0.30     0.20          0.40
`
	var b bytes.Buffer
	if err := Tpt(&b, []flow.Pegged{{Label: "one", Case: c}}); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
