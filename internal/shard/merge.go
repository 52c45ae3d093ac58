package shard

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/suite/gate"
	"example.com/suite/gate/accept"
	"example.com/suite/gate/again"
	"example.com/suite/gate/verify"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Result is the document of one shard and its file, which problems name.
type Result struct {
	File string
	Doc  *result.Document
}

// Merge makes one document of the shards of a run, in any order, and judges all of their
// gates again. Nothing is compared across machines: every case is marked with its shard,
// and the division lists the machine of each. The verdicts are the ones of a run of the
// whole suite with the same samples.
//
// The error is diag.Problems if the shards do not make up one run. If partial is set,
// shards may be missing, but not all of them: their cases are errors. The arguments are not
// changed.
//
// Each shard is verified first, because a gate that is missing in a shard would be missing in
// the whole as well. version is the version of this program, as package verify takes it.
func Merge(shards []Result, partial bool, version string) (*result.Document, error) {
	if err := checkParts(shards, partial).Err(); err != nil {
		return nil, err
	}
	if err := verified(shards, version).Err(); err != nil {
		return nil, err
	}
	shards = slices.SortedFunc(slices.Values(shards), func(a, b Result) int {
		return a.Doc.Division.Index - b.Doc.Division.Index
	})
	var docs []*result.Document
	for _, s := range shards {
		docs = append(docs, s.Doc.Stamp())
	}
	doc, err := result.Join(docs)
	if err != nil {
		return nil, err
	}
	whole := *doc // Join returns a single document itself
	addMissing(&whole)
	sortCases(&whole)
	plan(&whole)
	if err := judgeWhole(&whole, shards); err != nil {
		return nil, err
	}
	for _, s := range shards {
		if s.Doc.Exit == result.ExitFail && s.Doc.Interrupted == "" {
			whole.Exit = result.ExitFail // also if its verdicts do not show it: its journal, for example, was lost
		}
	}
	return &whole, nil
}

// addMissing adds the cases of shards that are missing, as errors.
func addMissing(doc *result.Document) {
	there := map[int]bool{}
	for _, m := range doc.Division.Machines {
		there[m.Shard] = true
	}
	doc.Cases = slices.Clone(doc.Cases)
	for _, p := range doc.Division.Cases {
		if there[p.Shard] {
			continue
		}
		doc.Cases = append(doc.Cases, result.Case{Suite: p.Suite, Name: p.Name, Kind: p.Kind, Unit: "op", Work: 1,
			Status: result.Failed, Shard: p.Shard,
			Failure: &result.Failure{Phase: result.PhaseStart, Cause: result.FailedLost,
				Message: fmt.Sprintf("shard %d of %d is missing", p.Shard, doc.Division.Count),
				Hint:    repeat(doc.Division, []int{p.Shard}) + " measures it; then merge all shards"}})
	}
}

// sortCases brings cases into the order of the suite files. Cases that have vanished follow
// the others of their suite.
func sortCases(doc *result.Document) {
	position := map[[2]string]int{}
	for i, p := range doc.Division.Cases {
		position[key(p.Suite, p.Name)] = i
	}
	suite := func(c *result.Case) int {
		return slices.IndexFunc(doc.Suites, func(s result.Suite) bool { return s.Name == c.Suite })
	}
	at := func(c *result.Case) int {
		if i, known := position[key(c.Suite, c.Name)]; known {
			return i
		}
		return math.MaxInt
	}
	slices.SortStableFunc(doc.Cases, func(a, b result.Case) int {
		if s := suite(&a) - suite(&b); s != 0 {
			return s
		}
		return cmp.Compare(at(&a), at(&b))
	})
}

func key(suite, name string) [2]string { return [2]string{suite, name} }

// plan records what was planned, in the order of the cases. Of missing shards only the
// names are known, so nothing is recorded if there are any.
func plan(doc *result.Document) {
	for i := range doc.Suites {
		s := &doc.Suites[i]
		if doc.IsPartial() {
			s.Planned = nil
		} else if s.Planned != nil {
			all := result.PlannedOf(doc.Cases, s.Name)
			s.Planned = &all
		}
	}
}

