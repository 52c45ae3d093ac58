package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/spec"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestProofOfAffectedCases makes changes in a tree, and lets suite decide which cases have to be
// measured against the tree without the change. The truth is what the cases do in both trees: what
// they print, and how they end (SUITE_PROOF=affected).
func TestProofOfAffectedCases(t *testing.T) {
	wanted(t, "affected", 1)
	archive, err := txtar.ParseFile("testdata/proof/affected.txtar")
	if err != nil {
		t.Fatal(err)
	}
	a := &affected{newProof(t)}
	changes := a.plant(archive)
	base := a.behaviour()
	decided, affected, wrong, needless := 0, 0, 0, 0
	for _, change := range changes {
		a.reset()
		a.sh(change[1])
		measured := a.measured()
		here := a.behaviour()
		for name, was := range base {
			decided++
			differs, isMeasured := here[name] != was, slices.Contains(measured, name)
			if differs {
				affected++
			}
			switch {
			case differs && !isMeasured:
				wrong++
				t.Errorf("%s: %s is unaffected, and does %q in place of %q", change[0], name, here[name], was)
			case isMeasured && !differs:
				needless++
				t.Logf("%s: %s is measured needlessly", change[0], name)
			}
		}
	}
	t.Logf("%d changes and %d cases: %d decisions, of which %d are about cases that do something else: %d of them unaffected; %s measured needlessly",
		len(changes), len(base), decided, affected, wrong, rateOf(needless, decided))
	if 10*needless > decided {
		t.Error("more than one case of ten is measured needlessly")
	}
}

// affected is a repository with cases, and changes of it.
type affected struct{ *proof }

func (a *affected) tree() string { return a.path("tree") }

// in returns a command that runs in the tree, with a locale of its own.
func (a *affected) in(name string, args ...string) *exec.Cmd {
	cmd := a.command(name, args...)
	cmd.Dir = a.tree()
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	return cmd
}

func (a *affected) sh(script string) {
	a.Helper()
	if said, err := a.in("sh", "-c", script).CombinedOutput(); err != nil {
		a.Fatalf("%s: %v\n%s", script, err, said)
	}
}

// plant commits the files of the archive, and returns the changes: a name and a script.
func (a *affected) plant(archive *txtar.Archive) (changes [][2]string) {
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "tree/"); ok {
			path := filepath.Join(a.tree(), filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				a.Fatal(err)
			}
			write(a.T, path, strings.ReplaceAll(string(f.Data), "OUTSIDE", a.path("outside")))
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			name, script, _ := strings.Cut(line, "  ")
			changes = append(changes, [2]string{name, strings.TrimSpace(script)})
		}
	}
	a.sh("chmod 755 tool.sh && ln -s data/a.txt link && git init -q -b main && git add . && git commit -q -m base && git tag base && cp -a . ../whole")
	return changes
}

// reset brings the tree back, with modes and attributes that git knows nothing of.
func (a *affected) reset() { a.sh("cd .. && rm -rf tree && cp -a whole tree") }

// measured returns the names of the cases that a run would measure.
func (a *affected) measured() []string {
	cmd := a.in("suite-real", "list", "--against", "base", "--affected", "suite.yaml")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	names, err := cmd.Output()
	if err != nil {
		a.Fatalf("%v\n%s", err, &problems)
	}
	return strings.Split(strings.TrimSpace(string(names)), "\n")
}

// behaviour returns what each case prints, and how it ends. A benchmark prints a line that begins
// with DOES.
func (a *affected) behaviour() map[string]string {
	text, err := a.in("suite-real", "check", "--plan", "--format", "json", "suite.yaml").Output()
	if err != nil {
		a.Fatalf("%v\n%s", err, text)
	}
	var plans []struct{ Cases []spec.Case }
	if err := json.Unmarshal(text, &plans); err != nil {
		a.Fatal(err)
	}
	does := map[string]string{}
	for _, c := range plans[0].Cases {
		does[c.Name] = a.does(&c)
	}
	return does
}

func (a *affected) does(c *spec.Case) string {
	argv := c.Argv
	switch {
	case c.Shell != "":
		argv = []string{"sh", "-c", c.Shell}
	case c.GoTest != nil:
		argv = []string{c.GoTest.Program, "-test.run=^$", "-test.benchtime=1x", "-test.bench=^" + c.GoTest.Benchmark + "$"}
	}
	if c.Prepare != nil {
		a.sh(strings.Join(c.Prepare.Argv, " "))
	}
	cmd := a.in(argv[0], argv[1:]...)
	cmd.Dir = c.Cwd
	if c.GoTest != nil {
		cmd.Dir = c.GoTest.Dir
	}
	if c.Stdin != "" {
		in, err := os.Open(c.Stdin)
		if err != nil {
			return err.Error()
		}
		defer in.Close()
		cmd.Stdin = in
	}
	said, err := cmd.CombinedOutput()
	if c.GoTest != nil {
		_, does, _ := strings.Cut(string(said), "DOES ")
		does, _, _ = strings.Cut(does, "\n")
		return does
	}
	return fmt.Sprintf("%s %v", said, err)
}
