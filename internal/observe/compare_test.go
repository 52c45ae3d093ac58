package observe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// plant makes a tree of files by path. A text that begins with -> is a link, and a path that
// ends with / a folder.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		target, link := strings.CutPrefix(text, "->")
		switch {
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(path, 0o755))
		case link:
			if runtime.GOOS == "windows" {
				t.Skip("links need rights here")
			}
			err = errors.Join(err, os.Symlink(strings.ReplaceAll(target, "ROOT", dir), path))
		default:
			err = errors.Join(err, os.WriteFile(path, []byte(text), 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCompare(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, c := range []struct {
		name       string
		use        Use
		path       string
		base, here map[string]string
		want       Kind
	}{
		{"equal", Read, "a", map[string]string{"a": long}, map[string]string{"a": long}, ""},
		{"another end", Read, "a", map[string]string{"a": long + "y"}, map[string]string{"a": long + "z"}, Changed},
		{"another size", Read, "a", map[string]string{"a": "1"}, map[string]string{"a": "11"}, Changed},
		{"executed", Exec, "a", map[string]string{"a": "1"}, map[string]string{"a": "2"}, Changed},
		{"empty", Read, "a", map[string]string{"a": ""}, map[string]string{"a": ""}, ""},
		{"only looked at, equal size", Stat, "a", map[string]string{"a": "1"}, map[string]string{"a": "2"}, Changed},
		{"only looked at, another size", Stat, "a", map[string]string{"a": "1"}, map[string]string{"a": "22"}, Changed},
		{"below folders", Read, "b/a", map[string]string{"b/a": "1"}, map[string]string{"b/a": "2"}, Changed},
		{"removed", Stat, "a", map[string]string{"a": ""}, nil, Removed},
		{"folder is a file", Read, "b/a", map[string]string{"b/a": ""}, map[string]string{"b": ""}, Removed},
		{"another type", Stat, "a", map[string]string{"a": ""}, map[string]string{"a/": ""}, Type},
		{"still missing", Missing, "a", nil, nil, ""},
		{"still missing in a file", Missing, "b/a", map[string]string{"b": ""}, map[string]string{"b": ""}, ""},
		{"added", Missing, "a", nil, map[string]string{"a": ""}, Added},
		{"added link to nothing", Missing, "a", nil, map[string]string{"a": "->b"}, Added},
		{"link", Link, "a", map[string]string{"a": "->b"}, map[string]string{"a": "->b"}, ""},
		{"link to another", Link, "a", map[string]string{"a": "->b"}, map[string]string{"a": "->c"}, Target},
		{"link is a file", Link, "a", map[string]string{"a": "->b"}, map[string]string{"a": ""}, Type},
		{"link into its tree", Link, "a", map[string]string{"a": "->ROOT/b"}, map[string]string{"a": "->ROOT/b"}, ""},
		{"link to another in its tree", Link, "a", map[string]string{"a": "->ROOT/b"}, map[string]string{"a": "->ROOT/c"}, Target},
		{"names", List, "b", map[string]string{"b/a": "", "b/c": ""}, map[string]string{"b/a": "1", "b/c": "2"}, ""},
		{"more names", List, "b", map[string]string{"b/a": ""}, map[string]string{"b/a": "", "b/c": ""}, Names},
		{"fewer names", List, "b", map[string]string{"b/a": "", "b/c": ""}, map[string]string{"b/a": ""}, Names},
		{"a name of another type", List, "b", map[string]string{"b/a": ""}, map[string]string{"b/a/": ""}, Names},
		{"whole tree", List, ".", map[string]string{"a": ""}, map[string]string{"c": ""}, Names},
		{"folder, not listed", Stat, "b", map[string]string{"b/a": ""}, map[string]string{"b/c": ""}, ""},
		{"made by the command", Missing | Written, "a", map[string]string{"a": "1"}, nil, ""},
		{"made by the command, and there", Missing | Written, "a", map[string]string{"a": "1"}, map[string]string{"a": "1"}, Added},
		{"emptied or added to, with a look at its size", Stat | Written, "a", map[string]string{"a": "1"}, map[string]string{"a": "22"}, Replaced},
		{"touched, of one size", Stat | Written, "a", map[string]string{"a": "1"}, map[string]string{"a": "2"}, Replaced},
		{"removed, with a look at its size", Stat | Written | Made, "a", nil, map[string]string{"a": "22"}, Replaced},
		{"made anew without a look", Written | Made, "a", map[string]string{"a": "1"}, map[string]string{"a": "22"}, ""},
		{"made without a look and removed, where there is a folder", Written | Made, "a", nil, map[string]string{"a/": ""}, Type},
		{"made without a look and removed, where there is a file", Written | Made, "a", nil, map[string]string{"a": ""}, ""},
		{"read and changed", Read | Written, "a", map[string]string{"a": "1"}, map[string]string{"a": "1"}, Replaced},
		{"in a folder of the command", Written, "b/a", map[string]string{"b/a": "1"}, nil, ""},
		{"gone from the base", Read, "a", nil, map[string]string{"a": "1"}, Unreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, here := plant(t, c.base), plant(t, c.here)
			a := Access{Path: filepath.Join(base, c.path), Use: c.use}
			if target, ok := strings.CutPrefix(c.base[c.path], "->"); ok {
				a.Target = strings.ReplaceAll(target, "ROOT", base)
			}
			got, err := Compare(t.Context(), &Record{Files: []Access{a}}, base, here)
			var want []Difference
			if c.want != "" {
				want = []Difference{{c.path, c.want}}
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v and %v, want %v", got, err, want)
			}
			if c.use&Written != 0 || c.want == Unreadable {
				return
			}
			// a tree can be compared with what is known of another that is gone
			was, err1 := Content(base, a.Path, c.use)
			is, err2 := Content(here, filepath.Join(here, c.path), c.use)
			if err1 != nil || err2 != nil || (was == is) != (c.want == "") {
				t.Errorf("its content is %q and %q (%v, %v)", was, is, err1, err2)
			}
		})
	}
}

// What a command has written into a folder that it has listed is not there in another tree.
func TestCompareNamesWithoutWritten(t *testing.T) {
	base, here := plant(t, map[string]string{"b/a": "", "b/out": ""}), plant(t, map[string]string{"b/a": ""})
	r := &Record{Files: []Access{{Path: base + "/b", Use: List}, {Path: base + "/b/out", Use: Missing | Written}}}
	if got, err := Compare(t.Context(), r, base, here); err != nil || got != nil {
		t.Errorf("got %v and %v, want no difference", got, err)
	}
}

func TestCompareModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes here")
	}
	files := map[string]string{"a": "1", "b": "1", "c/": ""}
	base, here := plant(t, files), plant(t, files)
	for name, mode := range map[string]fs.FileMode{"a": 0o755, "c": 0o755 | fs.ModeSticky} {
		if err := os.Chmod(filepath.Join(here, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	r := &Record{Files: []Access{{Path: base + "/a", Use: Exec}, {Path: base + "/b", Use: Read}, {Path: base + "/c", Use: Stat}}}
	got, err := Compare(t.Context(), r, base, here)
	if want := []Difference{{"a", Mode}, {"c", Mode}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v and %v, want %v", got, err, want)
	}
	for _, a := range r.Files {
		was, err1 := Content(base, a.Path, a.Use)
		is, err2 := Content(here, filepath.Join(here, filepath.Base(a.Path)), a.Use)
		if err1 != nil || err2 != nil || (was == is) != strings.HasSuffix(a.Path, "b") {
			t.Errorf("%s: %q and %q (%v, %v)", a.Path, was, is, err1, err2)
		}
	}
}

// One file under two names is not read: it may be large.
func TestCompareOneFile(t *testing.T) {
	base, here := plant(t, map[string]string{"a": "1"}), plant(t, nil)
	if err := os.Link(filepath.Join(base, "a"), filepath.Join(here, "a")); err != nil {
		t.Skip(err)
	}
	if err := os.Chmod(filepath.Join(base, "a"), 0); err != nil {
		t.Fatal(err)
	}
	r := &Record{Files: []Access{{Path: filepath.Join(base, "a"), Use: Read}}}
	if got, err := Compare(t.Context(), r, base, here); err != nil || got != nil {
		t.Errorf("got %v and %v, want no difference", got, err)
	}
}

func TestBelow(t *testing.T) {
	base := plant(t, map[string]string{"a": "", "b/c": ""})
	link := filepath.Join(plant(t, nil), "link")
	if err := os.Symlink(base, link); err != nil {
		t.Skip(err)
	}
	r := &Record{Files: []Access{{Path: base, Use: List}, {Path: base + "/b/c", Use: Read}, {Path: base + "c", Use: Read}, {Path: "/", Use: Stat}}}
	for _, root := range []string{base, link, base + "/b/.."} {
		got, err := r.Below(root)
		if want := []Access{{Path: ".", Use: List}, {Path: "b/c", Use: Read}}; err != nil || !slices.Equal(got, want) {
			t.Errorf("got %v and %v below %s, want %v", got, err, root, want)
		}
	}
	if got, err := r.Below("/"); runtime.GOOS != "windows" && (err != nil || len(got) != len(r.Files)) {
		t.Errorf("got %v and %v below /, want all", got, err)
	}
	if _, err := r.Below(filepath.Join(base, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v for a folder that does not exist", err)
	}
}

func TestCompareEnds(t *testing.T) {
	base := plant(t, map[string]string{"a": "1"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := &Record{Files: []Access{{Path: base + "/a", Use: Read}}}
	if got, err := Compare(ctx, r, base, plant(t, nil)); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("got %v and %v, want %v", got, err, context.Canceled)
	}
	if _, err := Compare(t.Context(), r, base, base+"/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v for a tree that does not exist", err)
	}
}

func TestUseAsText(t *testing.T) {
	for _, u := range []Use{0, Read, Missing, Read | Written | Exec | Stat | List | Link | Missing} {
		text, err := u.MarshalText()
		var again Use
		if err != nil || again.UnmarshalText(text) != nil || again != u || fmt.Sprint(u) != string(text) {
			t.Errorf("%d becomes %q and %d", u, text, again)
		}
	}
}

// What one command has made is no input of the next, in folders that it has made too. What it has only
// added to is.
func TestJoin(t *testing.T) {
	t.Parallel()
	first := &Record{Files: []Access{{Path: "/t/added", Use: Stat | Written}, {Path: "/t/dir", Use: Missing | Written | Made}, {Path: "/t/in", Use: Read}, {Path: "/t/made", Use: Written | Made}}, Sockets: []string{"s"}}
	second := &Record{Files: []Access{{Path: "/t/added", Use: Read}, {Path: "/t/dir/x", Use: Read}, {Path: "/t/link", Use: Link, Target: "in"}, {Path: "/t/made", Use: Read | Stat}}, Doubts: []Doubt{{Cause: Cut}}}
	third := &Record{Files: []Access{{Path: "/t/dir", Use: Stat | Written | Made}, {Path: "/t/in", Use: Written | Made}}, Connections: []string{"c"}}
	want := &Record{Files: []Access{{Path: "/t/added", Use: Read | Stat | Written}, {Path: "/t/dir", Use: Missing | Written | Made}, {Path: "/t/in", Use: Read | Written | Made},
		{Path: "/t/link", Use: Link, Target: "in"}, {Path: "/t/made", Use: Written | Made}}, Sockets: []string{"s"}, Connections: []string{"c"}, Doubts: []Doubt{{Cause: Cut}}}
	if got := Join(first, second, third); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// A tracer that was killed leaves a record without an end: then the others do not say all.
func TestRecordsWithoutAnEnd(t *testing.T) {
	dir := plant(t, map[string]string{"1" + recordName: `{"Record": {"exit": {}}}`})
	if all, err := Records(dir); err != nil || len(all) != 1 {
		t.Fatalf("%v, %v", all, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "2"+partName), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Records(dir); err == nil {
		t.Error("a record that has no end is not missed")
	}
}