// judgeWhole judges all gates again, over all shards. Only gates that read cases of several
// shards may get another verdict than their shard has given them.
func judgeWhole(doc *result.Document, shards []Result) error {
	set, err := again.Gates(doc)
	if err != nil {
		return err
	}
	before := make([][]result.Gate, len(doc.Cases))
	for i := range doc.Cases {
		before[i] = doc.Cases[i].Gates
	}
	again.Share(set, doc).Assess(doc.Suites).Judge(doc.Cases)
	var problems diag.Problems
	for i := range doc.Cases {
		c := &doc.Cases[i]
		for k := range c.Gates {
			was, is := &before[i][k], &c.Gates[k]
			if was.Cause != result.CauseOtherShard && was.Verdict != is.Verdict {
				at := slices.IndexFunc(shards, func(s Result) bool { return s.Doc.Division.Index == c.Shard })
				problems = append(problems, diag.Problem{Place: diag.Place{File: shards[at].File},
					Message: fmt.Sprintf("gate %q of case %q is %s, and %s by its samples", is.ID, c.Name,
						was.Verdict, is.Verdict),
					Hint: "suite verify shows what was changed in it"})
			}
		}
	}
	if err := problems.Err(); err != nil {
		return err
	}
	accept.Again(doc)
	doc.Orders = gate.Orders(doc.Cases)
	doc.Exit = doc.Outcome().Exit
	return nil
}

// verified finds what in a shard does not follow from its samples or from its plan.
func verified(shards []Result, version string) (problems diag.Problems) {
	for _, s := range shards {
		add := func(message string) {
			problems = append(problems, diag.Problem{Place: diag.Place{File: s.File}, Message: message,
				Hint: "suite verify shows all that was changed in it"})
		}
		r, err := verify.Document(s.Doc, version)
		if err != nil {
			add("it cannot be verified: " + err.Error())
			continue
		}
		const shown = 3
		for i := range r.Findings[:min(len(r.Findings), shown)] {
			add(r.Findings[i].String())
		}
		if rest := len(r.Findings) - shown; rest > 0 {
			add(fmt.Sprintf("%s more", units.Plural(rest, "difference")))
		}
	}
	return problems
}

