package docs_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

var (
	proving = regexp.MustCompile(`go test (\./[a-z/]+)(?: -run '?([^ '` + "`" + `]+)'?)?`)
	setting = regexp.MustCompile(`SUITE_[A-Z_]+`)
)

// fewestProofs that the document has to name a command for.
const fewestProofs = 9

// A command that runs no test ends well and proves nothing.
func TestEveryProofRunsATest(t *testing.T) {
	text := testfile.Read(t, "evidence/proof.md")
	commands := proving.FindAllStringSubmatch(string(text), -1)
	if len(commands) < fewestProofs {
		t.Errorf("%d commands, want at least %d", len(commands), fewestProofs)
	}
	d := declarations{}
	for _, m := range commands {
		tests := slices.Collect(maps.Keys(d.of(t, strings.TrimPrefix(m[1], "./"), true)))
		for _, pattern := range strings.Split(m[2], `\|`) {
			if !matched(pattern, tests) {
				t.Errorf("%s: no test or script of this name", m[0])
			}
		}
	}
	sources := testSources(t)
	for _, name := range setting.FindAllString(string(text), -1) {
		if !strings.Contains(sources, `"`+name+`"`) {
			t.Errorf("no test reads %s", name)
		}
	}
}

// matched says whether a pattern of -run matches a test, or names a script.
func matched(pattern string, tests []string) bool {
	name, script, hasScript := strings.Cut(pattern, "/")
	if hasScript {
		_, err := os.Stat(filepath.Join(root, "cmd/suite/testdata", strings.Trim(script, "^$")+".txt"))
		return name == "Scripts" && err == nil
	}
	return slices.ContainsFunc(tests, func(test string) bool {
		return strings.HasPrefix(test, "Test") && regexp.MustCompile(pattern).MatchString(test)
	})
}

func testSources(t *testing.T) (all string) {
	for _, path := range goFiles(t, "cmd/suite", true) {
		text := testfile.Read(t, path)
		all += string(text)
	}
	return all
}
