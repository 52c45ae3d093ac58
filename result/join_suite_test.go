package result

import (
	"slices"
	"testing"
)

// against makes a shard one of a run with --against.
func against(d *Document, asked string, gone ...string) *Document {
	d.Suites[0].Against = &Against{Asked: asked, Kind: AgainstFolder, Vanished: gone}
	d.Suites[0].Planned = &Planned{Cases: len(d.Cases)}
	for i := range d.Cases {
		d.Cases[i].Counterpart = &Counterpart{State: CounterpartNew, Reason: "new"}
	}
	for _, name := range gone {
		d.Cases = append(d.Cases, Case{Suite: d.Suites[0].Name, Name: name, Kind: KindGo, Status: Failed, Failure: &Failure{Cause: FailedVanished}})
	}
	return d
}

// Parts of a suite may each have what only one of them says.
func TestJoinKeepsWhatPartsSay(t *testing.T) {
	a, b := against(shard("s", "h", "one"), "old", "gone"), against(shard("s", "h", "two"), "old", "gone", "lost")
	b.Suites[0].Sentinel = &Sentinel{Unfit: "it takes 8% longer than itself"}
	a.Suites[0].Sentinel = &Sentinel{}
	for _, docs := range [][]*Document{{a, b}, {b, a}} {
		d, err := Join(docs)
		if err != nil {
			t.Fatal(err)
		}
		s := &d.Suites[0]
		slices.Sort(s.Against.Vanished)
		if s.Planned != nil || len(d.Unfit()) != 1 || !slices.Equal(s.Against.Vanished, []string{"gone", "lost"}) || len(d.Cases) != 4 || d.Exit != 3 {
			t.Errorf("%+v, %+v, %d cases, exit %d", s, s.Against, len(d.Cases), d.Exit)
		}
	}
	if a.Suites[0].Planned == nil || len(a.Suites[0].Against.Vanished) != 1 {
		t.Error("joining changes what is joined")
	}
}

// What was compared with different things is not one run.
func TestJoinRefusesDifferentTrees(t *testing.T) {
	for name, b := range map[string]*Document{"another": against(shard("s", "h", "two"), "older"), "nothing": shard("s", "h", "two")} {
		if _, err := Join([]*Document{against(shard("s", "h", "one"), "old"), b}); err == nil || err.Error() != `suite "s" was not compared with the same thing in all of them` {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Parts that each have all that was planned for them have, together, all that was planned;
// if one of them does not fit its plan, nobody can say so of the whole.
func TestJoinOfWhatWasPlanned(t *testing.T) {
	part := func(name string) *Document {
		d := shard("s", "h", name)
		d.Cases[0].Gates = []Gate{{ID: "g", Expr: "time.median < 1s", Severity: "fail", OnInconclusive: "list"}}
		p := PlannedOf(d.Cases, "s")
		d.Suites[0].Planned, d.Digest = &p, "of a part"
		return d
	}
	joined, err := Join([]*Document{part("one"), part("two")})
	if err != nil {
		t.Fatal(err)
	}
	if p := joined.Suites[0].Planned; p == nil || *p != PlannedOf(joined.Cases, "s") || p.Cases != 2 || p.Gates != 2 || joined.Digest != "" {
		t.Errorf("planned %+v, digest %q", p, joined.Digest)
	}
	forged := part("two")
	forged.Cases[0].Gates[0].Severity = "warn"
	unplanned := part("two")
	unplanned.Suites[0].Planned = nil
	for _, d := range []*Document{forged, unplanned} {
		for _, docs := range [][]*Document{{part("one"), d}, {d, part("one")}} {
			if joined, err := Join(docs); err != nil || joined.Suites[0].Planned != nil {
				t.Errorf("planned %+v, %v", joined.Suites[0].Planned, err)
			}
		}
	}
}
