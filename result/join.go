package result

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Join makes one document of several: results of parts of a suite, or of several
// suites. Suites, cases, calibrations, warnings and acceptances keep the order of the
// documents. Machine, version and seed are the first document's; a warning lists
// which of them differ. Seconds are added up, Started is the earliest, and the digest
// is empty. Documents that Stamp has marked as shards keep what is known of each machine,
// and are the run of one suite: Seconds is the longest of them. It is an error if two documents have the same
// case, or different files of one suite. A single document is returned unchanged.
func Join(docs []*Document) (*Document, error) {
	if len(docs) == 1 {
		return docs[0], nil
	}
	cases := 0
	for _, d := range docs {
		cases += len(d.Cases)
	}
	j := joiner{out: *docs[0], cases: make(map[[2]string]bool, cases)}
	j.out.Suites = nil
	j.out.Cases = make([]Case, 0, cases)
	j.out.Calibrations = nil
	j.out.Warnings = nil
	j.out.Acceptances = nil
	j.out.Orders = nil
	j.out.Seconds, j.out.Digest, j.out.Division = 0, "", nil
	for _, d := range docs {
		if err := j.addDocument(d); err != nil {
			return nil, err
		}
	}
	j.planned(docs)
	if j.out.Division = merged(docs); j.out.Division == nil {
		j.differ(docs)
	}
	j.out.Exit = j.out.Outcome().Exit
	return &j.out, nil
}

type joiner struct {
	out   Document
	cases map[[2]string]bool // suite and name of the cases added so far
}

func (j *joiner) addDocument(d *Document) error {
	for _, s := range d.Suites {
		at := slices.IndexFunc(j.out.Suites, func(o Suite) bool { return o.Name == s.Name })
		switch {
		case at < 0:
			j.out.Suites = append(j.out.Suites, s)
		case j.out.Suites[at].Hash != s.Hash:
			return fmt.Errorf("suite %q is not the same in all of them: its file has changed in between", s.Name)
		default:
			if err := j.out.Suites[at].join(&s); err != nil {
				return err
			}
		}
	}
	for _, c := range d.Cases {
		key := [2]string{c.Suite, c.Name}
		if j.cases[key] && c.IsVanished() {
			continue // every part reports the same vanished cases
		}
		if j.cases[key] {
			return fmt.Errorf("case %q of suite %q is in two of them", c.Name, c.Suite)
		}
		j.cases[key], j.out.Cases = true, append(j.out.Cases, c)
	}
	j.out.Calibrations, j.out.Warnings = append(j.out.Calibrations, d.Calibrations...), append(j.out.Warnings,
		d.Warnings...)
	for _, a := range d.Acceptances {
		if !slices.ContainsFunc(j.out.Acceptances, func(o Acceptance) bool {
			return o.Place.File == a.Place.File && o.Suite == a.Suite && o.Case == a.Case && o.Gate == a.Gate
		}) {
			j.out.Acceptances = append(j.out.Acceptances, a)
		}
	}
	if isStamped(d) {
		j.out.Seconds = max(j.out.Seconds, d.Seconds)
	} else {
		j.out.Seconds += d.Seconds
	}
	j.out.Strict = j.out.Strict || d.Strict
	if j.out.Interrupted == "" {
		j.out.Interrupted = d.Interrupted
	}
	if d.Started.Before(j.out.Started) {
		j.out.Started = d.Started
	}
	return nil
}

// planned sets Planned of suites that were measured in parts, if every part has all the
// cases and gates that were planned for it: then the joined document is complete.
func (j *joiner) planned(docs []*Document) {
	for i := range j.out.Suites {
		s := &j.out.Suites[i]
		whole := !slices.ContainsFunc(docs, func(d *Document) bool {
			part := d.Suite(s.Name)
			return part != nil && (part.Planned == nil || *part.Planned != PlannedOf(d.Cases, s.Name))
		})
		if whole && s.Planned == nil {
			all := PlannedOf(j.out.Cases, s.Name)
			s.Planned = &all
		}
	}
}

