package shard

import (
	"fmt"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// load is what one shard has to do.
type load struct {
	cases []string
	time  time.Duration
}

// loads lists what each shard has to do.
func loads(d *result.Division) []load {
	all := make([]load, d.Count)
	for _, p := range d.Cases {
		one := &all[p.Shard-1]
		one.cases = append(one.cases, p.Suite+": "+p.Name)
		one.time += seconds(p.Seconds)
	}
	return all
}

// Text describes the shard of a division: shard 3/20: 4 of 61 cases, about 20 s of 5 min. by is
// the engine that numbers the shards; it may be empty.
func (s Shard) Text(d *result.Division, by string) string {
	loads := loads(d)
	var all time.Duration
	for _, l := range loads {
		all += l.time
	}
	if by != "" {
		by = " (numbered by " + by + ")"
	}
	own := loads[s.Index-1]
	return fmt.Sprintf("shard %s%s: %d of %s, about %s of %s", s, by, len(own.cases),
		units.Plural(len(d.Cases), "case"), about(own.time), about(all))
}

// Page is what each shard of a division has to do, and the cases of this one.
func (s Shard) Page(d *result.Division) []page.Block {
	t := &page.Table{Columns: page.Heads("SHARD", "CASES", "ABOUT"),
		Notes: []page.Line{page.Text("durations: " + sources(d))}}
	loads := loads(d)
	for i, l := range loads {
		t.Add(Shard{i + 1, d.Count}.String(), fmt.Sprint(len(l.cases)), about(l.time))
	}
	return []page.Block{t, page.Under(fmt.Sprintf("cases of shard %s:", s), page.Items(loads[s.Index-1].cases...))}
}

// sources describes where the durations are from.
func sources(d *result.Division) string {
	if d.Durations.Recorded == 0 {
		return "forecast from the suite files"
	}
	return fmt.Sprintf("%d of %s from a %s, the others forecast", d.Durations.Recorded,
		units.Plural(len(d.Cases), "case"), d.Durations.From)
}

func about(d time.Duration) string { return units.Format(d.Seconds(), "s") }
