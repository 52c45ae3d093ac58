package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
)

// listAccepted prints the entries for suite files and the state of each.
func (e env) listAccepted(ctx context.Context, args []string, o *acceptOptions) error {
	plans, err := e.plans(ctx, args, loading{})
	if err != nil {
		return err
	}
	today := e.today()
	files, err := acceptFiles(plans, o.file, today)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(e.words(), 0, 0, 2, ' ', 0)
	n := 0
	for _, f := range files {
		names := f.names()
		for i := range f.Entries {
			entry := &f.Entries[i]
			n++
			if n == 1 {
				fmt.Fprintln(w, "STATE\tUNTIL\tSUITE\tCASE\tGATE\tREASON")
			}
			fmt.Fprintln(w, strings.Join([]string{f.state(entry, names, today), string(entry.Until), clean(entry.Suite), clean(entry.Case), clean(entry.Gate), clean(entry.Reason)}, "\t"))
		}
	}
	if n == 0 {
		fmt.Fprintln(e.stdout, "nothing is accepted")
	}
	return w.Flush()
}

// An entry that no failure needs has days left: nothing is measured, so the state is as
// the plans show it.
func (f *acceptFile) state(entry *accept.Entry, names []string, today accept.Day) string {
	at := slices.IndexFunc(f.plans, func(p *spec.Plan) bool { return p.Suite == entry.Suite })
	switch {
	case at < 0 && names != nil && !slices.Contains(names, entry.Suite):
		return "no such suite"
	case entry.Expired(today):
		return "expired"
	case at >= 0 && !knownCase(f.plans[at], entry.Case):
		return "no such case"
	case at >= 0 && !knownGate(f.plans[at], entry.Case, entry.Gate):
		return "no such gate"
	}
	return units.Plural(today.Left(entry.Until), "day") + " left"
}

func knownCase(plan *spec.Plan, name string) bool {
	_, err := caseNamed(plan, name)
	return err == nil
}

func knownGate(plan *spec.Plan, name, gate string) bool {
	c, err := caseNamed(plan, name)
	return err == nil && (gate == accept.AgainstGate || slices.ContainsFunc(c.Gates, func(g spec.Gate) bool { return g.ID == gate }))
}
