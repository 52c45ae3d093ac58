package observed

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/observe"
	"example.com/suite/result"
)

// A program that looks above its tree finds what is above the tree of its side. What both trees share
// there, and what only the other tree cannot reach by that name, is no difference.
func TestAbove(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	base, here := filepath.Join(root, "old/one/base"), filepath.Join(root, "new/two/here")
	for path, text := range map[string]string{
		"old/one/base/a": "", "new/two/here/a": "", "new/two/next": "", "new/far": "", "shared": "", "old/one/mine": "",
		"old/one/same": "1", "new/two/same": "1", "old/one/text": "1", "new/two/text": "2", "old/conf": "1", "new/conf": "2", "old/home": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		path string
		use  observe.Use
		want string
	}{
		{"old/one/next", observe.Missing, "../next added"},
		{"old/far", observe.Missing, "../../far added"},
		{"old/one/none", observe.Missing, ""},
		{"shared", observe.Read, ""},
		{"new/two/next", observe.Read, ""},
		{"old/one/same", observe.Read, ""},
		{"old/one/text", observe.Read, "../text changed"},
		{"old/one/text", observe.Stat, ""},
		{"old/one/mine", observe.Exec | observe.Read, "../mine removed"},
		{"old/one", observe.List, "../. names"},
		{"old/conf", observe.Read, "../../conf changed"},
		{"old/home", observe.Read, ""}, // its absolute path, most likely
		{"old/one/base/a", observe.Read, ""},
		{"old/one/base", observe.List, ""},
	} {
		got := ""
		r := &observe.Record{Files: []observe.Access{{Path: filepath.Join(real(root), test.path), Use: test.use}}}
		if d := above(context.Background(), r, base, here); d != nil {
			got = d.Path + " " + string(d.Kind)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.path, got, test.want)
		}
	}
	r := &observe.Record{Files: []observe.Access{{Path: filepath.Join(real(root), "old/one/next"), Use: observe.Missing}}}
	if d := above(context.Background(), r, base, filepath.Join(root, "old/one/other")); d != nil {
		t.Errorf("%+v, though both trees are in one folder", d)
	}
}

// A file that is reached by two mounts is one file.
func TestOrigin(t *testing.T) {
	t.Parallel()
	all := mountTable{{"8:1", "/", "/"}, {"0:5", "/", "/proc"}, {"8:1", "/work/here", "/mnt"}, {"8:2", "/", "/mnt/deep"}, {"8:3", "/x", "/mnt/deep"}}
	for path, want := range map[string][2]string{
		"/work/here/tool": {"8:1", "/work/here/tool"}, "/mnt/tool": {"8:1", "/work/here/tool"}, "/mnt": {"8:1", "/work/here"},
		"/mntx": {"8:1", "/mntx"}, "/mnt/deep/a": {"8:3", "/x/a"}, "/proc/self": {"0:5", "/self"},
	} {
		if dev, file := all.origin(path); dev != want[0] || file != want[1] {
			t.Errorf("%s: %s %s, want %s", path, dev, file, want)
		}
	}
}

// A tree that is mounted in a second place is still the tree.
func TestMounted(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	all := mountTable{{"8:1", "/", "/"}, {"8:1", real(here), "/second"}}
	for _, test := range []struct {
		path string
		use  observe.Use
		want string
	}{
		{"/second/tool", observe.Read, "tool"}, {"/second/tool", observe.Stat, ""}, {filepath.Join(real(base), "tool"), observe.Read, ""}, {"/usr/tool", observe.Read, ""},
	} {
		r := &observe.Record{Files: []observe.Access{{Path: test.path, Use: test.use}}}
		if got, exec := mounted(r, base, here, all); got != test.want || exec {
			t.Errorf("%s: %q, %v", test.path, got, exec)
		}
		if why := ofOther(r, base, here, nil, all); (why != nil) != (test.want != "") || why != nil && why.Cause != result.EvidenceReadsHere {
			t.Errorf("%s: %+v", test.path, why)
		}
	}
}
