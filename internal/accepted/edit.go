package accepted

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
)

// add adds or renews the entry of a gate of a plan. It returns the file at path with the entry,
// which is not written yet, and what was done. A run of the plan must be able to fail because of
// the gate.
func (r *Request) add(
	path string, key accept.Key, plan *spec.Plan, today accept.Day,
) (f *accept.File, done string, err error) {
	if err := hasGate(plan, key); err != nil {
		return nil, "", err
	}
	until, fault := accept.ParseUntil(r.Until, today)
	if fault != nil {
		return nil, "", diag.Hinted("--"+fault.Message, fault.Hint)
	}
	reason, fault := accept.CheckReason(r.Reason)
	if fault != nil {
		return nil, "", diag.Hinted(fault.Message, fault.Hint)
	}
	f, err = readOrNew(path, today)
	if err != nil {
		return nil, "", err
	}
	entry := accept.Entry{Key: key, Until: until, Reason: reason, At: at(today, r.By)}
	word := fmt.Sprintf("accepted until %s", until)
	if old := f.Put(entry); old != nil {
		word = fmt.Sprintf("renewed from %s until %s", old.Until, until)
	}
	return f, fmt.Sprintf("%s: %s: %s", key.Case, key.Gate, word), nil
}

// readOrNew reads a file, or returns a new one if there is none.
func readOrNew(path string, today accept.Day) (*accept.File, error) {
	f, err := read(path, today)
	if errors.Is(err, fs.ErrNotExist) {
		return accept.New(path), nil
	}
	return f, err
}

// readExisting reads a file that must exist.
func readExisting(path string, today accept.Day) (*accept.File, error) {
	f, err := read(path, today)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diag.Hinted(fmt.Sprintf("there is no %q", path), "nothing is accepted for this suite")
	}
	return f, err
}

// at is when an entry was made, and by whom if that is known.
func at(today accept.Day, by string) string {
	if by = strings.Join(strings.Fields(by), " "); by != "" {
		return fmt.Sprintf("%s by %s", today, by)
	}
	return string(today)
}

// acknowledge adds or renews the entries of changes, for one reason. It returns the file at path
// with the entries, which is not written yet, and what was done.
func acknowledge(
	path string, changes []accept.Key, reason, by string, today accept.Day,
) (f *accept.File, done string, err error) {
	reason, fault := accept.CheckReason(reason)
	if fault != nil {
		return nil, "", diag.Hinted(fault.Message, fault.Hint)
	}
	f, err = readOrNew(path, today)
	if err != nil {
		return nil, "", err
	}
	for _, key := range changes {
		f.Put(accept.Entry{Key: key, Reason: reason, At: at(today, by)})
	}
	return f, changesAt(changes) + ": acknowledged", nil
}

// changesAt names the changes of cases at one commit.
func changesAt(changes []accept.Key) string {
	name := changes[0].Case
	if len(changes) > 1 {
		name = units.Plural(len(changes), "case")
	}
	return name + " at " + changes[0].Commit
}

// unacknowledge removes the entries of changes of a suite that a case matches, at a commit. It
// returns the file at path without them, which is not written yet, and what was done.
func unacknowledge(path string, key accept.Key, today accept.Day) (f *accept.File, done string, err error) {
	f, err = readExisting(path, today)
	if err != nil {
		return nil, "", err
	}
	var removed []accept.Key
	for _, e := range slices.Clone(f.Entries) {
		isOne := e.IsChange() && (strings.HasPrefix(e.Commit, key.Commit) || strings.HasPrefix(key.Commit, e.Commit))
		if isOne && e.Suite == key.Suite && filter.Match(key.Case, e.Case) {
			f.Remove(e.Key)
			removed = append(removed, e.Key)
		}
	}
	if len(removed) == 0 {
		return nil, "", diag.Hinted(
			fmt.Sprintf("%s has no entry for case %q of suite %q at commit %s", path, key.Case, key.Suite, key.Commit),
			"suite accept --list shows the entries")
	}
	return f, changesAt(removed) + ": no longer acknowledged", nil
}

// remove removes an entry. It returns the file at path without it, which is not written yet, and
// what was done. The case and the gate may already be gone from the suite.
func remove(path string, key accept.Key, today accept.Day) (f *accept.File, done string, err error) {
	f, err = readExisting(path, today)
	if err != nil {
		return nil, "", err
	}
	var gates []string // of the case, in the file
	for _, entry := range f.Entries {
		if entry.Suite == key.Suite && entry.Case == key.Case && !entry.IsChange() {
			gates = append(gates, entry.Gate)
		}
	}
	if key.Gate == "" && len(gates) == 1 {
		key.Gate = gates[0]
	}
	switch {
	case f.Remove(key) != nil:
		return f, fmt.Sprintf("%s: %s: no longer accepted", key.Case, key.Gate), nil
	case len(gates) == 0:
		return nil, "", diag.Hinted(fmt.Sprintf("%s has no entry for case %q of suite %q", path, key.Case, key.Suite),
			"suite accept --list shows the entries")
	case key.Gate == "":
		return nil, "", diag.Hinted(fmt.Sprintf("--gate is missing: %s has entries for several gates of case %q", path,
			key.Case), "they are "+quotedList(gates))
	}
	return nil, "", notThere(fmt.Sprintf("%s has no entry for gate %q of case %q", path, key.Gate, key.Case), key.Gate,
		gates)
}

// hasGate checks that a run of the plan can fail because of the gate. The hint of its
// error lists the names that exist.
func hasGate(plan *spec.Plan, key accept.Key) error {
	c, err := caseNamed(plan, key.Case)
	if err != nil {
		return err
	}
	ids := gateNames(c)
	at := slices.Index(ids, key.Gate)
	switch {
	case at >= 0 && c.Gates[at].Severity == "warn":
		return diag.Hinted(fmt.Sprintf("gate %q of case %q only warns", key.Gate, key.Case),
			"it fails no run, so there is nothing to accept")
	case at >= 0, accept.OnlyAgainst(key.Gate): // added to each case by run --against
		return nil
	case len(ids) == 0:
		return diag.Hinted(fmt.Sprintf("case %q has no gate", key.Case), "expect: and tolerance: make gates")
	case key.Gate == "":
		return diag.Hinted(fmt.Sprintf("--gate is missing: which gate of case %q may fail?", key.Case),
			"it has "+quotedList(ids))
	}
	return notThere(fmt.Sprintf("case %q has no gate %q", key.Case, key.Gate), key.Gate, ids)
}

func gateNames(c *spec.Case) (ids []string) {
	for _, g := range c.Gates {
		ids = append(ids, g.ID)
	}
	return ids
}

// caseNamed looks up the whole name. For the name of a benchmark that only a run finds
// it is the open case above it, whose gates the benchmark has.
func caseNamed(plan *spec.Plan, name string) (*spec.Case, error) {
	var names []string
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if c.Name == name || c.IsOpen() && strings.HasPrefix(name, c.Name+"/") {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return nil, notThere(fmt.Sprintf("suite %q has no case %q", plan.Suite, name), name, names)
}

// The hint is the known word nearest to word or, if none is near, the first few known
// words.
func notThere(message, word string, known []string) error {
	if near, ok := diag.Nearest(word, known); ok {
		return diag.Hinted(message, fmt.Sprintf("did you mean %q?", near))
	}
	return diag.Hinted(message, "it has "+quotedList(known))
}

// quotedList quotes the first six words and counts the others.
func quotedList(words []string) string {
	const most = 6
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return units.List(quoted, most)
}
