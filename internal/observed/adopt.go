package observed

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"example.com/suite/internal/paths"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// keptCase is what an earlier run of suite has found out about a case by itself.
type keptCase struct {
	place string
	state string // see State
	reads []string
	why   *result.Evidence // see Compare
}

// keptOf returns what is known of a case that would be observed in a group, nil if that is nothing. A record of several
// cases shows nothing of one of them if something in it differs.
func (o *Observer) keptOf(ctx context.Context, plan *spec.Plan, c *spec.Case, base, here string) *keptCase {
	if k, done := o.kept[c]; done || !isShared(c) {
		return k
	}
	if o.kept == nil {
		o.kept, o.judged = map[*spec.Case]*keptCase{}, map[string]*result.Evidence{}
	}
	o.kept[c] = nil
	of := o.nameOf(base)
	place := o.place(plan, of, c)
	r := o.known(place, of)
	if r == nil {
		return nil
	}
	text, _ := paths.ReadRegular(place) // as known has read it a moment ago
	programs := o.programs(plan, c)
	record := strings.Join(programs, "\x00") + string(text) // the programs decide whether they differ
	why, done := o.judged[record]
	if !done {
		why = o.judgeAll(ctx, r, plan, c, programs, base, here)
		o.judged[record] = why
	}
	if why == nil || !r.Shared {
		o.kept[c] = &keptCase{place, stateIn(place), contents(accesses(r.Record, base)), why}
	}
	return o.kept[c]
}

// Adopt notes that a case of the tree here does what its counterpart in the tree base was observed to do, because that
// has been proved: its next comparison, with here as the base, need not observe it. The result is its State there, ""
// if nothing is known.
func (o *Observer) Adopt(
	plan *spec.Plan, c *spec.Case, base string, own *spec.Plan, as *spec.Case, here string,
) (state string) {
	of := o.nameOf(base)
	from, shared := o.place(plan, of, c), false
	if g := o.groups[c]; o.kept[c] == nil && g != nil && g.shows {
		from, shared = g.place, true
	}
	to := o.place(own, of.as(base, here), as)
	info, err := os.Stat(from)
	if err != nil || to == "" {
		return ""
	}
	text, err := paths.ReadRegular(from)
	r := new(recorded)
	if err != nil || json.Unmarshal(text, r) != nil {
		return ""
	}
	r.Shared = r.Shared || shared
	if to == from && !shared {
		return stateIn(to)
	}
	// it is not younger than what was observed
	if !o.write(to, r) || os.Chtimes(to, info.ModTime(), info.ModTime()) != nil {
		return ""
	}
	return stateIn(to)
}
