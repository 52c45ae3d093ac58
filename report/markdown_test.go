package report

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/suite/internal/display"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// checkMarkdown checks a comment against GitHub's limits and rules: its length,
// tables whose rows have as many cells as the heading, elements that are closed.
func checkMarkdown(t testing.TB, text string, most int) {
	t.Helper()
	if len(text) > most || !utf8.ValidString(text) {
		t.Errorf("%d bytes, want at most %d, in UTF-8", len(text), most)
	}
	if a, b := strings.Count(text, "<details"), strings.Count(text, "</details>"); a != b {
		t.Errorf("%d details are opened, %d closed", a, b)
	}
	cells := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells == 0 {
			cells = n
		}
		if n != cells {
			t.Errorf("a row has %d bars, its heading %d: %s", n, cells, line)
		}
	}
	if left := stray.FindString(ours.ReplaceAllString(code.ReplaceAllString(text, ""), "")); left != "" {
		t.Errorf("a foreign element, or a mention: %q", left)
	}
}

var (
	code  = regexp.MustCompile("`[^`\n]*`")
	ours  = regexp.MustCompile(`</?(details|summary|sub|code)>|<details open>|<!-- suite report: [A-Za-z0-9._/, -]* -->`)
	stray = regexp.MustCompile(`<.{0,20}|(^|[^\\&])[@#][A-Za-z0-9].{0,20}`)
)

func TestMarkdownOfEveryRecord(t *testing.T) {
	for name, doc := range recorded(t) {
		text := render(t, "markdown", doc, table.Options{})
		checkMarkdown(t, text, 65000)
		first, _, _ := strings.Cut(text, "\n")
		if o := doc.Outcome(); !strings.HasPrefix(first, "### ") || !strings.Contains(first, " "+o.Head()+": ") {
			t.Errorf("%s begins with %q, want %s", name, first, o.Word)
		}
	}
}

// What there is no room for is counted, and the verdict and the end are there.
func TestMarkdownSaysWhatIsCut(t *testing.T) {
	doc := thousand()
	for _, most := range []int{700, 1000, 2000, 5000, 20000, 65000, 1 << 20} {
		text := render(t, "markdown", doc, table.Options{Most: most})
		checkMarkdown(t, text, most)
		rows := strings.Count(text, "\n| `codec/")
		_, listed, _ := strings.Cut(text, "<details")
		shown := strings.Count(listed, "\n| `codec/")
		if cut := fmt.Sprintf("_No room for %d more, of 1000._", 1000-shown); shown > 0 && shown < 1000 != strings.Contains(text, cut) {
			t.Errorf("%d bytes: %d of %d rows shown, and no %q", most, shown, rows, cut)
		}
		if shown == 0 && !strings.Contains(text, "_No room for many (1000 cases)._") &&
			!strings.Contains(text, "_No room for 1000 more, of 1000._") {
			t.Errorf("%d bytes: nothing is said of the cases:\n%s", most, text)
		}
		if !strings.Contains(text, "### ❌ ERROR: 10 of 1000") || !strings.HasSuffix(text, "</sub>\n\n<!-- suite report: many -->\n") {
			t.Errorf("%d bytes: no verdict or no end", most)
		}
	}
}

