package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/saved"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestProofOfAffectedCases makes changes in a tree, and lets suite decide which cases have to be
// measured against the tree without the change. The truth is what the cases do in both trees: what
// they print, how they end, and the code and data of their programs (SUITE_PROOF=affected).
func TestProofOfAffectedCases(t *testing.T) {
	provesAffected(t, "affected", 0.1, "suite.yaml", "functions.yaml")
}

// TestProofOfAffectedCode does the same with changes of Go code, and benchmarks that reach code in many ways
// (SUITE_PROOF=code).
func TestProofOfAffectedCode(t *testing.T) { provesAffected(t, "code", 0.2, "suite.yaml") }

// provesAffected makes the changes of a proof, and fails if a case is unaffected that does something else, or if more than
// a share of cases is measured needlessly. files are its suite files, apart from build.yaml.
func provesAffected(t *testing.T, name string, mostNeedless float64, files ...string) {
	const all = 1000 // more than there are changes
	runs := wanted(t, name, all)
	archive, err := txtar.ParseFile("testdata/proof/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	a := &affected{proof: newProof(t), files: files}
	var changes [][2]string // a name, and a script
	for _, f := range a.plant(archive) {
		for line := range strings.Lines(string(f.Data)) {
			name, script, _ := strings.Cut(line, "  ")
			changes = append(changes, [2]string{name, strings.TrimSpace(script)})
		}
	}
	a.commit()
	changes = changes[:min(runs, len(changes))]
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
	t.Logf("%d changes and %d cases: %d decisions, of which %d are about cases that do something else: "+
		"%d of them unaffected; %s measured needlessly",
		len(changes), len(base), decided, affected, wrong, rateOf(needless, decided))
	if float64(needless) > mostNeedless*float64(decided) {
		t.Errorf("more than %.0f %% of cases are measured needlessly", 100*mostNeedless)
	}
}

// TestProofOfSharedFiles runs commands of which both sides are one program, and commands that look like them, but use
// programs of the system or of the tree of their side (SUITE_PROOF=shared).
func TestProofOfSharedFiles(t *testing.T) {
	wanted(t, "shared", 1)
	archive, err := txtar.ParseFile("testdata/proof/shared.txtar")
	if err != nil {
		t.Fatal(err)
	}
	a := &affected{proof: newProof(t)}
	out := a.path("out")
	t.Setenv("TREE", a.tree())
	t.Setenv("OUT", out)
	t.Setenv("GOBIN", filepath.Join(out, "bin"))
	t.Setenv("PATH", a.tree()+"/bin:"+out+"/bin:"+os.Getenv("PATH"))
	for _, f := range a.plant(archive) {
		a.sh(string(f.Data))
	}
	for _, c := range a.cases("base", "suite.yaml") {
		refused := c.Counterpart != nil && c.Counterpart.State == result.CounterpartUnable
		t.Logf("%s: %s, %s", c.Name, c.Counterpart.State, c.Counterpart.Reason)
		if refused != strings.HasSuffix(strings.TrimSuffix(c.Name, "/Use"), " shared") {
			t.Errorf("%s: refused: %v", c.Name, refused)
		}
	}
}

// affected is a repository with cases, and changes of it.
type affected struct {
	*proof
	files []string // suite files that build nothing
}

func (a *affected) tree() string { return a.path("tree") }

// in returns a command that runs in the tree, with a locale of its own.
func (a *affected) in(name string, args ...string) *exec.Cmd {
	cmd := a.command(name, args...)
	cmd.Dir = a.tree()
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	return cmd
}

func (a *affected) sh(script string) {
	a.Helper()
	if said, err := a.in("sh", "-c", script).CombinedOutput(); err != nil {
		a.Fatalf("%s: %v\n%s", script, err, said)
	}
}

// plant writes the files of the tree in an archive, and returns the others.
func (a *affected) plant(archive *txtar.Archive) (others []txtar.File) {
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, "tree/")
		if !ok {
			others = append(others, f)
			continue
		}
		path := filepath.Join(a.tree(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			a.Fatal(err)
		}
		testfile.Write(a.T, path, strings.ReplaceAll(string(f.Data), "OUTSIDE", a.path("outside")))
	}
	return others
}