// checkParts finds all reasons why shards are not the parts of one run.
func checkParts(shards []Result, partial bool) (problems diag.Problems) {
	add := func(file, hint, format string, args ...any) {
		problems = append(problems, diag.Problem{Place: diag.Place{File: file},
			Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	var first *Result
	seen := map[int]string{} // file of each shard
	for i := range shards {
		s := &shards[i]
		d := s.Doc.Division
		switch {
		case d != nil && d.Index != 0 && (Shard{d.Index, d.Count}).check() != nil: // before anything counts up to it
			add(s.File, "run the shard again", "it says that it is shard %d of %d, which no shard is", d.Index, d.Count)
			continue
		case d != nil && !s.Doc.IsShard():
			add(s.File, "merge its shards with the others", "it consists of merged shards already")
			continue
		case !s.Doc.IsShard():
			add(s.File, "suite run --shard 1/4 --out json=FILE writes one; suite report joins results of "+
				"different suites", "it is no shard of a run")
			continue
		case !s.Doc.Sealed():
			add(s.File, "suite verify shows what is left of it", "it was damaged or changed after the run")
		}
		if first == nil {
			first = s
		} else {
			problems = append(problems, differences(first, s)...)
		}
		if other, twice := seen[d.Index]; twice {
			add(s.File, "leave one of them out", "it is shard %d, and %s is too", d.Index, other)
		} else {
			seen[d.Index] = s.File
		}
	}
	if first == nil {
		return problems
	}
	d := first.Doc.Division
	var missing []string
	var numbers []int
	for i := range d.Count {
		if seen[i+1] == "" {
			missing, numbers = append(missing, Shard{i + 1, d.Count}.String()), append(numbers, i+1)
		}
	}
	if len(missing) > 0 && !partial {
		const shown = 10
		add(first.File, "merge all shards: "+repeat(d, numbers)+" measures what is missing; --partial does without, "+
			"and makes their cases errors", "%s missing: %s", units.PluralIs(len(missing), "shard"),
			units.List(missing, shown))
	}
	return append(problems, coverage(shards, first, seen)...)
}

// differences compares what must be the same in all shards.
func differences(a, b *Result) (problems diag.Problems) {
	differ := func(hint, what string, x, y any) {
		problems = append(problems, diag.Problem{Place: diag.Place{File: b.File},
			Message: fmt.Sprintf("%s: %v, and %v in %s", what, y, x, a.File), Hint: hint})
	}
	const sameFlags = "run all shards at one commit, with the same flags"
	if x, y := a.Doc.Tool, b.Doc.Tool; x != y {
		differ("run all shards with one build of suite", "another version", x.Version+" "+x.Go, y.Version+" "+y.Go)
	}
	x, y := a.Doc.Division, b.Doc.Division
	if x.Count != y.Count {
		differ("run all shards with the same number", "another number of shards", x.Count, y.Count)
	}
	if x.Seed != y.Seed {
		differ("give all shards the same --seed, or none", "another seed",
			cmp.Or(x.Seed, "none"), cmp.Or(y.Seed, "none"))
	}
	if a.Doc.Strict != b.Doc.Strict {
		differ(sameFlags, "--strict", a.Doc.Strict, b.Doc.Strict)
	}
	for i := range a.Doc.Suites {
		s := &a.Doc.Suites[i]
		t := b.Doc.Suite(s.Name)
		if t == nil {
			differ(sameFlags, fmt.Sprintf("suite %q", s.Name), "there", "missing")
			continue
		}
		if s.Hash != t.Hash {
			differ(sameFlags, fmt.Sprintf("another suite file of %q", s.Name), short(s.Hash), short(t.Hash))
		}
		if s.Errors != nil && t.Errors != nil && *s.Errors != *t.Errors {
			differ(sameFlags, fmt.Sprintf("the errors of suite %q are divided among another number of calls", s.Name),
				s.Errors.Calls, t.Errors.Calls)
		}
		if c, d := s.Commit, t.Commit; c != nil && d != nil && c.Hash == d.Hash && c.Dirty && d.Dirty {
			if c.Changes != d.Changes {
				differ("run all shards with the same files: a log of a run is one of them if git status lists it",
					fmt.Sprintf("other uncommitted changes of suite %q", s.Name), short(c.Changes), short(d.Changes))
			}
		} else if one, two := commitText(c), commitText(d); one != two {
			differ(sameFlags, fmt.Sprintf("another commit of suite %q", s.Name), one, two)
		}
		if one, two := againstText(s.Against), againstText(t.Against); one != two {
			differ(sameFlags, fmt.Sprintf("suite %q was compared with something else", s.Name), one, two)
		}
	}
	for i := range b.Doc.Suites {
		if name := b.Doc.Suites[i].Name; a.Doc.Suite(name) == nil {
			differ(sameFlags, fmt.Sprintf("suite %q", name), "missing", "there")
		}
	}
	switch {
	case len(problems) > 0: // they explain the rest
	case x.Plan != y.Plan:
		differ(sameFlags+", where the same programs are installed", "other cases, settings or gates",
			short(x.Plan), short(y.Plan))
	case x.Hash != y.Hash:
		differ("give all machines the same history, or the same --durations; --durations forecast needs none",
			"the cases are divided otherwise", durationsText(x), durationsText(y))
	}
	return problems
}

// short is the part of a hash that people read.
func short(hash string) string { return hash[:min(len(hash), len("sha256:")+8)] }

func commitText(c *result.Commit) string {
	switch {
	case c == nil:
		return "none"
	case c.Dirty:
		return strings.TrimSpace(c.Hash + " with changes " + short(c.Changes))
	}
	return c.Hash
}

func againstText(a *result.Against) string {
	if a == nil {
		return "nothing"
	}
	text := fmt.Sprintf("%s %s%s", a.Asked, a.Revision, a.Hash)
	if a.Dirty {
		text += " with changes"
	}
	return text
}

func durationsText(d *result.Division) string {
	return fmt.Sprintf("%d durations from %s", d.Durations.Recorded, d.Durations.From)
}

// coverage finds cases that several shards have, and cases that none has although its shard
// is there.
func coverage(shards []Result, first *Result, seen map[int]string) (problems diag.Problems) {
	files := map[[2]string][]string{}
	for _, s := range shards {
		for i := range s.Doc.Cases {
			if c := &s.Doc.Cases[i]; s.Doc.IsShard() && !c.IsVanished() {
				files[key(c.Suite, c.Name)] = append(files[key(c.Suite, c.Name)], s.File)
			}
		}
	}
	add := func(file, hint, message string, cases []string) {
		const shown = 4
		if len(cases) > 0 {
			problems = append(problems, diag.Problem{Place: diag.Place{File: file},
				Message: message + ": " + units.List(cases, shown), Hint: hint})
		}
	}
	var gaps []string
	twice := map[[2]string][]string{} // cases, by the two files
	var pairs [][2]string
	for _, p := range first.Doc.Division.Cases {
		in := files[key(p.Suite, p.Name)]
		switch {
		case len(in) == 0 && seen[p.Shard] != "":
			gaps = append(gaps, p.Suite+": "+p.Name)
		case len(in) > 1:
			pair := [2]string{in[0], in[1]}
			if twice[pair] == nil {
				pairs = append(pairs, pair)
			}
			twice[pair] = append(twice[pair], p.Suite+": "+p.Name)
		}
	}
	for _, pair := range pairs {
		add(pair[1], "", "cases that are in "+pair[0]+" too", twice[pair])
	}
	add(first.File, "", "cases that no shard has", gaps)
	return problems
}
