package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// A report of a thousand cases fits a screen, shows what is worst first and counts
// the rest; --all shows all of it.
func TestThousandCasesFitAScreen(t *testing.T) {
	d := reporttest.Many(1000, 12)
	worst := &d.Cases[777]
	worst.Gates[0].Verdict, worst.Gates[0].Reason = result.Fail, "too slow"
	reporttest.Breakdown(&d.Cases[888], result.Failure{Phase: "run", Cause: "panic", Message: "boom"})
	text := render(t, "text", d, table.Options{})
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines", n)
	}
	_, rows, _ := strings.Cut(text, "\n  case ")
	broken, failed, open := strings.Index(rows, "  "+d.Cases[888].Name), strings.Index(rows, "  "+worst.Name), strings.Index(rows, "  "+d.Cases[13].Name+" ")
	if broken < 0 || failed < broken || open < failed {
		t.Errorf("the worst are not first:\n%s", text)
	}
	for _, want := range []string{"  … and 988 more: ", " inconclusive, ", " pass (--all shows them)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if whole := render(t, "text", d, table.Options{View: table.View{All: true}}); strings.Count(whole, "\n  codec/") < 1000 || strings.Contains(whole, "--all") {
		t.Error("--all does not show all")
	}
}

func headOf(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  case") || strings.HasPrefix(line, "  size") {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return ""
}

func namesOf(text string) string {
	return strings.Join(regexp.MustCompile(`(?m)^  (fnv|sha256|sha256-asm|sort|unpack)\S*`).FindAllString(text, -1), " ")
}

// The chosen columns are shown in the given order, including metrics that are equal
// in all cases.
func TestColumnsAreChosen(t *testing.T) {
	d := reporttest.Gallery()
	reporttest.Allocates(&d.Cases[0], 0, 0)
	for columns, want := range map[string]string{
		"gates,time": "case gates time", "ratio,time.p99": "case vs base time.p99", "allocs,throughput": "case allocs throughput",
		"distribution": "case distribution", "time.mad,time.min,time.max,rss": "case time.mad time.min time.max",
	} {
		text := render(t, "text", d, table.Options{Width: 160, View: table.View{Columns: strings.Split(columns, ",")}})
		if got := headOf(text); got != want {
			t.Errorf("%s: got %q, want %q", columns, got, want)
		}
	}
	text := render(t, "text", d, table.Options{View: table.View{Columns: []string{"time.max"}}})
	if want := fmt.Sprintf("%.2f", d.Cases[0].Summary("time").Max*1e9); !strings.Contains(text, "  fnv/64                  "+want+"  ns\n") {
		t.Errorf("no %s in\n%s", want, text)
	}
}

