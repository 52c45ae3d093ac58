package accept

import (
	"fmt"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Scope is the part of the suites that a run covered. It decides which entries can be
// judged.
type Scope struct {
	Today Day
	// Whole reports whether no filter left cases or gates out. Then what is missing in
	// the run does not exist.
	Whole bool
	// Suites are the names of suites that an entry may have: measured suites and the
	// others in the same folder. Nil if they are not known.
	Suites []string
	// InOtherShard reports whether another shard of the run has the case. Nil if the run is not
	// divided.
	InOtherShard func(suite, name string) bool
}

// Judge marks the accepted gates of a document, whose gates have been judged, and
// records the state of each entry. suites are the names of the suites that the file
// covers. Judge skips an entry if its case took no part in the run, or if it is about a
// change over commits. It accepts only gates that fail: never an error, an undecided gate or a case that could not be
// measured.
func (f *File) Judge(doc *result.Document, suites []string, s Scope) {
	j := &judge{doc: doc, scope: s, suites: suites}
	for i := range f.Entries {
		if f.Entries[i].IsChange() {
			continue
		}
		if a, concerned := j.entry(&f.Entries[i]); concerned {
			doc.Acceptances = append(doc.Acceptances, a)
		}
	}
}

type judge struct {
	doc    *result.Document
	scope  Scope
	suites []string
}

// entry returns the state of an entry, and false if the run did not cover it.
func (j *judge) entry(e *Entry) (a result.Acceptance, concerned bool) {
	a = result.Acceptance{
		Suite:  e.Suite,
		Case:   e.Case,
		Gate:   e.Gate,
		Until:  string(e.Until),
		Place:  e.Place,
		Reason: e.Reason,
		At:     e.At,
	}
	expired := e.Expired(j.scope.Today)
	g, missing := j.find(e)
	if g == nil && missing == "" {
		return a, false
	}
	settle(&a, g, missing, expired)
	return a, true
}

// settle sets the state of an entry whose gate is g, nil if it is missing, and marks the gate.
func settle(a *result.Acceptance, g *result.Gate, missing string, expired bool) {
	switch {
	case g == nil:
		a.State, a.Detail = result.AcceptanceUnused, missing
	case expired && g.Verdict == result.Fail:
		a.Detail = "the gate still fails"
	case g.Verdict == result.Fail && g.Severity == "warn":
		a.State, a.Detail = result.AcceptanceUnused, "the gate only warns"
	default:
		a.State, a.Detail = states[g.Verdict], "the gate "+verdicts[g.Verdict]
	}
	if expired {
		a.State = result.AcceptanceExpired
	}
	if g != nil && g.Verdict == result.Fail && g.Severity != "warn" {
		g.Accepted = &result.Accepted{Until: a.Until, Reason: a.Reason, At: a.At, Place: a.Place, Expired: expired}
	}
}

// Again settles the entries of a document again whose gates have got other verdicts, as in a
// merged document: a gate that a shard skipped may fail. An entry that was expired, or whose
// gate does not exist, stays so.
func Again(doc *result.Document) {
	doc.Acceptances = slices.Clone(doc.Acceptances)
	j := &judge{doc: doc}
	for i := range doc.Acceptances {
		a := &doc.Acceptances[i]
		c := j.named(a.Suite, a.Case)
		if c == nil {
			continue
		}
		at := slices.IndexFunc(c.Gates, func(g result.Gate) bool { return g.ID == a.Gate })
		if at >= 0 {
			settle(a, &c.Gates[at], "", a.State == result.AcceptanceExpired)
		}
	}
	doc.Warnings = slices.DeleteFunc(slices.Clone(doc.Warnings), func(w result.Warning) bool {
		return w.Code == result.WarnAcceptanceUnused || w.Code == result.WarnAcceptanceExpired
	})
	Warn(doc)
}

var verdicts = map[result.Verdict]string{
	result.Pass:         "passes",
	result.Fail:         "fails",
	result.Inconclusive: "is inconclusive",
	result.Error:        "could not be evaluated",
	result.NotJudged:    "was skipped",
}

var states = map[result.Verdict]result.AcceptanceState{
	result.Pass:         result.AcceptanceUnused,
	result.Fail:         result.AcceptanceUsed,
	result.Inconclusive: result.AcceptanceOpen,
	result.Error:        result.AcceptanceOpen,
	result.NotJudged:    result.AcceptanceOpen,
}

// find returns the gate of an entry, or a message that names what does not exist. It
// returns neither if the gate took no part in the run.
func (j *judge) find(e *Entry) (*result.Gate, string) {
	if !slices.Contains(j.suites, e.Suite) {
		if j.scope.Suites == nil || slices.Contains(j.scope.Suites, e.Suite) {
			return nil, ""
		}
		return nil, missing("there is no suite", e.Suite, j.scope.Suites)
	}
	c := j.named(e.Suite, e.Case)
	switch {
	case c == nil && j.scope.InOtherShard != nil && j.scope.InOtherShard(e.Suite, e.Case):
		return nil, ""
	case c == nil && j.scope.Whole:
		return nil, missing("the suite has no case", e.Case, j.cases(e.Suite))
	case c == nil || c.Status == result.NotRun || c.Status == result.LeftOut:
		return nil, ""
	}
	var ids []string
	for i := range c.Gates {
		if c.Gates[i].ID == e.Gate {
			return &c.Gates[i], ""
		}
		ids = append(ids, c.Gates[i].ID)
	}
	if !j.scope.Whole || OnlyAgainst(e.Gate) {
		return nil, ""
	}
	return nil, missing("the case has no gate", e.Gate, ids)
}

func (j *judge) named(suite, name string) *result.Case {
	for i := range j.doc.Cases {
		if c := &j.doc.Cases[i]; c.Suite == suite && c.Name == name {
			return c
		}
	}
	return nil
}

func (j *judge) cases(suite string) (names []string) {
	for i := range j.doc.Cases {
		if c := &j.doc.Cases[i]; c.Suite == suite {
			names = append(names, c.Name)
		}
	}
	return names
}

func missing(what, word string, known []string) string {
	text := fmt.Sprintf("%s %q", what, word)
	if near, ok := diag.Nearest(word, known); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

// Warn adds a warning to the document for each entry that is unused or expired.
func Warn(doc *result.Document) {
	var found []result.Warning
	for i := range doc.Acceptances {
		a := &doc.Acceptances[i]
		if !a.Stale() {
			continue
		}
		w := result.Warning{Code: result.WarnAcceptanceUnused}
		word := "is unused"
		if a.State == result.AcceptanceExpired {
			w.Code = result.WarnAcceptanceExpired
			word = "expired on " + a.Until
		}
		w.Message = fmt.Sprintf("%s: the acceptance of %s: %s %s: %s", a.Place, a.Case, a.Gate, word, a.Detail)
		found = append(found, w)
	}
	if n := len(found); n > 0 { // once, below the last
		found[n-1].Hint = "suite accept renews an entry, suite accept --remove takes it out"
	}
	doc.Warnings = append(doc.Warnings, found...)
}
