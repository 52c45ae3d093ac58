package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/lock"
	"example.com/suite/internal/testfile"
)

// repository is the folder of the module.
var repository, _ = filepath.Abs("../..")

// fence matches a fenced block: its info string and its text.
var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// manualPage is a Markdown document of the repository.
type manualPage struct {
	name string // path in the repository
	text string
}

// The pages are README.md, CONTRIBUTING.md and all documents of docs/.
func pages(t *testing.T) (all []manualPage) {
	t.Helper()
	var paths []string
	for _, folder := range []string{"docs", "docs/evidence"} {
		found, _ := filepath.Glob(filepath.Join(repository, folder, "*.md")) // the pattern is well formed
		if len(found) == 0 {
			t.Fatal(folder, "has no pages")
		}
		paths = append(paths, found...)
	}
	paths = append(paths, filepath.Join(repository, "README.md"), filepath.Join(repository, "CONTRIBUTING.md"))
	for _, path := range paths {
		name, _ := filepath.Rel(repository, path)
		all = append(all, readPage(t, filepath.ToSlash(name)))
	}
	return all
}

func readPage(t *testing.T, name string) manualPage {
	t.Helper()
	return manualPage{name, string(testfile.Read(t, filepath.Join(repository, name)))}
}

// TestPages checks every fenced block of every document. The info string decides what is
// checked:
//
//	yaml file=NAME     a suite file for the commands of the page; suite check accepts
//	                   it, unless a command of the page names it
//	yaml               a suite file
//	yaml suite         some keys of a suite file
//	yaml benchmark     some keys of a benchmark
//	yaml accept        an accept.yaml
//	yaml ci            a workflow of GitHub Actions; its suite commands are checked
//	go, go file=NAME   a whole Go file, formatted, which compiles
//	console            a suite command and what it prints
//	text file=PATH     lines of a file of the repository
//	text picture       a drawing that fits into 100 columns
//	json, tsv          what a program with pegs writes
//	sh                 command lines; the flags of suite exist
//
// Any other block fails the test. A page has one folder for all of its files. -update
// rewrites what commands print.
func TestPages(t *testing.T) {
	if os.Getenv(pageVariable) != "" {
		t.Fatal("a process of TestPages must start no others")
	}
	t.Parallel()
	for _, p := range pages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(p.name), ".md"), func(t *testing.T) {
			t.Parallel()
			p.runApart(t)
		})
	}
}

// pageVariable names the page that a process of TestPages tests.
const pageVariable = "SUITE_TEST_PAGE"

// runApart tests a page in a process of its own, which can change its working folder and its
// environment while other pages are tested.
func (p manualPage) runApart(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestPage$", "-test.v", fmt.Sprintf("-update=%v", golden.Updating()),
		fmt.Sprintf("-test.short=%v", testing.Short()))
	cmd.Env = append(os.Environ(), pageVariable+"="+p.name)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestPage ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPage tests one page, in a process that TestPages has started.
func TestPage(t *testing.T) {
	name := os.Getenv(pageVariable)
	if name == "" {
		t.Skip("TestPages starts it for each page")
	}
	readPage(t, name).run(t)
}

// indented matches a block indented by blanks, which no test would check.
var indented = regexp.MustCompile(`\n\n    [^ ]`)

// pageRun is the state of the test of one page.
type pageRun struct {
	t        *testing.T
	env      env
	commands []string    // console commands that were run
	suites   [][2]string // name and text of suite files
	sources  []string    // Go files
}

func (p manualPage) run(t *testing.T) {
	if indented.MatchString(fence.ReplaceAllString(p.text, "")) {
		t.Error("an indented block: write a fenced one, which is checked")
	}
	t.Setenv(lock.Variable, filepath.Join(t.TempDir(), "suite.lock"))
	cache := t.TempDir()
	t.Setenv(cacheVariable, cache)
	if err := giveHash(filepath.Join(cache, "own")); err != nil {
		t.Fatal(err)
	}
	for name, value := range goVariables() {
		t.Setenv(name, value)
	}
	r := &pageRun{t: t, env: realEnv(t)}
	t.Chdir(t.TempDir())
	testfile.Write(t, "go.mod", "module example.org/words\n\ngo 1.26\n")
	updated := fence.ReplaceAllStringFunc(p.text, func(block string) string {
		m := fence.FindStringSubmatch(block)
		return "```" + m[1] + "\n" + r.block(m[1], m[2]) + "```"
	})
	r.check()
	if golden.Updating() && updated != p.text {
		testfile.Write(t, filepath.Join(repository, p.name), updated)
	}
}

// block checks one block and returns its text, with -update the correct one.
func (r *pageRun) block(info, text string) string {
	kind, name, _ := strings.Cut(info, " file=")
	if name != "" && kind != "text" {
		testfile.Write(r.t, name, text)
	}
	switch kind {
	case "yaml":
		r.suites = append(r.suites, [2]string{name, text})
	case "yaml suite":
		r.suites = append(r.suites, [2]string{"", text + "benchmarks: [{command: \"true\"}]\n"})
	case "yaml benchmark":
		r.suites = append(r.suites, [2]string{"", benchmark(text)})
	case "yaml accept":
		r.accept(text)
	case "yaml ci":
		r.workflow(text)
	case "go":
		r.sources = append(r.sources, text)
	case "console":
		return r.console(text)
	case "text":
		r.quoted(name, text)
	case "text picture":
		r.picture(text)
	case "json", "tsv":
		r.pegs(text)
	case "sh":
		r.shell(text)
	default:
		r.t.Errorf("no test checks blocks that begin with ```%s", info)
	}
	return text
}

// check checks the suite and Go files, after all blocks of the page have been read.
func (r *pageRun) check() {
	all := strings.Join(r.commands, "\n")
	for _, suite := range r.suites {
		name, text := suite[0], suite[1]
		if name != "" && strings.Contains(all, name) {
			continue // a command of the page uses it, perhaps to be refused
		}
		testfile.Write(r.t, "block.yaml", text)
		if status, printed := captured(r.env, "check", "--offline", "block.yaml"); status != exitOK {
			r.t.Errorf("suite check: exit status %d: %s\n%s", status, printed, text)
		}
	}
	r.compile()
}
