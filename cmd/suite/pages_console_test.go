package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/terminal"
)

// console runs the command of a block and checks the output that the block shows. Only
// numbers, units and drawings may differ. A block without the line … must show all of the
// output. console returns the block, with -update as the command prints it.
func (r *pageRun) console(text string) string {
	command, shown, _ := strings.Cut(text, "\n")
	args, ok := strings.CutPrefix(command, "$ suite ")
	if !ok {
		r.t.Fatalf("%q: want $ suite COMMAND", command)
	}
	r.commands = append(r.commands, command)
	if testing.Short() { // most of them measure, for three quarters of the time of all pages
		return text
	}
	r.arrange(command)
	e := r.env
	if strings.Contains(command, "base.json ") { // whose machine must be as busy as the one that is compared with it
		e = steady(e)
		e.host = hostWith(pageClock)
	}
	_, printed := captured(e, words(args)...)
	if golden.Updating() {
		return command + "\n" + elide(printed)
	}
	contains(r.t, command, printed, shown)
	return text
}

// realEnv has the real clock.
func realEnv(t *testing.T) env {
	t.Helper()
	return env{host: hostWith(realClock), lookup: os.LookupEnv, width: terminal.ReportWidth, now: time.Now}
}

// words splits a command line at spaces that are not in double quotes.
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

// elide replaces the lines about the machine, the tool and the seed by …, because
// they differ on every machine.
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
	// How many iterations a batch has is left out if all have one, as on a slow machine.
	batches = regexp.MustCompile(`([0-9]|samples) × ([0-9]+|n)`)
	// A lopsided interval is printed in the place of ± and a number.
	interval  = regexp.MustCompile(`\([−+×]?[0-9.]+%? … [−+×]?[0-9.]+%?\)`)
	unitWords = map[string]bool{"": true, "ns": true, "µs": true, "ms": true, "s": true, "B": true, "KiB": true, "MiB": true, "GiB": true, "MiB/s": true, "GiB/s": true, "k": true, "M": true,
		"cpu": true, "stolen": true} // columns that are left out if they have no values
)

// shape drops what differs from run to run: numbers and units.
func shape(line string) string {
	var words []string
	line = batches.ReplaceAllString(line, "$1")
	line = strings.ReplaceAll(line, "×", "+") // changes of ten times and more are printed as factors
	line = interval.ReplaceAllString(line, "")
	for _, word := range strings.Fields(drawings.ReplaceAllString(line, drawing)) {
		word = volatile.ReplaceAllString(word, "")
		if !unitWords[word] {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// What a shape has for a histogram, and for the heading of its column. The column is
// shown if there is room for it, for cases that were not cut short.
const (
	drawing      = "▁"
	distribution = "distribution"
)

// squeezed reports whether the table around a line has no room for a column of
// histograms, because its numbers are wider than the page's.
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
	return widest+len("  "+distribution) > terminal.ReportWidth
}

// isCutShort reports whether a line is the footnote of a case that had no time for the
// 20 samples of a histogram, because the machine was busy.
func isCutShort(line string) bool {
	return strings.Contains(line, "ended by max_time with ") || strings.Contains(line, "longer than max_time")
}

// undrawn drops what a squeezed table leaves out.
func undrawn(shape string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(shape), func(w string) bool { return w == drawing || w == distribution }), " ")
}

// isShown reports whether a line of the output has the shape of a line on a page, apart from
// columns for which this machine's numbers leave no room, and from those that the page says its
// own numbers left none, or whose table on the page has no room for a histogram. A name that
// footnotes have made wider than its column has a line of its own, and its row goes on in the next
// one.
func isShown(lines []string, at int, want string, page []string) bool {
	unshown := leftOut(page)
	for i, line := range page {
		if shape(line) == want && squeezed(page, i) {
			unshown = append(unshown, drawing, distribution)
		}
	}
	for _, got := range []string{shape(lines[at]), shape(strings.Join(lines[at:min(at+2, len(lines))], " "))} {
		if hasShape(lines, at, got, want) || len(unshown) > 0 && hasShape(lines, at, without(undrawn(got), unshown), want) {
			return true
		}
	}
	return false
}

func hasShape(lines []string, at int, got, want string) bool {
	if left := leftOut(lines); len(left) > 0 && got == without(undrawn(want), left) {
		return true
	}
	return got == want || got == undrawn(want) && (squeezed(lines, at) || slices.ContainsFunc(lines, isCutShort))
}

// noRoom is in the line that names the columns for which a table had no room.
const noRoom = " columns for: "

