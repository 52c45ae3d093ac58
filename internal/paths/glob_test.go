package paths

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

func TestGlobAndMatch(t *testing.T) {
	dir := filepath.ToSlash(Resolved(t.TempDir()))
	all := []string{"docs/a", "docs/sub/b", "docs2/c", "src/docs/d", "src/e"}
	for _, file := range all {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o777); err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(dir, file), "")
	}
	for pattern, want := range map[string]string{
		"docs":      "docs/a docs/sub/b",
		"./docs/":   "docs/a docs/sub/b",
		"docs/a":    "docs/a",
		"docs/*":    "docs/a",
		"docs/**":   "docs/a docs/sub/b",
		"*/docs":    "src/docs/d",
		"src/{e,f}": "src/e",
		"dcos":      "",
	} {
		found, err := Glob(dir + "/" + pattern)
		if err != nil {
			t.Error(err)
		}
		var names, matched []string
		for _, file := range found {
			names = append(names, strings.TrimPrefix(filepath.ToSlash(file), dir+"/"))
		}
		for _, file := range all {
			if Match(dir+"/"+pattern, filepath.Join(dir, file)) {
				matched = append(matched, file)
			}
		}
		slices.Sort(names)
		if strings.Join(names, " ") != want || strings.Join(matched, " ") != want {
			t.Errorf("%s: %q found, %q match, want %q", pattern, names, matched, want)
		}
	}
}
