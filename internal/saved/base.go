package saved

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/diag"
	"example.com/suite/report/compare"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Base is a saved result that cases are compared with. It is read before anything is
// measured, and its hash is recorded, so that verdicts name the result that they rest on
// whatever becomes of the file.
type Base struct {
	table.Saved
	hash   string
	floors map[string]float64         // of each suite
	cases  map[[2]string]*result.Case // by suite and name
}

// Compare compares plans with a saved result: each case gets its counterpart and the gate
// that follows from it. Cases of the result that a plan does not have are gone.
func Compare(file string, plans []*spec.Plan) (*Base, error) {
	base, err := readBase(file)
	if err != nil {
		return nil, err
	}
	if err := base.knows(plans); err != nil {
		return nil, err
	}
	var problems diag.Problems
	for _, plan := range plans {
		problems = append(problems, base.compare(plan)...)
	}
	return base, problems.Err()
}

func readBase(file string) (*Base, error) {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, diag.Hinted(fmt.Sprintf("--against %s is a folder, and a saved result by its name", file),
			"as a folder it is --against "+file+"/")
	}
	f, err := Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum := sha256.New()
	doc, err := result.Read(io.TeeReader(f.text, sum))
	if err != nil {
		return nil, diag.Hinted(fmt.Sprintf("--against %s: %v", file, err),
			"suite run --out json=FILE writes such files; a branch of that name is refs/heads/NAME")
	}
	base := &Base{Saved: table.Saved{Name: file, Doc: doc}, hash: "sha256:" + hex.EncodeToString(sum.Sum(nil)),
		floors: map[string]float64{}, cases: map[[2]string]*result.Case{}}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		base.cases[[2]string{c.Suite, c.Name}] = c
	}
	return base, nil
}

// knows refuses a result that has nothing to do with what is to be measured.
func (b *Base) knows(plans []*spec.Plan) error {
	var there, here []string
	for _, s := range b.Doc.Suites {
		there = append(there, fmt.Sprintf("%q", s.Name))
	}
	for _, plan := range plans {
		if b.Doc.Suite(plan.Suite) != nil {
			return nil
		}
		here = append(here, fmt.Sprintf("%q", plan.Suite))
	}
	return diag.Hinted(fmt.Sprintf("--against %s: it is a result of suite %s, and not of %s", b.Name,
		strings.Join(there, ", "), strings.Join(here, ", ")),
		"name a result of the same suite; cases have their names within a suite")
}

// compare pairs the cases of a plan with their counterparts in the saved result.
func (b *Base) compare(plan *spec.Plan) diag.Problems {
	plan.Against = &result.Against{Asked: b.Name, Kind: result.AgainstResult, Started: b.Doc.Started, Hash: b.hash}
	b.floors[plan.Suite] = plan.Errors.LeastDifference()
	if b.Doc.Suite(plan.Suite) == nil {
		plan.Against.Notes = append(plan.Against.Notes,
			fmt.Sprintf("suite %q is not in %s: all of its cases are new", plan.Suite, b.Name))
	}
	// A name in removed: that is unknown there is no mistake: it was removed before.
	found, _ := plan.Match(b.names(plan.Suite), nil, plan.Against)
	for i := range plan.Cases {
		plan.Cases[i].Counterpart = b.counterpart(plan, &plan.Cases[i], found[i])
	}
	for _, name := range plan.Against.Vanished {
		was := b.find(plan.Suite, name)
		plan.Gone = append(plan.Gone, spec.Case{Name: was.Name, Kind: was.Kind, Tags: was.Tags})
	}
	return plan.Compare()
}

// names lists the cases of a suite, without those that were gone already and those that
// were only the comparison of another case with a tree.
func (b *Base) names(suite string) (all []string) {
	for i := range b.Doc.Cases {
		c := &b.Doc.Cases[i]
		isComparison := c.Counterpart != nil && strings.HasSuffix(c.Name, spec.AgainstSuffix) &&
			b.find(suite, strings.TrimSuffix(c.Name, spec.AgainstSuffix)) != nil
		if c.Suite == suite && !c.IsVanished() && !isComparison {
			all = append(all, c.Name)
		}
	}
	return all
}

func (b *Base) find(suite, name string) *result.Case { return b.cases[[2]string{suite, name}] }

func (b *Base) counterpart(plan *spec.Plan, c *spec.Case, found string) *result.Counterpart {
	if found == "" {
		return &result.Counterpart{State: result.CounterpartNew, Reason: "no case of this name in " + b.Name}
	}
	out := &result.Counterpart{State: result.CounterpartUnpaired}
	if found != c.Name {
		out.Name = found
	}
	switch b.find(plan.Suite, found).Status {
	case result.Failed:
		out.State, out.Reason = result.CounterpartUnable, "it could not be measured in "+b.Name
	case result.LeftOut:
		out.State, out.Reason = result.CounterpartUnable, "it was skipped in "+b.Name
	case result.NotRun:
		out.State, out.Reason = result.CounterpartUnable, b.Name+" is of a run that ended before the case was reached"
	}
	return out
}

// Join adds what was saved to what was measured, for the gates to judge. b is nil if
// nothing is compared with a saved result.
func (b *Base) Join(doc *result.Document) {
	if b == nil {
		return
	}
	for i := range doc.Suites {
		s := &doc.Suites[i]
		if s.Against == nil {
			continue
		}
		against := *s.Against
		against.Notes = slices.Concat(against.Notes, compare.Asides(b.Saved, doc, s.Name))
		s.Against = &against
	}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if c.Counterpart == nil || c.Counterpart.State != result.CounterpartUnpaired {
			continue
		}
		was := b.find(c.Suite, cmp.Or(c.Counterpart.Name, c.Name))
		c.Earlier = sides.EarlierOf(was)
		c.Earlier.Floor, c.Earlier.Doubts = b.floors[c.Suite], compare.Doubts(b.Saved, was, doc, c)
	}
}