// A name is shown as it is, whatever it would mean to Markdown or HTML.
func FuzzMarkdownNames(f *testing.F) {
	fuzzNames(f, func(t *testing.T, doc *result.Document) {
		text := render(t, "markdown", doc, table.Options{})
		checkMarkdown(t, text, 65000)
		for i := range doc.Cases {
			want := display.Shorten(display.Visible(doc.Cases[i].Name), 160)
			if !strings.Contains(text, "| `"+want+"` |") && !strings.Contains(html.UnescapeString(text), "| <code>"+want+"</code> |") {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	})
}

// What fails comes before what could not be decided, and that before what only warns.
func TestMarkdownPutsFailuresFirst(t *testing.T) {
	doc := reporttest.Document("d")
	reporttest.Judge(reporttest.Measure(doc, "warns", 1e-6, 0.01), "a", result.Fail, result.FormExact, "").Severity = "warn"
	reporttest.Judge(reporttest.Measure(doc, "open", 1e-6, 0.01), "b", result.Inconclusive, result.FormInterval, "")
	reporttest.Judge(reporttest.Measure(doc, "fails", 1e-6, 0.01), "c", result.Fail, result.FormExact, "")
	text, _, _ := strings.Cut(render(t, "markdown", doc, table.Options{}), "<details")
	if a, b, c := strings.Index(text, "`fails`"), strings.Index(text, "`open`"), strings.Index(text, "`warns`"); a < 0 || b < a || c < b {
		t.Errorf("fails at %d, open at %d, warns at %d", a, b, c)
	}
}

// Gates that nothing decided leave room for the cases, however many they are. Gates that fail
// the run come first, and leave half of it.
func TestMarkdownHasRoomForCases(t *testing.T) {
	for _, verdict := range []result.Verdict{result.Inconclusive, result.Fail} {
		doc := reporttest.Document("d")
		for i := range 500 {
			reporttest.Judge(reporttest.Measure(doc, fmt.Sprintf("case-%03d", i), 1e-6, 0.01), "a", verdict, result.FormInterval, strings.Repeat("a long reason ", 20))
		}
		text := render(t, "markdown", doc, table.Options{})
		checkMarkdown(t, text, 65000)
		_, cases, _ := strings.Cut(text, "<summary>d (500 cases)</summary>")
		cases, gates, _ := strings.Cut(cases, "</details>")
		if n := strings.Count(cases, "\n| `case-"); n < 200 {
			t.Errorf("%s: %d of 500 cases are shown", verdict, n)
		}
		first, _, _ := strings.Cut(text, "<details")
		if n := strings.Count(first, "\n| "); verdict == result.Inconclusive && n != 1+12 || verdict == result.Fail && n < 1+50 {
			t.Errorf("%s: %d lines of gates come first", verdict, n)
		}
		if !strings.Contains(gates, " more gates</summary>") && !strings.Contains(gates, "_No room for 488 more gates._") && !strings.Contains(first, " more, of 500._") {
			t.Errorf("%s: nothing is said of the other gates", verdict)
		}
	}
}

// A job finds its earlier comment by the last line. No name of a suite can end the comment of
// which the line consists.
func TestMarkdownEndsWithAMarker(t *testing.T) {
	for name, want := range map[string]string{
		"parse":                  "<!-- suite report: parse -->",
		"a--><script>b</script>": "<!-- suite report: a-script-b-/script -->",
		"--":                     "<!-- suite report:  -->",
		strings.Repeat("x", 500): "<!-- suite report: " + strings.Repeat("x", 200) + " -->",
	} {
		doc := recorded(t)["one"]
		doc.Suites[0].Name = name
		for i := range doc.Cases {
			doc.Cases[i].Suite = name
		}
		for _, format := range []string{"markdown", "comment"} {
			text := render(t, format, doc, table.Options{})
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if last := lines[len(lines)-1]; last != want {
				t.Errorf("%s: the report of %q ends with %q, want %q", format, name, last, want)
			}
		}
	}
}

// A short comment has a row for what failed or changed, the worst first: what broke, what fails, what is slower and what is
// faster. All others are counted by their kind, and undecided ones are named.
func TestCommentHasWhatChanged(t *testing.T) {
	doc := reporttest.Document("d")
	compared := func(name string, ratio float64, change result.Change) *result.Case {
		c := reporttest.Measure(doc, name, 1e-6*ratio, 0.01)
		low, high := ratio*0.99, ratio*1.01
		c.Pairs = &result.Pairs{Base: "base", Tree: "main"}
		c.Comparisons = []result.Comparison{{Metric: "time", Unit: "s", Base: 1e-6, Candidate: 1e-6 * ratio, Ratio: result.Ratio(ratio), Low: &low, High: &high, Change: change}}
		return c
	}
	compared("faster", 0.5, result.Better)
	compared("slower", 1.2, result.Worse)
	reporttest.Judge(compared("little", 1.1, result.Worse), "a", result.Fail, result.FormPairs, "it is 10% slower")
	reporttest.Judge(compared("much", 1.5, result.Worse), "a", result.Fail, result.FormPairs, "it is 50% slower")
	reporttest.Judge(compared("hidden", 1.001, result.Same), "a", result.Pass, result.FormPairs, "")
	reporttest.Judge(compared("open", 1.01, result.Unclear), "a", result.Inconclusive, result.FormPairs, "")
	reporttest.Judge(compared("quick and fat", 0.5, result.Better), "a", result.Fail, result.FormExact, "allocs is 3, limit 0")
	for i, rule := range []result.UnaffectedRule{result.CannotReach, result.CannotReach, result.DidNotExecute, result.SameFiles} {
		c := compared(fmt.Sprint("same ", i), 1, result.Same)
		c.Comparisons, c.Pairs = nil, nil
		c.Counterpart = &result.Counterpart{State: result.CounterpartUnaffected, Rule: rule}
	}
	broken := compared("broken", 1, result.Same)
	broken.Status, broken.Comparisons, broken.Failure = result.Failed, nil, &result.Failure{Phase: result.PhaseRun, Cause: result.FailedPanic, Message: "oops"}
	text := render(t, "comment", doc, table.Options{Report: "https://x.example/r.html"})
	var rows []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "| [") {
			rows = append(rows, line)
		}
	}
	want := []string{
		"| [`broken`](https://x.example/r.html#case-12) |  | panic in run | oops |",
		"| [`much`](https://x.example/r.html#case-4) | 1 µs → 1.5 µs | +50.0% (+48.5% … +51.5%) |  |",
		"| [`little`](https://x.example/r.html#case-3) | 1 µs → 1.1 µs | +10.0% (+8.9% … +11.1%) |  |",
		"| [`quick and fat`](https://x.example/r.html#case-7) |  | fail | allocs is 3, limit 0 |",
		"| [`slower`](https://x.example/r.html#case-2) | 1 µs → 1.2 µs | +20.0% (+18.8% … +21.2%) |  |",
		"| [`faster`](https://x.example/r.html#case-1) | 1 µs → 500 ns | −50.0% (−50.5% … −49.5%) |  |",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	if want := "\n2 cannot reach the change, 1 did not execute it, 1 unaffected, 1 the same, 1 undecided (open)\n"; !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

// ownLinks are what a comment has and other Markdown has not: links to the report, and the line with the start of the run.
var ownLinks = regexp.MustCompile(`\(https://x\.example/a(#case-\d+)?\)|<!-- suite run: [-0-9TZ:]+ -->`)

// However many cases changed, a comment has twenty rows, and room in what GitHub takes.
func TestCommentIsShort(t *testing.T) {
	doc := reporttest.Document("d")
	for i := range 1000 {
		reporttest.Judge(reporttest.Measure(doc, strings.Repeat("ü", 900)+fmt.Sprint(i), 1e-6, 0.01), "a", result.Fail, result.FormExact, strings.Repeat("a long reason ", 50))
	}
	text := render(t, "comment", doc, table.Options{})
	checkMarkdown(t, ownLinks.ReplaceAllString(text, ""), 65000)
	if n := strings.Count(text, "| fail |"); n != 20 || !strings.Contains(text, "\n980 more failed or changed\n") {
		t.Errorf("%d rows in\n%s", n, text)
	}
}

// What a stranger's code has written into a result is text in a comment, whatever it would mean.
func TestCommentOfEveryRecord(t *testing.T) {
	for name, doc := range recorded(t) {
		text := render(t, "comment", doc, table.Options{Report: "https://x.example/a"})
		checkMarkdown(t, ownLinks.ReplaceAllString(text, ""), 65000)
		if n := strings.Count(text, "<!-- suite run: "); n != 1 {
			t.Errorf("%s: %d lines with a start", name, n)
		}
	}
}