// commit commits the tree, and keeps a copy of it.
func (a *affected) commit() {
	a.sh("if test -e tool.sh; then chmod 755 tool.sh && ln -s data/a.txt link; fi; git init -q -b main && git add . && git commit -q -m base")
	a.sh("git tag base && cp -a . ../whole")
}

// reset brings the tree back, with modes and attributes that git knows nothing of.
func (a *affected) reset() { a.sh("cd .. && rm -rf tree && cp -a whole tree") }

// measured returns the names of the cases that a run would measure. Only a run builds.
func (a *affected) measured() []string {
	cmd := a.in("suite-real", append([]string{"list", "--against", "base", "--affected"}, a.files...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	names, err := cmd.Output()
	if err != nil {
		a.Fatalf("%v\n%s", err, &problems)
	}
	all := strings.Split(strings.TrimSpace(string(names)), "\n")
	if !a.builds() {
		return all
	}
	for _, c := range a.cases("base", "build.yaml") {
		if !c.Counterpart.IsUnaffected() {
			all = append(all, c.Name)
		}
	}
	return all
}

// builds reports whether the proof has cases of which only a run builds the program.
func (a *affected) builds() bool { return slices.Contains(a.files, "functions.yaml") }

// cases runs a suite file against a revision and returns its cases.
func (a *affected) cases(revision, file string) []result.Case {
	a.Helper()
	out := a.path("result.json")
	run := a.in("suite-real", "run", "--quiet", "--against", revision, "--out", "json="+out, file)
	said, failed := run.CombinedOutput()
	doc, err := saved.Read(out)
	if err != nil {
		a.Fatalf("%v, %v\n%s", failed, err, said)
	}
	if err := os.Remove(out); err != nil {
		a.Fatal(err)
	}
	return doc.Cases
}

// behaviour returns what each case prints, and how it ends. A benchmark prints a line that begins
// with DOES.
func (a *affected) behaviour() map[string]string {
	files := a.files
	if a.builds() {
		files = append(slices.Clone(files), "build.yaml")
	}
	cmd := a.in("suite-real", append([]string{"check", "--plan", "--format", "json"}, files...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	text, err := cmd.Output()
	if err != nil {
		a.Fatalf("%v\n%s%s", err, text, problems.Bytes())
	}
	var plans []struct {
		Cases []spec.Case
		Build *spec.Hook
	}
	if err := json.Unmarshal(text, &plans); err != nil {
		a.Fatal(err)
	}
	does := map[string]string{}
	for _, plan := range plans {
		for _, c := range plan.Cases {
			does[c.Name] = a.does(plan.Build, &c)
		}
	}
	return does
}

// code returns a hash of the code and the data of a program, without its table of lines.
func (a *affected) code(path string) string {
	file, err := elf.Open(path)
	if err != nil {
		a.Fatal(err)
	}
	defer file.Close()
	sum := sha256.New()
	for _, name := range []string{".text", ".data", ".noptrdata"} {
		text, err := file.Section(name).Data()
		if err != nil {
			a.Fatal(err)
		}
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (a *affected) does(build *spec.Hook, c *spec.Case) string {
	argv, code := c.Argv, ""
	switch {
	case c.Kind == result.KindGo:
		a.sh("cp go.mod ../own.mod && cp go.sum ../own.sum 2>/dev/null; " +
			"go mod edit -replace example.com/suite=" + repository + " ../own.mod")
		a.sh("go build -modfile ../own.mod -trimpath -ldflags=-buildid= -o ../show ./" + c.Function + "/show")
		code = a.code(a.path("show"))
		argv = []string{a.path("show")}
	case build != nil:
		argv = []string{"sh", "-c", strings.Join(build.Argv, " ") + "; cksum " + argv[0] + "; " + strings.Join(argv, " ")}
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
		cmd.Env = append(cmd.Env, "DOES=1")
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
	return fmt.Sprintf("%s %s %v", code, said, err)
}
