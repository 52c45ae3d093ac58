package observed

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/observe"
	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/spec"
)

// trees are two folders with a file each of the same content and one that differs, and a program.
func trees(t *testing.T) (base, here string) {
	t.Helper()
	base, here = filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "here")
	for dir, text := range map[string]string{base: "old", here: "new"} {
		for name, text := range map[string]string{"same": "same", "differs": text, "tool": "same"} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	return base, here
}

// A record proves that a case is the same only if nothing in it differs and nothing is in doubt.
func TestJudge(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	at := func(dir, name string, use observe.Use) observe.Access {
		return observe.Access{Path: filepath.Join(dir, name), Use: use}
	}
	for name, test := range map[string]struct {
		record observe.Record
		want   result.EvidenceCause
	}{
		"the same file":             {observe.Record{Files: []observe.Access{at(base, "same", observe.Read)}}, ""},
		"another file":              {observe.Record{Files: []observe.Access{at(base, "differs", observe.Read)}}, result.EvidenceReads},
		"a file of neither tree":    {observe.Record{Files: []observe.Access{at(t.TempDir(), "x", observe.Read)}}, ""},
		"a program of this tree":    {observe.Record{Files: []observe.Access{at(here, "tool", observe.Exec)}}, result.EvidenceExecutesHere},
		"a file of this tree":       {observe.Record{Files: []observe.Access{at(here, "same", observe.Read)}}, result.EvidenceReadsHere},
		"a look at this tree":       {observe.Record{Files: []observe.Access{at(here, "same", observe.Stat)}}, result.EvidenceReadsHere},
		"a look at its folder":      {observe.Record{Files: []observe.Access{at(here, "", observe.Stat)}}, ""},
		"an object of git":          {observe.Record{Files: []observe.Access{at(here, ".git/objects/73", observe.List)}}, ""},
		"a doubt":                   {observe.Record{Doubts: []observe.Doubt{{Cause: observe.IOUring}}}, result.EvidenceDoubt},
		"a connection":              {observe.Record{Connections: []string{"127.0.0.1:80"}}, result.EvidenceConnection},
		"a socket":                  {observe.Record{Sockets: []string{"/run/x"}}, result.EvidenceConnection},
		"a name that neither has":   {observe.Record{Files: []observe.Access{at(base, "none", observe.Missing)}}, ""},
		"a name that was not there": {observe.Record{Files: []observe.Access{at(base, "same", observe.Missing)}}, result.EvidenceReads},
		"a file that is not here":   {observe.Record{Files: []observe.Access{at(base, "gone", observe.Read)}}, result.EvidenceReads},
	} {
		got := judge(context.Background(), &test.record, base, here, nil)
		if (got == nil) != (test.want == "") || got != nil && got.Cause != test.want {
			t.Errorf("%s: %+v, want %q", name, got, test.want)
		}
	}
}

