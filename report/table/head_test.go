package table

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
)

// The head of a report names the machines: one, the shard of one, or several by their kind.
func TestMachinesOfTheHead(t *testing.T) {
	small := result.Machine{OS: "linux", Arch: "amd64", Kernel: "6.1", CPU: "EPYC", CPUs: 2, Load: "1.00"}
	other := small
	other.Kernel, other.Load = "6.2", "2.00"
	large := small
	large.CPUs = 8
	of := func(all ...result.Machine) *result.Division {
		d := &result.Division{Count: 3}
		for i, m := range all {
			d.Machines = append(d.Machines, result.ShardMachine{Shard: i + 1, Machine: m, Seed: strings.Repeat("0", 32)})
		}
		return d
	}
	for want, d := range map[string]*result.Division{
		"EPYC|2 CPUs|linux/amd64 6.1|load 1.00":                                             nil,
		"EPYC|2 CPUs|linux/amd64 6.1|load 1.00|shard 2 of 3":                                {Index: 2, Count: 3},
		"3 machines|EPYC, 2 CPUs, linux/amd64":                                              of(small, other, small),
		"2 machines, 1 missing|1 × EPYC, 2 CPUs, linux/amd64|1 × EPYC, 8 CPUs, linux/amd64": of(small, large),
	} {
		doc := &result.Document{Machine: small, Division: d, Seed: strings.Repeat("0", 32)}
		if got := machines(doc); !slices.Equal(got, strings.Split(want, "|")) {
			t.Errorf("got %q, want %s", got, want)
		}
		if seed := seedText(doc); seed != doc.Seed {
			t.Errorf("%s: seed %s", want, seed)
		}
	}
	doc := &result.Document{Machine: small, Division: of(small, large), Seed: strings.Repeat("1", 32)}
	if seed := seedText(doc); seed != "differs between machines" {
		t.Errorf("seed %s", seed)
	}
	if got := MachineOf(doc, &result.Case{Shard: 2}); got != "shard 2, EPYC, 8 CPUs, linux/amd64 6.1, load 1.00" {
		t.Errorf("the machine of a case is %s", got)
	}
	if got := MachineOf(doc, &result.Case{}); got != "" {
		t.Errorf("the machine of a case is %s", got)
	}
}
