package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPruneRemovesOnlyWhatIsOursAndIdle(t *testing.T) {
	cache := t.TempDir()
	idle, used := strings.Repeat("0a", 16), strings.Repeat("0b", 16)
	aged := func(path string, age time.Duration) {
		t.Helper()
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(cache, path), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"mod/" + idle + "/go.mod", "source/papers/mine", "host/" + idle + "/host-1", "host/" + used + "/main.go"} {
		write(t, filepath.Join(cache, path), "")
	}
	for i := range 6 { // host-5 is the oldest
		path := fmt.Sprintf("host/%s/host-%d", used, i)
		write(t, filepath.Join(cache, path), "")
		aged(path, time.Duration(i)*10*time.Hour)
	}
	for _, path := range []string{"mod/" + idle, "source/papers", "host/" + idle} {
		aged(path, 31*24*time.Hour)
	}
	prune(cache, filepath.Join(cache, "host", used))
	var left []string
	for path := range contents(t, cache) {
		if rel, _ := filepath.Rel(cache, path); strings.Count(rel, string(filepath.Separator)) == 2 {
			left = append(left, filepath.ToSlash(rel))
		}
	}
	slices.Sort(left)
	want := []string{"host/" + used + "/host-0", "host/" + used + "/host-1", "host/" + used + "/host-2", "host/" + used + "/main.go", "source/papers/mine"}
	if !slices.Equal(left, want) {
		t.Errorf("left %q\nwant %q", left, want)
	}
}

func TestBridgesLeadToInternalPackages(t *testing.T) {
	for _, c := range []struct {
		path  string
		files int
	}{
		{"m.org/x/a", 0},
		{"m.org/x/internal/a", 0}, // main lies beside it
		{"m.org/x/a/internal/b", 1},
		{"m.org/x/a/internal/b/internal/c", 2},
		{"m.org/x/internalized/c", 0},
	} {
		files := map[string]string{}
		k := &pkg{ImportPath: c.path, Dir: filepath.Join("/src", strings.TrimPrefix(c.path, "m.org/x")), Module: new(struct {
			Path, Dir string
			Main      bool
		})}
		k.Module.Main = true
		got := bridge("m.org/x", "host", k, files)
		parent, up := aboveInternal(got)
		if len(files) != c.files || up > 0 && !below("m.org/x", parent) {
			t.Errorf("%s: main imports %s by %v", c.path, got, files)
		}
	}
}