// Rows are sorted by numbers and not by how they are printed; those without one are last.
func TestRowsAreSorted(t *testing.T) {
	d := reporttest.Gallery()
	up := namesOf(render(t, "text", d, table.Options{View: table.View{Sort: "time"}}))
	if !strings.HasPrefix(up, "  fnv/") || !strings.HasSuffix(up, "sort   unpack") {
		t.Errorf("by time: %s", up)
	}
	down := namesOf(render(t, "text", d, table.Options{View: table.View{Sort: "time", Descending: true}}))
	if !strings.HasPrefix(down, "  sort   sha256-asm/64¹   sha256/64 ") || !strings.HasSuffix(down, "unpack") {
		t.Errorf("by time, descending: %s", down)
	}
	byName := namesOf(render(t, "text", d, table.Options{View: table.View{Sort: "name"}}))
	if !strings.HasPrefix(byName, "  fnv/1KiB   fnv/4MiB   fnv/16KiB   fnv/64   fnv/256KiB") {
		t.Errorf("by name: %s", byName)
	}
	// The gates that need attention are the most; cases with equally bad ones keep their order.
	verdicts := record(t, "verdicts")
	for descending, want := range map[bool]string{false: "small large deep", true: "large deep small"} {
		text := render(t, "text", verdicts, table.Options{View: table.View{Sort: "gates", Descending: descending}})
		var got []string
		for _, row := range regexp.MustCompile(`(?m)^  parse/(\w+) `).FindAllStringSubmatch(text, -1) {
			got = append(got, row[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("by gates, descending %v: %q, want %s", descending, got, want)
		}
	}
}

// A row for each size, a column for each variant.
func TestGroupByParameter(t *testing.T) {
	d := reporttest.Gallery()
	slices.Reverse(d.Cases[:5]) // the table is in the order of sizes all the same
	text := render(t, "text", d, table.Options{View: table.View{GroupBy: "size"}})
	if got := headOf(text); got != "size fnv sha256 sha256-asm alone" {
		t.Errorf("heads %q in\n%s", got, text)
	}
	rows := regexp.MustCompile(`(?m)^  (64|1KiB|16KiB|256KiB|4MiB)[¹²³⁴⁵˒]* +\d\S* +\S+ +± \S+ +\d\S* +\S+ +± \S+ +\d`).FindAllStringSubmatch(text, -1)
	if len(rows) != 5 || rows[0][1] != "64" || rows[4][1] != "4MiB" {
		t.Errorf("%d rows in\n%s", len(rows), text)
	}
}

func TestViewRefusesNames(t *testing.T) {
	n := table.Names{Metrics: []string{"lines", "my.lines"}, Params: []string{"size"}}
	for _, c := range []struct {
		view          table.View
		message, hint string
	}{
		{table.View{Columns: []string{"time", "tmie"}}, `unknown column "tmie"`, `did you mean "time"?`},
		{table.View{Columns: []string{"time.p98"}}, `unknown statistic "p98"`, `did you mean "p90"?`},
		{table.View{Columns: []string{"gates.p99"}}, `unknown column "gates.p99"`, `"gates" has no statistics`},
		{table.View{Sort: "tiem"}, `unknown sort key "tiem"`, `did you mean "time"?`},
		{table.View{GroupBy: "sise"}, `unknown parameter "sise"`, `did you mean "size"?`},
	} {
		err := c.view.Check(n)
		if err == nil || err.Error() != c.message || diag.HintOf(err) != c.hint {
			t.Errorf("%+v: %v (%s)", c.view, err, diag.HintOf(err))
		}
	}
	for _, v := range []table.View{{}, {Columns: []string{"lines", "my.lines", "my.lines.p99", "time.max", "ratio"}, Sort: "name", GroupBy: "size"}} {
		if err := v.Check(n); err != nil {
			t.Errorf("%+v: %v", v, err)
		}
	}
	if err := (table.View{GroupBy: "size"}).Check(table.Names{}); err == nil {
		t.Error("grouped by a parameter that is not there")
	}
}

// The answer is never cut, however narrow the page and long the names.
func TestAnswerIsWhole(t *testing.T) {
	for name, doc := range recorded(t) {
		o := doc.Outcome()
		for _, w := range []int{60, 80, 100} {
			text := render(t, "text", doc, table.Options{Width: w})
			end := strings.Join(strings.Fields(text[strings.LastIndex(text, o.Head()+": "):]), " ")
			want := strings.Join(strings.Fields(o.Head()+": "+o.Text), " ")
			whole := strings.HasPrefix(end, want)
			if o.CauseFirst {
				want = strings.Join(strings.Fields(o.Text), " ")
				whole = strings.HasSuffix(end, want)
			}
			if !whole {
				t.Errorf("%s, %d columns: %q is not %q", name, w, end, want)
			}
		}
	}
}

// A row refers to three footnotes at most. A footnote that more than half of the
// cases share is printed once for all, with its hint.
func TestFewFootnotesPerRow(t *testing.T) {
	d := reporttest.Document("s")
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		c := reporttest.Measure(d, name, 1e-6, 0.01)
		c.Warnings = []result.Warning{
			result.Say("%s samples were disturbed", result.Some(11+i, 20)).Warning("disturbed", "quiet the machine"),
			{Code: "stolen", Message: "other work took the CPU", Hint: "quiet the machine"},
			{Code: "outliers", Message: "far"},
		}
		if i == 4 {
			for _, code := range []result.WarningCode{"leaked", "files", "retried", "loop-cost", "gc-mixed"} {
				c.Warnings = append(c.Warnings, result.Warning{Code: code, Message: string(code)})
			}
		}
	}
	text := render(t, "text", d, table.Options{})
	for _, want := range []string{"\n  a     ", "\n  e¹˒²˒³  ", "  * all 5 cases: 55% to 75% of samples were disturbed\n      hint: quiet the machine\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "other work") || strings.Contains(text, "far") || strings.Count(text, "hint") != 1 {
		t.Errorf("what follows from another doubt is told:\n%s", text)
	}
	if !utf8.ValidString(text) {
		t.Error("invalid text")
	}
}

// A footnote that gives nobody anything to do is for those who ask for all of them: about a
// case that passed, or about what a verdict has taken into account.
func TestFootnotesOfWhatIsFine(t *testing.T) {
	d := reporttest.Compared()
	for i := range d.Cases {
		d.Cases[i].Warnings = []result.Warning{{Code: result.WarnDrift, Message: "it drifts, " + d.Cases[i].Name}, {Code: result.WarnLeaked, Message: "processes were left, " + d.Cases[i].Name},
			{Code: result.WarnOldFile, Message: "an old file, " + d.Cases[i].Name}}
	}
	brief, all := render(t, "text", d, table.Options{Width: 200}), render(t, "text", d, table.Options{Width: 200, View: table.View{All: true}})
	for _, want := range []string{"it drifts, sort/worse", "it drifts, sort/unclear", "processes were left, sort/better"} {
		if !strings.Contains(brief, want) {
			t.Errorf("no %q in\n%s", want, brief)
		}
	}
	for _, more := range []string{"it drifts, sort/better", "an old file, sort/worse"} {
		if strings.Contains(brief, more) || !strings.Contains(all, more) {
			t.Errorf("%q is for those who ask for all:\n%s\n%s", more, brief, all)
		}
	}
}

// In ASCII a histogram is drawn in ASCII, too.
func TestSparksInASCII(t *testing.T) {
	if got := render(t, "text", reporttest.Gallery(), table.Options{Width: 160, View: table.View{ASCII: true, Columns: []string{"distribution"}}}); strings.ContainsAny(got, "▁▂▃▄▅▆▇█") || !strings.Contains(got, "*") {
		t.Error(got)
	}
}

// The verdict of a comparison is what a reader needs first: columns that measure come after it.
func TestNarrowTablesKeepTheVerdict(t *testing.T) {
	d := reporttest.Compared()
	for _, width := range []int{60, 80, 100} {
		rendered := render(t, "text", d, table.Options{Width: width})
		if !strings.Contains(rendered, "worse") || regexp.MustCompile("no room in .* for:.*vs").MatchString(rendered) {
			t.Errorf("%d columns, and no verdict:\n%s", width, rendered)
		}
	}
}
