package shard

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
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
	return fmt.Sprintf("shard %s%s: %d of %s, about %s of %s", s, by, len(own.cases), units.Plural(len(d.Cases), "case"), about(own.time), about(all))
}

// WriteText writes what each shard of a division has to do, and the cases of this one.
func (s Shard) WriteText(out io.Writer, d *result.Division) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nSHARD\tCASES\tABOUT")
	loads := loads(d)
	for i, l := range loads {
		fmt.Fprintf(w, "%d/%d\t%d\t%s\n", i+1, d.Count, len(l.cases), about(l.time))
	}
	fmt.Fprintf(w, "\ndurations: %s\ncases of shard %s:\n", sources(d), s)
	for _, name := range loads[s.Index-1].cases {
		fmt.Fprintf(w, "  %s\n", display.Visible(name))
	}
	return w.Flush()
}

// sources describes where the durations are from.
func sources(d *result.Division) string {
	if d.Durations.Recorded == 0 {
		return "forecast from the suite files"
	}
	return fmt.Sprintf("%d of %s from a %s, the others forecast", d.Durations.Recorded, units.Plural(len(d.Cases), "case"), d.Durations.From)
}

func about(d time.Duration) string { return units.Format(d.Seconds(), "s") }
