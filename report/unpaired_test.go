package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// apart is a comparison of three results with everything that a table can contain.
func apart() *table.Unpaired {
	u := &table.Unpaired{Metric: "time", Confidence: 0.95, Floor: 0.02, Notes: []string{"the CPU differs: AMD EPYC 7B13 in old.json, Z80 in new.json"}}
	docs := []*result.Document{reporttest.Document("sort"), reporttest.Document("sort"), reporttest.Document("sort")}
	add := func(name string, notes []string, ratios []*table.UnpairedRatio, cases ...*result.Case) {
		u.Rows = append(u.Rows, table.UnpairedRow{Suite: "sort", Name: name, Notes: notes, Ratios: ratios, Cases: cases})
	}
	at := func(i int, median float64) *result.Case { return reporttest.Measure(docs[i], "x", median, 0.01) }
	for i, name := range []string{"old.json", "new.json", "newest.json"} {
		u.Saved = append(u.Saved, table.Saved{Name: name, Doc: docs[i]})
	}
	broken := at(2, 1e-6)
	reporttest.Breakdown(broken, result.Failure{Phase: "run", Cause: "panic", Message: "oh"})
	add("sort/moved", nil, []*table.UnpairedRatio{{Ratio: 1.1, Low: reporttest.Ptr(1.05), High: reporttest.Ptr(1.16), Exact: false, Moved: true}, {Ratio: 0.9, Low: reporttest.Ptr(0.84), High: reporttest.Ptr(0.95), Exact: false, Moved: true}}, at(0, 2e-6), at(1, 2.2e-6), at(2, 1.8e-6))
	add("sort/still", nil, []*table.UnpairedRatio{{Ratio: 1.001, Low: reporttest.Ptr(0.98), High: reporttest.Ptr(1.02), Exact: false, Moved: false}, {Ratio: 1.5, Low: nil, High: nil, Exact: false, Moved: false}}, at(0, 2e-6), at(1, 2.002e-6), at(2, 3e-6))
	add("sort/gone", []string{"is not in new.json", "could not be measured in newest.json"}, []*table.UnpairedRatio{nil, nil}, at(0, 2e-6), nil, broken)
	return u
}

