package trend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/history"
)

// Acknowledged is a change of a case at a commit that people know of, for a reason.
type Acknowledged struct {
	Suite, Case string
	Commit      string // hash, or its first digits
	Reason      string
	At          string     // when it was acknowledged, and by whom; may be empty
	Place       diag.Place // where it is written
}

// isOf reports whether the entry is about the case of the series.
func (a *Acknowledged) isOf(s *Series) bool { return a.Suite == s.Suite && a.Case == s.Case }

// acknowledge marks the changes of the series that entries are about.
func (s *Series) acknowledge(entries []Acknowledged) {
	for i := range entries {
		if a := &entries[i]; a.isOf(s) {
			if c := s.changeAt(a.Commit); c != nil {
				c.Acknowledged = a
			}
		}
	}
}

// changeAt returns the change at a commit. The place of a change that levels have shown may move by
// a commit as more runs are known, so one next to the commit will do: two changes are at least four
// points apart. It is nil if there is none.
func (s *Series) changeAt(commit string) *Change {
	at := s.pointOf(commit)
	if at < 0 {
		return nil
	}
	for _, distance := range []int{0, 1} {
		for i := range s.Changes {
			c := &s.Changes[i]
			if away := max(c.At-at, at-c.At); away == distance && (away == 0 || !c.Paired) {
				return c
			}
		}
	}
	return nil
}

// pointOf is the index of the first point of a commit, -1 if there is none.
func (s *Series) pointOf(commit string) int {
	return slices.IndexFunc(s.Points, func(p Point) bool { return strings.HasPrefix(p.Commit, commit) })
}

// CheckAcknowledged returns a problem for each entry whose suite, case or commit the history does
// not have.
func CheckAcknowledged(acknowledged []Acknowledged, entries []history.Entry) error {
	if len(acknowledged) == 0 {
		return nil
	}
	commits := map[string]bool{}
	cases := map[string]map[string]bool{} // by suite
	for i := range entries {
		commits[entries[i].Commit] = true
		for j := range entries[i].Cases {
			c := &entries[i].Cases[j]
			if cases[c.Suite] == nil {
				cases[c.Suite] = map[string]bool{}
			}
			cases[c.Suite][c.Name] = true
		}
	}
	var problems diag.Problems
	for i := range acknowledged {
		a := &acknowledged[i]
		found := diag.Problem{Place: a.Place}
		switch {
		case cases[a.Suite] == nil:
			found.Message, found.Hint = missing("suite", a.Suite, slices.Sorted(maps.Keys(cases)))
		case !cases[a.Suite][a.Case]:
			found.Message, found.Hint = missing("case", a.Case, slices.Sorted(maps.Keys(cases[a.Suite])))
		case !hasCommit(commits, a.Commit):
			found.Message = "the history has no run of commit " + display.Commit(a.Commit)
			found.Hint = "suite history list shows the commits; suite accept --remove takes the entry out"
		default:
			continue
		}
		problems = append(problems, found)
	}
	return problems.Err()
}

func hasCommit(commits map[string]bool, prefix string) bool {
	for commit := range commits {
		if strings.HasPrefix(commit, prefix) {
			return true
		}
	}
	return false
}

func missing(what, name string, known []string) (message, hint string) {
	hint = "suite accept --remove takes the entry out"
	if near, ok := diag.Nearest(name, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Sprintf("the history has no %s %q", what, name), hint
}

// Unused returns a problem for each entry that acknowledges nothing, although the case was measured
// at the commit. all are the series of all metrics.
func Unused(acknowledged []Acknowledged, all []Series) (problems diag.Problems) {
	for i := range acknowledged {
		a := &acknowledged[i]
		shown, used := false, false
		hint := "suite accept --remove takes the entry out"
		for j := range all {
			s := &all[j]
			if !a.isOf(s) {
				continue
			}
			shown = shown || s.pointOf(a.Commit) >= 0
			for k := range s.Changes {
				c := &s.Changes[k]
				used = used || c.Acknowledged == a
				if c.Acknowledged == nil {
					hint = fmt.Sprintf("its %s changed at %s", s.Metric, display.Commit(s.Points[c.At].Commit))
				}
			}
		}
		if shown && !used {
			problems = append(problems, diag.Problem{Place: a.Place, Hint: hint,
				Message: fmt.Sprintf("case %q did not change at %s", a.Case, display.Commit(a.Commit))})
		}
	}
	return problems
}

// A ChangedCase is a case that changed at a commit, in one metric or several.
type ChangedCase struct {
	Suite, Case string
	Commit      string // full hash
}

// ChangedAt lists the cases that changed at a commit, in the order of the series: each once. commit
// is a hash, or its first digits.
func ChangedAt(all []Series, commit string) (found []ChangedCase) {
	for i := range all {
		s := &all[i]
		for _, c := range s.Changes {
			one := ChangedCase{s.Suite, s.Case, s.Points[c.At].Commit}
			if one.Commit != "" && strings.HasPrefix(one.Commit, commit) && !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
	}
	return found
}

// CommitsOfChanges lists the commits at which a series changed, as people read them, each once.
func CommitsOfChanges(all []Series) (commits []string) {
	for i := range all {
		for _, c := range all[i].Changes {
			commit := display.Commit(all[i].Points[c.At].Commit)
			if commit != "" && !slices.Contains(commits, commit) {
				commits = append(commits, commit)
			}
		}
	}
	return commits
}
