package report

import (
	"fmt"
	"html"
	"regexp"
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
		if shown == 0 && !strings.Contains(text, "_No room for many (1000 cases)._") {
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
		text := render(t, "markdown", doc, table.Options{})
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if last := lines[len(lines)-1]; last != want {
			t.Errorf("the report of %q ends with %q, want %q", name, last, want)
		}
	}
}