func unpaired(t *testing.T, format string, o table.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := RenderUnpaired(&b, format, apart(), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestUnpairedGolden(t *testing.T) {
	for _, format := range UnpairedFormats() {
		if format != "html" {
			golden.Check(t, "testdata/unpaired/apart."+format, unpaired(t, format, table.Options{}))
		}
	}
}

// A comparison of saved results has no verdict: nothing in it is red or green, or
// called better or worse.
func TestUnpairedGivesNoVerdict(t *testing.T) {
	u := apart()
	for _, r := range u.Table().Groups[0].Rows {
		for _, cell := range r.Cells {
			for _, m := range cell.Marks {
				if m.Tone == page.Good || m.Tone == page.Bad {
					t.Errorf("%q is coloured as a verdict", m.Text)
				}
			}
		}
	}
	fileless := regexp.MustCompile(`(?s)<style>.*</style>`)
	word := regexp.MustCompile(`(?i)\b(better|worse|pass(ed)?|fail(ed)?)\b|::(error|warning)`)
	for _, format := range UnpairedFormats() {
		text := fileless.ReplaceAllString(unpaired(t, format, table.Options{}), "")
		if found := word.FindString(strings.ReplaceAll(text, " better=", "")); found != "" {
			t.Errorf("%s holds %q:\n%s", format, found, text)
		}
	}
	for format, want := range map[string]string{"text": "unpaired: no verdict. 1 of 3 cases moved (sort/moved)\n", "markdown": "### ℹ️ unpaired: no verdict. 1 of 3 cases moved\n",
		"html": `<span class="mark">unpaired</span> <bdi>no verdict. 1 of 3 cases moved</bdi>`, "github": "::notice title=suite::unpaired: no verdict.", "json": `"compared": "unpaired"`} {
		if text := unpaired(t, format, table.Options{}); !strings.Contains(text, want) {
			t.Errorf("%s does not say what it is:\n%s", format, text)
		}
	}
}

// Every format shows the same ratio of the same case.
func TestUnpairedFormatsAgree(t *testing.T) {
	for format, want := range map[string]string{
		"text": `sort/moved  2\.000 µs  2\.200 µs  \+10\.0% \(\+5\.0% … \+16\.0%\)  moved`, "markdown": "\\| `sort/moved` \\| 2\\.000 µs \\| 2\\.200 µs \\| 1\\.800 µs \\| \\+10\\.0% ",
		"html": `(?s)<bdi>sort/moved</bdi></th>.*2\.200 <span class="u">µs</span>.*\+10\.0% \(\+5\.0% … \+16\.0%\)  moved`, "github": `::notice file=suites/sort\.yaml,line=\d+,title=sort/moved%3A moved%2C no verdict::B vs A: \+10\.0%25 `,
		"csv-summary": `(?m)^new\.json,sort,x,go,measured,,time,s,op,.*,1\.1,1\.05,1\.16,true$`, "csv": `(?m)^new\.json,sort,x,candidate,`, "json": `"ratio": 1\.1,\s+"low": 1\.05,\s+"high": 1\.16,\s+"moved": true`,
		"benchfmt": `(?m)^result: new\.json$`,
	} {
		if text := html.UnescapeString(unpaired(t, format, table.Options{})); !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: no %s in\n%s", format, want, text)
		}
	}
}

// A format that cannot contain several results is refused with the reason; an unknown
// name is answered with the list.
func TestUnpairedFormatsAreListed(t *testing.T) {
	for _, f := range Formats() {
		why, holds := WhyNotUnpaired(f.Name), slices.Contains(UnpairedFormats(), f.Name)
		if holds != (why == "") {
			t.Errorf("%s: %v, and the reason is %q", f.Name, holds, why)
		}
	}
	err := RenderUnpaired(io.Discard, "junit", apart(), table.Options{})
	if err == nil || err.Error() != `unknown format "junit"; expected one of text, json, html, markdown, github, benchfmt, csv, csv-summary` {
		t.Errorf("got %v", err)
	}
}

// Thousand cases of two results fit a screen, what moved first; nothing is lost.
func TestUnpairedFolds(t *testing.T) {
	u := apart()
	still := u.Rows[1]
	for i := range 1000 {
		row := still
		row.Name = fmt.Sprintf("still/%d", i)
		u.Rows = append([]table.UnpairedRow{row}, u.Rows...)
	}
	var b bytes.Buffer
	if err := RenderUnpaired(&b, "text", u, table.Options{}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "\n"); n > 50 {
		t.Errorf("%d lines", n)
	}
	if gone, moved, still := strings.Index(text, "  sort/gone"), strings.Index(text, "  sort/moved"), strings.Index(text, "  still/"); gone < 0 || moved < gone || still < moved {
		t.Errorf("what asks for attention is not first:\n%s", text)
	}
	if !strings.Contains(text, "  … and 991 more, all not moved (--all shows them)\n") {
		t.Errorf("what is folded is not counted:\n%s", text)
	}
	b.Reset()
	if err := RenderUnpaired(&b, "text", u, table.Options{View: table.View{All: true}}); err != nil || strings.Count(b.String(), "\n  still/") != 1000 {
		t.Errorf("--all shows %d cases, %v", strings.Count(b.String(), "\n  still/"), err)
	}
}

// Rows are sorted by the ratio of the second result, those without one last.
func TestUnpairedIsSorted(t *testing.T) {
	for want, v := range map[string]table.View{
		"still moved gone": {Sort: "ratio"}, "moved still gone": {Sort: "ratio", Descending: true},
		"gone moved still": {Sort: "name"}, "still moved gone ": {Sort: "name", Descending: true},
	} {
		var got []string
		var b bytes.Buffer
		u := apart()
		slices.Reverse(u.Rows) // the one without a ratio comes first
		if err := RenderUnpaired(&b, "text", u, table.Options{View: v}); err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^  sort/([a-z]+)`).FindAllStringSubmatch(b.String(), -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != strings.TrimSpace(want) {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
}