// differ adds a warning that lists the facts of the whole run that differ between
// documents.
func (j *joiner) differ(docs []*Document) {
	var what []string
	for _, f := range []struct {
		name string
		of   func(*Document) any
	}{
		{"machine", func(d *Document) any { m := d.Machine; m.Load = ""; return m }},
		{"version of suite", func(d *Document) any { return d.Tool }},
		{"seed", func(d *Document) any { return d.Seed }},
	} {
		if slices.ContainsFunc(docs, func(d *Document) bool { return !reflect.DeepEqual(f.of(d), f.of(docs[0])) }) {
			what = append(what, f.name)
		}
	}
	if len(what) > 0 {
		j.out.Warnings = append(j.out.Warnings, Warning{Code: WarnJoined,
			Message: fmt.Sprintf("put together from %d results; not the same in all of them, and shown from "+
				"the first: %s",
				len(docs), strings.Join(what, ", "))})
	}
}

// Stamp returns a copy of a shard in which all that depends on the machine is marked with
// its number, so that Join can put shards together and nobody mixes up their machines.
func (d *Document) Stamp() *Document {
	index := d.Division.Index
	out := *d
	division := *d.Division
	division.Index = 0
	division.Machines = []ShardMachine{{Shard: index, Machine: d.Machine, Seed: d.Seed, Seconds: d.Seconds}}
	out.Division = &division
	out.Cases = slices.Clone(d.Cases)
	for i := range out.Cases {
		out.Cases[i].Shard = index
	}
	out.Calibrations = slices.Clone(d.Calibrations)
	for i := range out.Calibrations {
		out.Calibrations[i].Shard = index
	}
	out.Suites = slices.Clone(d.Suites)
	for i := range out.Suites {
		s := &out.Suites[i]
		s.EditSentinels(func(n *Sentinel) { n.Shard = index })
		s.Sentinel, s.Sentinels = nil, s.AllSentinels()
	}
	return &out
}

func isStamped(d *Document) bool { return d.Division != nil && len(d.Division.Machines) > 0 }

// merged is the division of documents that are all stamped, nil if one is not.
func merged(docs []*Document) *Division {
	var out *Division
	for _, d := range docs {
		if !isStamped(d) {
			return nil
		}
		if out == nil {
			first := *d.Division
			first.Machines = nil
			out = &first
		}
		out.Machines = append(out.Machines, d.Division.Machines...)
	}
	return out
}

// join adds another part of a suite. Planned is set again when all parts are known.
// If one of two sentinels found the machine unfit, that one is kept: otherwise an
// unfit part would seem to be judged.
func (s *Suite) join(part *Suite) error {
	s.Planned = nil
	if (s.Against == nil) != (part.Against == nil) || s.Against != nil && !s.Against.same(part.Against) {
		return fmt.Errorf("suite %q was not compared with the same thing in all of them", s.Name)
	}
	if s.Against != nil {
		both := *s.Against
		both.Removed = union(both.Removed, part.Against.Removed)
		both.Vanished = union(both.Vanished, part.Against.Vanished)
		both.Notes = union(both.Notes, part.Against.Notes)
		both.Gates = union(both.Gates, part.Against.Gates)
		s.Against = &both
	}
	if s.Sources == nil { // written by an older version of suite
		s.Sources = part.Sources
	}
	if s.Errors == nil { // the earlier parts have no pairs
		s.Errors = part.Errors
	}
	s.Sentinels = append(slices.Clone(s.Sentinels), part.Sentinels...)
	if s.Sentinel == nil || s.Sentinel.Unfit == "" && part.Sentinel != nil && part.Sentinel.Unfit != "" {
		s.Sentinel = part.Sentinel
	}
	return nil
}

func (a *Against) same(b *Against) bool {
	return a.Asked == b.Asked && a.Kind == b.Kind && a.Revision == b.Revision && a.Dirty == b.Dirty
}

func union[T comparable](a, b []T) (all []T) {
	for _, x := range slices.Concat(a, b) {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}