// A tree of suite may lie in a folder of the user's tree: its files are not the user's.
func TestATreeWithinTheOther(t *testing.T) {
	t.Parallel()
	here := t.TempDir()
	base := filepath.Join(here, "cache", "base")
	if err := os.MkdirAll(base, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		filepath.Join(base, "tool"): false, base: false, filepath.Join(here, "cache"): false, filepath.Join(here, "tool"): true, filepath.Join(here, "cache", "base2"): true,
		filepath.Join(here, "cache", "test", "program"): false, filepath.Join(here, "cache", "test", "other"): true,
	} {
		r := &observe.Record{Files: []observe.Access{{Path: path, Use: observe.Exec}}}
		if got := ofOther(r, base, here, []string{real(filepath.Join(here, "cache")) + "/test/program"}, nil); (got != nil) != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// What a run cannot show is measured.
func TestUnseen(t *testing.T) {
	t.Parallel()
	hook := &spec.Hook{Argv: []string{"true"}}
	for want, test := range map[string]struct {
		plan spec.Plan
		c    spec.Case
	}{
		"build": {plan: spec.Plan{Build: hook}}, "service": {c: spec.Case{Services: make([]spec.Service, 1)}},
	} {
		if got := unseen(&test.plan, &test.c); got == nil || got.Cause != result.EvidenceUnseen || got.Subject != want {
			t.Errorf("%s: %+v", want, got)
		}
	}
	if got := unseen(new(spec.Plan), &spec.Case{Setup: hook, Prepare: hook, Conclude: hook, Cleanup: hook}); got != nil {
		t.Errorf("%+v for a case with hooks, which run under a tracer", got)
	}
}

// Two runs that use different files are no evidence, whichever of them uses more.
func TestUnsteady(t *testing.T) {
	t.Parallel()
	a, b := observe.Access{Path: "a", Use: observe.Read}, observe.Access{Path: "b", Use: observe.Read}
	for want, runs := range map[string][2][]observe.Access{"b": {{a}, {a, b}}, "a": {{a, b}, {b}}, "": {{a}, {a}}} {
		if got := unsteady(runs[0], runs[1]); got != want {
			t.Errorf("%v: %q, want %q", runs, got, want)
		}
	}
}

// A Go program that was installed from the module of the trees is one file for both sides. The
// programs of suite itself, and of other modules, are not meant.
func TestInstalled(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	self, err := os.Executable() // built from the module of suite
	if err != nil {
		t.Fatal(err)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path == "" {
		t.Fatal("a test without build information")
	}
	kept := filepath.Join(t.TempDir(), strings.Repeat("0a", 32)+"-d", "program") // by go run
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, kept); err != nil {
		t.Fatal(err)
	}
	r := &observe.Record{Files: []observe.Access{{Path: kept, Use: observe.Exec}, {Path: self, Use: observe.Exec}}}
	for module, want := range map[string]string{info.Main.Path: self, "example.org/other": ""} {
		if err := os.WriteFile(filepath.Join(base, "go.mod"), []byte("module "+module+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := installed(r, base, here, nil); got != want {
			t.Errorf("module %s: %q, want %q", module, got, want)
		}
		if got := installed(r, base, here, []string{real(self)}); got != "" {
			t.Errorf("module %s: %q is a program of suite", module, got)
		}
	}
}

// A run that proves nothing else is still no evidence if both sides have one installed program.
func TestJudgeAll(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("a test without build information")
	}
	tool := filepath.Join(t.TempDir(), "tool")
	for path, text := range map[string]string{filepath.Join(base, "go.mod"): "module " + info.Main.Path + "\n", tool: "old", filepath.Join(base, "old"): "old"} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	o := &Observer{Host: []string{"suite"}, Binaries: new(binary.Hashes), HostOf: func(*spec.Plan) []string { return nil }}
	for path, shared := range map[string]bool{self: true, tool: true, filepath.Join(base, "same"): false} {
		r := &observe.Record{Files: []observe.Access{{Path: real(path), Use: observe.Exec}}}
		why := o.judgeAll(context.Background(), &recorded{Record: r}, new(spec.Plan), new(spec.Case), o.programs(new(spec.Plan), new(spec.Case)), base, here)
		if (why != nil && why.Cause == result.EvidenceExecutesInstalled) != shared {
			t.Errorf("%s: %+v", path, why)
		}
	}
}

// What is left is removed from trees of suite, and never from a folder of the user.
func TestRemove(t *testing.T) {
	t.Parallel()
	cache, user := t.TempDir(), t.TempDir()
	for base, stays := range map[string]bool{filepath.Join(cache, "tree"): false, user: true, cache: true} {
		made := filepath.Join(base, "made", "deep")
		if err := os.MkdirAll(made, 0o755); err != nil {
			t.Fatal(err)
		}
		(&Observer{Cache: cache}).remove([]string{filepath.Dir(made)}, base)
		if _, err := os.Stat(made); (err == nil) != stays {
			t.Errorf("in %s: %v", base, err)
		}
	}
}

// What the first run has left in a tree is no input of the next one, if the other tree does not have it.
func TestLeft(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	const made = observe.Missing | observe.Written | observe.Made
	for _, path := range []string{"out/in/deep", "both"} {
		if err := os.MkdirAll(filepath.Join(base, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(here, "both"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(path string) string { return filepath.Join(real(base), path) }
	first := &observe.Record{Files: []observe.Access{
		{Path: at("both"), Use: made}, {Path: at("differs"), Use: observe.Read | observe.Written | observe.Made}, {Path: at("gone"), Use: made},
		{Path: at("out"), Use: made}, {Path: at("out/in"), Use: observe.Written | observe.Made}, {Path: at("tool"), Use: observe.Exec},
	}}
	got := left(first, base, here)
	if want := []string{at("out"), at("out/in")}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	second := &observe.Record{Files: []observe.Access{
		{Path: real(base), Use: observe.List}, {Path: at("out/in/deep"), Use: observe.Read}, {Path: at("outer"), Use: observe.Missing}, {Path: at("tool"), Use: observe.Exec},
	}}
	if judge(context.Background(), second, base, here, nil) == nil {
		t.Error("a folder that only one tree has is the same")
	}
	as := asMade(second, got)
	if why := judge(context.Background(), as, base, here, nil); why != nil && why.Subject != "." { // both trees list other names anyway
		t.Errorf("%+v", why)
	}
	if len(as.Files) != 5 || len(second.Files) != 4 {
		t.Errorf("%v", as.Files)
	}
}

// A program that was copied from one of the trees is one file for both sides. A program that both trees
// have alike, or neither, is not meant.
func TestCopied(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	outside := t.TempDir()
	for name, text := range map[string]string{"made": "built here", "empty": "", "twin": "same"} {
		if err := os.WriteFile(filepath.Join(here, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		text string
		use  observe.Use
		want bool
	}{
		"made": {"built here", observe.Exec, true}, "renamed": {"built here", observe.Exec, true}, "differs": {"old", observe.Read, true}, "other": {"old", observe.Read, false},
		"same": {"same", observe.Exec, false}, "tool": {"other", observe.Exec, false}, "none": {"x", observe.Exec, false}, "empty": {"", observe.Exec, false},
	} {
		path := filepath.Join(outside, name)
		if err := os.WriteFile(path, []byte(test.text), 0o755); err != nil {
			t.Fatal(err)
		}
		r := &observe.Record{Files: []observe.Access{{Path: path, Use: test.use}}}
		if got := new(Observer).copied(r, base, here, nil); (got == path) != test.want {
			t.Errorf("%s: %q", name, got)
		}
		if got := new(Observer).copied(r, base, here, []string{real(path)}); got != "" {
			t.Errorf("%s: %q is a program of suite", name, got)
		}
	}
}
