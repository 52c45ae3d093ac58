package gotest

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/result"
)

func TestUnitsBecomeMetrics(t *testing.T) {
	units := []string{"ns/op", "MB/s", "p99-ns/op", "p99.ns/op", "hits/s", "disk-MB", "miss%", "time", "size", "GCs/op", "…", "B/op", "allocs/op"}
	var got []string
	for _, m := range Metrics(units) {
		line := fmt.Sprintf("%s %g", m.Name, m.Scale)
		if m.Declared != nil {
			line += fmt.Sprintf(" %q %s", m.Declared.Unit, m.Declared.Better)
			if !result.DeclaredName.MatchString(m.Name) {
				t.Errorf("gates cannot write %q", m.Name)
			}
		}
		got = append(got, line)
	}
	want := []string{
		"throughput 1e+06", // MB/s
		`p99_ns_op 1e-09 "s" lower`,
		`p99_ns_op_2 1 "p99.ns" lower`, // p99.ns is one word, and no time
		`hits_s 1 "hits/s" higher`,
		`disk_MB 1e+06 "B" lower`,
		`miss_percent 0.01 "%" lower`,
		`m_time 1 "time" lower`, // time is a metric of every case
		`m_size 1 "size" lower`, // and size a function of gates
		`GCs_op 1 "GCs" lower`,
		`m 1 "…" lower`,
		"heap 1", "allocs 1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
