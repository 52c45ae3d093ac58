package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/lock"
)

const readme = "../../README.md"

// fence matches a fenced block of the README: its info string and its text.
var fence = regexp.MustCompile("(?ms)^```((?:yaml|go) file=[a-z_.]+|console)\n(.*?)^```$")

// misspelt is the file that the README checks without showing it.
const misspelt = `benchmarks:
  - name: sort
    command: [sort, input.txt]
    warmpu: 1s
    expect: time.medain < 2ms
`

// TestReadmeShowsWhatSuitePrints runs every command of the README on the files
// that the README shows. Numbers, units and drawings may differ, the rest may not.
// -update rewrites the blocks.
func TestReadmeShowsWhatSuitePrints(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(lock.Variable, filepath.Join(t.TempDir(), "suite.lock"))
	t.Setenv(cacheVariable, t.TempDir())
	e := realEnv(t)
	t.Chdir(t.TempDir())
	write(t, "misspelt.yaml", misspelt)
	write(t, "go.mod", "module example.org/words\n\ngo 1.26\n")
	commands := 0
	updated := fence.ReplaceAllFunc(text, func(block []byte) []byte {
		m := fence.FindSubmatch(block)
		if _, name, ok := strings.Cut(string(m[1]), " file="); ok {
			write(t, name, string(m[2]))
			return block
		}
		commands++
		command, shown, _ := strings.Cut(string(m[2]), "\n")
		if strings.Contains(command, " --against main ") {
			branch(t)
		}
		printed := e.print(t, command)
		if !golden.Updating() {
			contains(t, command, printed, shown)
		}
		return []byte("```console\n" + command + "\n" + elide(printed) + "```")
	})
	if commands < 2 {
		t.Errorf("the README has %d commands, want at least 2", commands)
	}
	if golden.Updating() {
		write(t, absolute(t, readme), string(updated))
	}
}

var readmeDir, _ = filepath.Abs(".")

func absolute(t *testing.T, path string) string {
	t.Helper()
	return filepath.Join(readmeDir, path)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// realEnv measures for real, in hosts that are this test program.
func realEnv(t *testing.T) env {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "real-host")
	if err := os.Symlink(self, link); err != nil {
		t.Fatal(err)
	}
	return env{host: []string{link}, lookup: os.LookupEnv, width: reportWidth, now: time.Now}
}

// print runs one line that begins with "$ suite" and gives all that it printed.
func (e env) print(t *testing.T, command string) string {
	t.Helper()
	args, ok := strings.CutPrefix(command, "$ suite ")
	if !ok {
		t.Fatalf("the README has the command %q, want $ suite …", command)
	}
	var out bytes.Buffer
	e.stdout, e.stderr = &out, &out
	e.run(words(args))
	return out.String()
}

// words cuts a command line at spaces, those in double quotes aside.
func words(line string) (words []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// elide leaves out the lines that describe the machine, the tool and the seed,
// which differ everywhere and are broken where they fit.
func elide(printed string) string {
	head, rest, found := strings.Cut(printed, "\n\n")
	if !found || strings.Contains(head, "hint:") {
		return printed
	}
	return "…\n\n" + foot.ReplaceAllString(rest, "…\n")
}

var (
	foot     = regexp.MustCompile(`(?m)^suite \(devel\)(.|\n)*seed [0-9a-f]{32}\n`)
	volatile = regexp.MustCompile(`[0-9]|[<±%¹²³⁴⁵⁶⁷⁸⁹˒.,()]`)
	drawings = regexp.MustCompile(`[▁▂▃▄▅▆▇█]{10}`)
	// An interval that is lopsided stands in the place of ± and a number.
	interval = regexp.MustCompile(`\([−+×]?[0-9.]+%? … [−+×]?[0-9.]+%?\)`)
	units    = map[string]bool{"": true, "ns": true, "µs": true, "ms": true, "s": true, "B": true, "KiB": true, "MiB": true, "GiB": true, "MiB/s": true, "GiB/s": true, "k": true, "M": true,
		"cpu": true, "stolen": true} // columns that are shown where they say something
)

// shape is a line without what differs from run to run: numbers and their units.
func shape(line string) string {
	var words []string
	line = strings.ReplaceAll(line, "×", "+") // from ten times on, changes are factors
	line = interval.ReplaceAllString(line, "")
	for _, word := range strings.Fields(drawings.ReplaceAllString(line, drawing)) {
		if word = volatile.ReplaceAllString(word, ""); !units[word] {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// What stands in a shape for a histogram, and over it. There is one wherever there is
// room for it, of a case that was not cut short.
const (
	drawing      = "▁"
	distribution = "distribution"
)

// squeezed says that a line is of a table that has no room for a column of histograms,
// two spaces and its heading, because numbers came out wider here.
func squeezed(lines []string, at int) bool {
	from, to := at, at
	for from > 0 && lines[from-1] != "" {
		from--
	}
	for to < len(lines) && lines[to] != "" {
		to++
	}
	widest := 0
	for _, line := range lines[from:to] {
		widest = max(widest, utf8.RuneCountInString(line))
	}
	return widest+len("  "+distribution) > reportWidth
}

// isCutShort is the footnote of a case that had no time for the 20 samples of a
// histogram: the machine was busy.
func isCutShort(line string) bool { return strings.Contains(line, "ended by max_time with ") }

// undrawn is a shape without what a squeezed table leaves out.
func undrawn(shape string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(shape), func(w string) bool { return w == drawing || w == distribution }), " ")
}

// isShown says that line at of what was printed is the one that the README shows.
func isShown(lines []string, at int, want string) bool {
	got := shape(lines[at])
	if left := leftOut(lines); len(left) > 0 && got == without(undrawn(want), left) {
		return true
	}
	return got == want || got == undrawn(want) && (squeezed(lines, at) || slices.ContainsFunc(lines, isCutShort))
}

// leftOut are the words of the headings of columns that a table says it has no room for,
// because numbers came out wider here.
func leftOut(lines []string) (words []string) {
	for _, line := range lines {
		if _, heads, cut := strings.Cut(line, " columns for: "); cut {
			words = append(words, strings.Fields(shape(strings.ReplaceAll(heads, ",", " ")))...)
		}
	}
	return words
}

// without is a shape without some words.
func without(shape string, words []string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(shape), func(w string) bool { return slices.Contains(words, w) }), " ")
}

// contains checks that the lines shown are among those printed, in this order.
func contains(t *testing.T, command, printed, shown string) {
	t.Helper()
	lines, next := strings.Split(printed, "\n"), 0
	for line := range strings.Lines(shown) {
		want := shape(line)
		if want == "" || want == "…" {
			continue
		}
		for next < len(lines) && !isShown(lines, next, want) {
			next++
		}
		if next == len(lines) {
			t.Fatalf("%s does not print %q; it prints\n%s", command, line, printed)
		}
		next++
	}
}