// leftOut finds the words of the headings of columns for which a table had no room, because its
// numbers are wide.
func leftOut(lines []string) (words []string) {
	for _, line := range lines {
		if _, heads, cut := strings.Cut(line, noRoom); cut {
			words = append(words, strings.Fields(shape(strings.ReplaceAll(heads, ",", " ")))...)
		}
	}
	return words
}

func without(shape string, words []string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(shape), func(w string) bool { return slices.Contains(words, w) }), " ")
}

// contains checks that the lines shown are among the lines printed, in this order.
func contains(t *testing.T, command, printed, shown string) {
	t.Helper()
	lines := strings.Split(printed, "\n")
	next := 0
	if !strings.Contains(shown, "…") && len(lines) != len(strings.Split(shown, "\n")) {
		t.Errorf("%s prints more than the page shows, or less:\n%s", command, printed)
	}
	checked := 0
	page := strings.Split(shown, "\n")
	for _, line := range page {
		want := shape(line)
		if want == "" || want == "…" || strings.Contains(line, noRoom) {
			continue
		}
		checked++
		for next < len(lines) && !isShown(lines, next, want, page) {
			next++
		}
		if next == len(lines) {
			t.Fatalf("%s does not print %q; it prints\n%s", command, line, printed)
		}
		next++
	}
	if checked == 0 {
		t.Errorf("the page shows nothing of what %s prints", command)
	}
}

// A line is recognized even if wide numbers left no room for some columns.
func TestDocumentsAllowForWideNumbers(t *testing.T) {
	printed := []string{
		"  case            gates   time             vs main                            cpu        rss",
		"  count words¹˒²  ✗      12 ms (8.3 … 25)  +195.8% (+19.0% … +606.2%)  worse  65%  1.863 MiB",
		"  no room in 100 columns for: samples",
		"  awk 'END {print NR}'¹˒²˒³",
		"              ✓      3.82 ms     ± 11.7%  ▆█▆▃▃▃▁▃▁▄    20000  99%  2.215 MiB       34",
	}
	for at, shown := range []string{
		"  case         gates      time         distribution  vs main                        rss  samples",
		"  count words  ✗      12.35 ms ± 4.7%  ▅▅▁▄▅▃█▁▃▄    +410.3% ± 40.9%  worse  1.832 MiB       21",
		3: "  awk 'END {print NR}'  ✓      3.11 ms ± 7.1%  ▄▄█▅▄▃▂▃▁▃    20000  146%  2.234 MiB       63",
	} {
		if shown != "" && !isShown(printed, at, shape(shown), nil) {
			t.Errorf("%q is not %q", shape(printed[at]), shape(shown))
		}
	}
	if isShown(printed, 0, shape("  case  gates  time  vs main  allocs/op  rss  samples"), nil) {
		t.Error("a column that is missing is not missed")
	}
}

// A page that says for which columns its own wide numbers left no room is shown by a run with
// narrower numbers, which has them.
func TestDocumentsMayHaveFewerColumns(t *testing.T) {
	printed := []string{
		"  case         gates  base     time           distribution  vs main                cpu   rss        samples",
		"  count words  ✗      1.90 ms  7.29 ms ± 8.9% ▅▅▁▄▅▃█▁▃▄    +281.6% ± 4.7%  worse  101%  1.832 MiB       21",
	}
	page := []string{
		"  case         gates  base     time          vs main                                   rss",
		"  count words  ✗      1.96 ms  8.51 ms ± 11.2%  +274.8% (+247.2% … +349.1%)  worse  1.828 MiB",
		"  no room in 100 columns for: distribution, cpu, samples",
	}
	for at := range printed {
		if !isShown(printed, at, shape(page[at]), page) {
			t.Errorf("%q is not %q", shape(printed[at]), shape(page[at]))
		}
	}
	if isShown(printed, 0, shape(page[0]), page[:2]) {
		t.Error("a column that the page does not name is not missed")
	}
	if isShown(printed, 0, shape("  case  gates  base  time  vs main  allocs/op  rss"), page) {
		t.Error("a column that the run does not print is not missed")
	}
	wide := "  case         gates      base      time         vs base.json†          cpu        rss  samples"
	narrow := "  case         gates  base  time  vs base.json†  cpu  rss  samples"
	printed = []string{"  case         gates   base       time           distribution  vs base.json†   cpu  rss  samples"}
	if !isShown(printed, 0, shape(wide), []string{wide}) || isShown(printed, 0, shape(narrow), []string{narrow}) {
		t.Error("a histogram is left out by pages without room for it, and by no others")
	}
}
