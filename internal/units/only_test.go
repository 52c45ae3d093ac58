package units

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/internal/gosource"
)

// second finds a second formatter of units: a table that has a time or a size unit after
// its own number, functions with the names that seven packages once used for theirs, and
// durations that were measured and are printed as Go does, 1m30.123s.
var second = regexp.MustCompile(`\{(?:1e-[369], *"[mµn]s"|"[mµn]s", *1e-[369])` +
	`|\{(?:1 *<< *[1-6]0, *"[KMGTPE]iB"|"[KMGTPE]iB", *1 *<< *[1-6]0)` +
	`|(?m:^func (?:\([^)]*\) )?(?:plural|percent|thousands)\()` +
	`|"%d %ss[" ]` +
	`|"[^"\n]*%v[^"\n]*",[^\n]*(?:\.Round\(|time\.Since\()` +
	`|\.Round\([^()\n]*\)\.String\(\)`)

// parsers read the units that users write, and are no formatters.
var parsers = map[string]bool{"result/base_unit.go": true}

// formatters finds the lines of a file of Go in which a second formatter is found.
func formatters(name, text string) (found []string) {
	if parsers[name] {
		return nil
	}
	for _, at := range second.FindAllStringIndex(text, -1) {
		found = append(found, fmt.Sprintf("%s:%d: %s", name, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]]))
	}
	return found
}

func TestThereIsOneFormatterOfUnits(t *testing.T) {
	for _, path := range gosource.Paths(t, false) {
		if strings.HasPrefix(path, "internal/units/") {
			continue
		}
		for _, line := range formatters(path, gosource.Text(t, path)) {
			t.Errorf("%s: numbers with units are written by internal/units alone", line)
		}
	}
}

// What the test above has to find, as it once stood in five packages.
func TestASecondFormatterIsFound(t *testing.T) {
	for _, planted := range []string{
		`var prefixes = []prefix{{1e-9, "ns"}, {1e-6, "µs"}}`,
		`var timeScale = scale{{"ns", 1e-9, 1000}}`,
		`var binary = []prefix{{1, "B"}, {1 << 10, "KiB"}}`,
		"func plural(n int, what string) string {",
		"func percent(x float64) string {",
		"func (f *forest) percent(ratio float64) string {",
		`	return fmt.Sprintf("%d %ss", n, what)`,
		`	return fmt.Sprintf("waited %v for a CPU", wait.Round(time.Millisecond))`,
		`	e.say("waited %v", time.Since(began))`,
		`	return time.Duration(s * 1e9).Round(time.Second).String()`,
	} {
		if len(formatters("a.go", "package a\n\n"+planted+"\n")) == 0 {
			t.Errorf("not found: %s", planted)
		}
	}
}
