package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFolderStandsForItsCounterpart(t *testing.T) {
	r := history(t)
	tmp := folder(t)
	for _, dir := range []string{"v1/bench", "v2/bench", "old/bench", "alone"} {
		write(t, filepath.Join(tmp, dir, "suite.yaml"), "")
	}
	r.write(t, "bench/deep/suite.yaml", "")
	r.write(t, "other/suite.yaml", "")
	clone := filepath.Join(tmp, "clone")
	run(t, ".", "clone", "-q", string(r), clone)
	at := func(path string) string { return filepath.Join(tmp, path) }
	write(t, at("outer/proj/bench/suite.yaml"), "") // as in the folder around r
	for _, c := range []struct{ dir, against, own string }{
		{r.path("bench"), at("outer"), r.path("bench")}, // a repository is not left
		{at("v1/bench"), at("v2"), at("v1")},            // the way down is in both
		{at("v1"), at("v2"), at("v1")},                  // side by side
		{at("v1/bench"), at("v2/bench"), at("v1/bench")},
		{at("alone"), at("old"), at("alone")},               // nothing in common
		{string(r), clone, string(r)},                       // two repositories
		{r.path("bench/deep"), clone, string(r)},            // … also where the other lacks the folder
		{r.path("bench"), at("old"), string(r)},             // without a .git
		{r.path("bench"), r.path("other"), r.path("bench")}, // within one
	} {
		got := open(t, Options{Dir: c.dir, Against: c.against})
		if got.Own != c.own || got.Root != c.against || got.Revision != "" || got.MergeBase {
			t.Errorf("%s against %s: %+v", c.dir, c.against, got)
		}
		same(t, "notes", strings.Join(got.Notes, "\n"), c.against+" is compared with "+c.own)
		if path, err := got.Path(filepath.Join(c.own, "x")); err != nil || path != filepath.Join(c.against, "x") {
			t.Error(path, err)
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestARevisionOrAFolder(t *testing.T) {
	r := history(t)
	r.git(t, "branch", "both", "main~1")
	r.write(t, "both/x", "")
	r.write(t, "only/x", "")
	r.write(t, "file", "")
	t.Chdir(string(r))
	for _, c := range []struct{ against, root, note string }{
		{"both", "", "both is the revision; the folder of that name is ./both"},
		{"./both", "both", ""},
		{"both/", "both", ""},
		{r.path("both"), "both", ""},
		{"only", "only", ""},
		{"only/../both", "both", ""},
	} {
		got := open(t, Options{Against: c.against, Cache: folder(t)})
		if c.root != "" && (got.Root != r.path(c.root) || got.Revision != "") || c.root == "" && (got.Revision != r.hash(t, "both") || got.Notes[0] != c.note) {
			t.Errorf("%s: %+v", c.against, got)
		}
	}
	got := open(t, Options{Against: "."})
	same(t, "itself", strings.Join(got.Notes, "\n"), string(r)+" is compared with itself")
	same(t, "file", refused(t, Options{Against: "./file"}), "\"./file\" is a file\nthe base is a folder or a git revision")
	same(t, "missing", refused(t, Options{Against: "../gone"}), "no folder \"../gone\"\na folder is relative to the current one; a revision is written without ./")
	same(t, "missing", refused(t, Options{Dir: "gone", Against: "./both"}), "no folder \""+r.path("gone")+"\"\n")
}

func TestAFolderNeedsNoGit(t *testing.T) {
	tmp := folder(t)
	write(t, filepath.Join(tmp, "old/x"), "")
	write(t, filepath.Join(tmp, "new/x"), "")
	t.Chdir(tmp)
	for _, path := range []string{os.Getenv("PATH"), t.TempDir()} {
		t.Setenv("PATH", path)
		got := open(t, Options{Dir: "new", Against: "old"})
		if got.Root != filepath.Join(tmp, "old") || got.Own != filepath.Join(tmp, "new") {
			t.Errorf("%+v", got)
		}
	}
}
