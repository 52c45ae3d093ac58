package accepted

import (
	"fmt"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
)

// Request is what a command line asks for: to list entries, to remove one, or to add one. Its texts are not checked
// yet.
type Request struct {
	List, Remove            bool
	Gate, Until, Reason, By string
	Commit, History         string // of a change, and the history that has it
	File                    string // in place of the accept.yaml next to the suite file
}

// Check refuses arguments and flags that do not fit together.
func (r *Request) Check(args []string) error {
	const usage = `for example: suite accept CASE --gate GATE --until 30d --reason "why it may fail" suite.yaml`
	const usageOfChange = `for example: suite accept CASE --commit HASH --reason "what it was for" suite.yaml`
	given := func(flags ...string) bool { return strings.Join(flags, "") != "" }
	switch {
	case r.List && r.Remove:
		return diag.Hinted("--list and --remove exclude each other", "")
	case r.List && given(r.Gate, r.Commit, r.Until, r.Reason, r.By):
		return diag.Hinted("--list takes no gate, commit, day or reason", "for example: suite accept --list suite.yaml")
	case r.List && len(args) == 0:
		return diag.Hinted("suite accept --list needs a suite file", "for example: suite accept --list suite.yaml")
	case r.List:
		return nil
	case r.Remove && given(r.Until, r.Reason, r.By):
		return diag.Hinted("--remove takes no day or reason",
			"for example: suite accept --remove CASE --gate GATE suite.yaml")
	case len(args) != 2:
		return diag.Hinted(fmt.Sprintf("suite accept needs a case and a suite file, got %s",
			units.Plural(len(args), "argument")),
			usage)
	case r.Commit != "" && given(r.Gate, r.Until):
		return diag.Hinted("--commit takes no gate and no day: a change is past, and stays acknowledged",
			usageOfChange)
	case r.Commit == "" && r.History != "":
		return diag.Hinted("--history is for --commit", usage)
	case !r.Remove && r.Commit == "" && r.Until == "":
		return diag.Hinted("--until is missing: nothing is accepted for ever", usage)
	case !r.Remove && r.Reason == "" && r.Commit != "":
		return diag.Hinted("--reason is missing: whoever reviews it wants to know why", usageOfChange)
	case !r.Remove && r.Reason == "":
		return diag.Hinted("--reason is missing: whoever reviews it wants to know why", usage)
	}
	return nil
}

// Change makes the change that is asked for, of an entry for a case of a plan. It returns the file with the entries,
// which is not written yet, and what was done. runs reads the history, if it is needed.
func (r *Request) Change(
	name string, plan *spec.Plan, today accept.Day, runs func() ([]history.Entry, error),
) (f *accept.File, done string, err error) {
	path, err := open(r.File, plan.File)
	if err != nil {
		return nil, "", err
	}
	key := accept.Key{Suite: plan.Suite, Case: name, Gate: r.Gate}
	switch {
	case r.Commit == "" && r.Remove:
		return remove(path, key, today)
	case r.Commit == "":
		return r.add(path, key, plan, today)
	}
	hash, fault := accept.CheckCommit(r.Commit)
	if fault != nil {
		return nil, "", diag.Hinted("--"+fault.Message, fault.Hint)
	}
	if r.Remove {
		key.Commit = hash
		return unacknowledge(path, key, today)
	}
	entries, err := runs()
	if err != nil {
		return nil, "", err
	}
	changes, err := changedAt(entries, plan.Suite, name, hash)
	if err != nil {
		return nil, "", err
	}
	return acknowledge(path, changes, r.Reason, r.By, today)
}

// open names the file with the entries of a suite: file or, if that is empty, the accept.yaml in
// the folder of the suite file. It refuses the suite file itself.
func open(file, suiteFile string) (path string, err error) {
	if file == "" {
		file = Path(suiteFile)
	}
	if isSameFile(file, suiteFile) {
		return "", diag.Hinted(fmt.Sprintf("%q is the suite file itself", file),
			"accepted failures are in a file of their own")
	}
	return file, nil
}
