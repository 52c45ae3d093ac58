package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPytestSpeaksTheProtocolOfLines(t *testing.T) {
	list := pytest{}.List()
	if list.Input != "list\n" || !slices.Contains(list.Args, "--setup-plan") {
		t.Errorf("%+v", list)
	}
	run := pytest{}.Run("tests/a.py::test_b[c d]", Amount{Iterations: 7, Warmups: 1})
	if want := strings.Repeat("run 7 tests/a.py::test_b[c d]\n", 2); run.Input != want {
		t.Errorf("%q, want %q", run.Input, want)
	}
	if last := run.Args[len(run.Args)-1]; last != "tests/a.py::test_b[c d]" {
		t.Errorf("it runs %s", last)
	}
	for warmups, want := range []string{"count 7 a.py::b\n", "run 7 a.py::b\ncount 7 a.py::b\n"} {
		if got := (pytest{}).Count("a.py::b", Amount{Iterations: 7, Warmups: warmups}); got.Input != want {
			t.Errorf("counted after %d: %q, want %q", warmups, got.Input, want)
		}
	}
	if (pytest{}).Locate([]string{"pytest", "bench"}) != nil {
		t.Error("pytest builds nothing")
	}
}

// A folder that a user has in the variable is searched after the module's own.
func TestModulesComeBeforeFoldersOfTheUser(t *testing.T) {
	m := Module{File: "m.py", Variable: "PYTHONPATH"}
	join := func(folders ...string) string {
		return "PYTHONPATH=" + strings.Join(folders, string(filepath.ListSeparator))
	}
	for want, env := range map[string][]string{
		join("/m"):         {"PATH=/a", "PYTHONPATHS=/b"},
		join("/m", "/b"):   {"PYTHONPATH=/a", "PYTHONPATH=/b"},
		join("/m", "/b/c"): {"PYTHONPATH=/b/c", "OTHER=1"},
	} {
		if args, got := m.In("/m/m.py", env); len(args) > 0 || !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q %s, want %s", env, args, got, want)
		}
	}
	m = Module{File: "m.mjs", Argument: "--reporter="}
	if args, got := m.In("/m/m.mjs", nil); len(got) > 0 || !slices.Equal(args, []string{"--reporter=/m/m.mjs"}) {
		t.Errorf("as an argument: %q, %q", args, got)
	}
}

func TestModulesAreInstalledOnce(t *testing.T) {
	cache, m := t.TempDir(), pytest{}.Module()
	file, err := m.Install(cache)
	if err != nil || filepath.Base(file) != "suite_pytest.py" {
		t.Fatal(file, err)
	}
	before, err := os.Stat(file)
	if err != nil || len(m.Text) == 0 || before.Size() != int64(len(m.Text)) {
		t.Fatalf("%v, %v", before, err)
	}
	again, err := m.Install(cache)
	if after, _ := os.Stat(file); err != nil || again != file || !os.SameFile(before, after) {
		t.Errorf("%s, %v: it is written again", again, err)
	}
	if err := os.WriteFile(file, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Install(cache); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != m.Text {
		t.Error("a file that has something else stays")
	}
	m.Text += "\n"
	if other, err := m.Install(cache); err != nil || other == file {
		t.Errorf("another version is at %s, %v", other, err)
	}
}
