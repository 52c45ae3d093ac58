package report

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/suite/internal/display"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// isTooWide reports whether a line is wider than w columns although it could be broken at a space. A
// word that has a line of its own, after marks or an indent, is never broken.
func isTooWide(line string, w int) bool {
	n := display.Width(line)
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' }) // names keep other spaces as they are
	return n > w && (len(words) == 0 || n-display.Width(words[len(words)-1]) > 16)
}

// No line is wider than asked for, whatever the names.
func TestTextFits(t *testing.T) {
	for name, doc := range recorded(t) {
		for _, w := range []int{40, 60, 80, 100, 140} {
			for i, line := range strings.Split(render(t, "text", doc, table.Options{Width: w}), "\n") {
				if isTooWide(line, w) {
					t.Errorf("%s: line %d has %d columns of %d: %s", name, i+1, display.Width(line), w, line)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s: line %d ends in a space: %q", name, i+1, line)
				}
			}
		}
	}
}

// Without colours there is no control character but the newline; colours add
// nothing but escape sequences, and close each one.
func TestTextColours(t *testing.T) {
	for name, doc := range recorded(t) {
		plain, coloured := render(t, "text", doc, table.Options{}), render(t, "text", doc, table.Options{Color: true})
		if i := strings.IndexFunc(plain, func(r rune) bool { return r != '\n' && r != '\u200e' && display.IsDangerous(r) }); i >= 0 {
			t.Errorf("%s: %q in the text", name, plain[i])
		}
		if !utf8.ValidString(plain) {
			t.Errorf("%s: invalid UTF-8", name)
		}
		if got := display.StripANSI(coloured); got != plain {
			t.Errorf("%s: colours change the text:\n%s", name, got)
		}
		if coloured == plain {
			t.Errorf("%s: no colours", name)
		}
		for line := range strings.Lines(coloured) {
			if strings.Count(line, "\x1b[") != 2*strings.Count(line, "\x1b[0m") {
				t.Errorf("%s: a colour is left open: %q", name, line)
			}
		}
	}
}

// The last line agrees with the exit status.
func TestTextLastLine(t *testing.T) {
	for name, doc := range recorded(t) {
		lines := strings.Split(strings.TrimSpace(render(t, "text", doc, table.Options{})), "\n")
		if last, o := lines[len(lines)-1], doc.Outcome(); !strings.HasPrefix(last, o.Head()+": ") {
			t.Errorf("%s: %s, want %s", name, last, o)
		}
	}
}

// Decimal points of a column are aligned.
func TestTextAlignsDecimals(t *testing.T) {
	text := render(t, "text", recorded(t)["many"], table.Options{View: table.View{All: true}})
	at, rows := 0, 0
	for line := range strings.Lines(text) {
		before, _, _ := strings.Cut(line, "±")
		number, _, found := strings.Cut(before, ".")
		if !strings.HasPrefix(line, "  codec/") || !found {
			continue // a whole number such as 951 µs
		}
		i := display.Width(number)
		if rows++; at == 0 {
			at = i
		}
		if i != at {
			t.Errorf("the point is in column %d, not %d: %s", i, at, line)
		}
	}
	if rows < 150 {
		t.Errorf("only %d rows", rows)
	}
}

// Columns without information are left out.
func TestColumnsAppearWhereTheyVary(t *testing.T) {
	heads := func(build func(*result.Document)) string {
		d := reporttest.Document("s")
		build(d)
		var out []string
		for _, c := range table.NewTable(d).Groups[0].Columns {
			out = append(out, c.Head)
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct {
		want  string
		build func(*result.Document)
	}{
		{"time, samples × n", func(d *result.Document) { reporttest.Measure(d, "a", 1e-6, 0.01) }},
		{"time, samples × n", func(d *result.Document) { reporttest.Allocates(reporttest.Measure(d, "a", 1e-6, 0.01), 0, 0) }},
		{"time, allocs/op, heap/op, samples × n", func(d *result.Document) { reporttest.Allocates(reporttest.Measure(d, "a", 1e-6, 0.01), 1, 8) }},
		{"time, throughput, samples × n", func(d *result.Document) { reporttest.PerByte(reporttest.Measure(d, "a", 1e-9, 0.01), 10) }},
		{"time, rss, samples", func(d *result.Document) { reporttest.Command(reporttest.Measure(d, "a", 1, 0.01), 1e6, 1, "a") }},
		{"time, cpu, rss, samples", func(d *result.Document) { reporttest.Command(reporttest.Measure(d, "a", 1, 0.01), 1e6, 0.5, "a") }},
		{"time, stolen, samples × n", func(d *result.Document) { reporttest.Measure(d, "a", 1e-6, 0.01).Stolen = reporttest.Ptr(0.02) }},
		{"time, samples × n", func(d *result.Document) { reporttest.Measure(d, "a", 1e-6, 0.01).Stolen = reporttest.Ptr(0.002) }},
		{"time net of loop, samples × n", func(d *result.Document) { d.Suites[0].Report = "net"; reporttest.Measure(d, "a", 1e-6, 0.01) }},
		{"time, time net of loop, samples × n", func(d *result.Document) {
			d.Suites[0].Report = "both"
			reporttest.Measure(d, "a", 1e-6, 0.01).LoopCost = 1e-10
		}},
		{"time, samples", func(d *result.Document) { // nothing has a net time
			d.Suites[0].Report = "both"
			reporttest.Command(reporttest.Measure(d, "a", 1, 0.01), 1e6, 1, "a").Metrics = d.Cases[0].Metrics[:2]
		}},
		{"time, samples × n", func(d *result.Document) {
			d.Suites[0].Report = "raw"
			reporttest.Measure(d, "a", 1e-6, 0.01).LoopCost = 1e-10
		}},
		{"time, ticks/op, samples × n", func(d *result.Document) { reporttest.Counter(reporttest.Measure(d, "a", 1e-6, 0.01), "ticks", 2300) }},
		{"time, throughput, ticks/B, cycles/B, samples × n", func(d *result.Document) {
			reporttest.Counter(reporttest.Counter(reporttest.PerByte(reporttest.Measure(d, "a", 1e-9, 0.01), 10), "ticks", 2.3), "cycles", 2)
		}},
		{"time, throughput, ticks, samples × n", func(d *result.Document) { // the unit of work is next to each number
			reporttest.Counter(reporttest.PerByte(reporttest.Measure(d, "a", 1e-9, 0.01), 10), "ticks", 2.3)
			reporttest.Counter(reporttest.Measure(d, "b", 1e-6, 0.01), "ticks", 2300)
		}},
		{"time, instructions, branch-misses, task-clock, samples × n", func(d *result.Document) {
			c := reporttest.Counter(reporttest.Counter(reporttest.Counter(reporttest.Measure(d, "a", 1e-6, 0.01), "instructions", 900), "branch_misses", 0.01), "task_clock", 1e-6)
			c.Settings.Counters = []string{"instructions", "branch_misses", "task_clock", "cache_misses"} // of which the machine has three
			reporttest.Measure(d, "b", 1e-6, 0.01)
		}},
		{"time, throughput, instructions/B, samples × n", func(d *result.Document) {
			reporttest.Counter(reporttest.PerByte(reporttest.Measure(d, "a", 1e-9, 0.01), 10), "instructions", 2.3).Settings.Counters = []string{"instructions"}
		}},
		{"time, cycles/op, samples × n", func(d *result.Document) {
			reporttest.Counter(reporttest.Measure(d, "a", 1e-6, 0.01), "cycles", 900).Settings.Counters = []string{"cycles"}
		}},
		{"gates, time, samples × n", func(d *result.Document) {
			reporttest.Judge(reporttest.Measure(d, "a", 1e-6, 0.01), "x", result.Pass, result.FormExact, "")
		}},
		{"time", func(d *result.Document) {
			reporttest.Breakdown(reporttest.Measure(d, "a", 1, 0), result.Failure{Cause: "panic"})
		}},
	} {
		if got := heads(c.build); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// Point verdicts are marked in the table, and the sign is explained.
func TestTextMarksPoints(t *testing.T) {
	text := render(t, "text", recorded(t)["hashing"], table.Options{})
	if !strings.Contains(text, "  ✓°  ") || !strings.Contains(text, "° point: ") {
		t.Error(text)
	}
	if text := render(t, "text", recorded(t)["red"], table.Options{}); strings.Contains(text, "°") {
		t.Error(text)
	}
}

// Many marks are counted.
func TestMarksAreCounted(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	for range 12 {
		reporttest.Judge(c, "x", result.Pass, result.FormExact, "")
	}
	reporttest.Judge(c, "x", result.Fail, result.FormExact, "")
	if text := render(t, "text", d, table.Options{}); !strings.Contains(text, "  ✓12 ✗1  ") {
		t.Error(text)
	}
}

// Stacks lose the frames of the runtime and of the host.
func TestFailureDetail(t *testing.T) {
	text := render(t, "text", recorded(t)["faults"], table.Options{})
	for _, want := range []string{"parse.(*Parser).deep", "/src/app/parse/parse.go:41", "error: unknown type name", "hint: run it by hand: make -s"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, cut := range []string{"runtime/panic.go", "suite/host", "main.main", "goroutine", "cc -c a.c", "+0x1d", "pc=0x"} {
		if strings.Contains(text, cut) {
			t.Errorf("%q is not cut", cut)
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本 👩‍🚀": "plain é 日本 👩‍🚀", "a\nb\tc\rd": `a\nb\tc\rd`, "\x1b[31m": `\x1b[31m`, "\x00\x7f": `\x00\x7f`,
		"\u0085\u009b": `\u0085\u009b`, "\u202ex\u2066": `\u202ex\u2066`, "\u200b\ufeff\u2028": `\u200b\ufeff\u2028`,
		"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e": `\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e`,
		"\u2066\u2067\u2068\u2069":                         `\u2066\u2067\u2068\u2069`,
		"bad \xff":                                         `bad \xff`, "\ufffd": "\ufffd",
	} {
		if got := display.Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

// XML 1.0 has no place for most control characters, and advises against the others.
func TestXMLTextHasNoControls(t *testing.T) {
	for in, want := range map[string]string{
		"é 日本 👩\u200d🚀\u00a0": "é 日本 👩\u200d🚀\u00a0", "a\tb\nc\rd": "a\tb\nc\rd", "\x00\x7f": "\ufffd\ufffd",
		"\u009b2J\u0085": "\ufffd2J\ufffd", "\x1b[1mx": "x",
	} {
		if got := display.XML(in); got != want {
			t.Errorf("xmlText(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestStripANSI(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m": "red", "\x1b]0;title\x07x": "x", "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\": "link",
		"\x1b(Bx\x1b7y\x1bMz": "xyz", "\x1b[?25lx": "x", "\x1bPq#0\x1b\\x": "x", "no": "no",
	} {
		if got := display.StripANSI(in); got != want {
			t.Errorf("stripANSI(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWrapAndShorten(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	letters := []rune("abc de f é日本👩\u0301\u200d ")
	for range 5000 {
		rs := make([]rune, rng.IntN(80))
		for i := range rs {
			rs[i] = letters[rng.IntN(len(letters))]
		}
		s, w := string(rs), 2+rng.IntN(40)
		if short := display.Shorten(s, w); display.Width(short) > w || display.Width(s) <= w && short != s {
			t.Fatalf("shorten(%q, %d) = %q", s, w, short)
		}
		lines := display.Wrap(s, w)
		for _, l := range lines {
			if display.Width(l) > w && strings.Contains(l, " ") {
				t.Fatalf("wrap(%q, %d) = %q", s, w, lines)
			}
		}
		if got := strings.Join(lines, " "); got != strings.Join(strings.Fields(s), " ") { // no word is broken
			t.Fatalf("wrap(%q, %d) lost something: %q", s, w, lines)
		}
	}
	if got := display.Shorten("codec/snappy/level=12/size=4096", 20); got != "codec/sn…2/size=4096" {
		t.Error(got)
	}
}

// Whatever the texts of a document are, its report stays within its width and
// harms no terminal.
func FuzzText(f *testing.F) {
	f.Add("name", "message", "panic: x\n\ngoroutine 1 [running]:\nmain.f()\n\tx.go:1\n", 60)
	f.Add("\x1b[31m", "\u202e", "]]>\x00\xff\r", 100)
	f.Fuzz(func(t *testing.T, name, message, detail string, w int) {
		text := render(t, "text", hostile(name, message, detail), table.Options{Width: w})
		for line := range strings.Lines(text) {
			if w > 0 && isTooWide(strings.TrimSuffix(line, "\n"), max(40, w)) {
				t.Fatalf("%d columns of %d: %q", display.Width(line), w, line)
			}
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\u200e' && display.IsDangerous(r) }); i >= 0 {
			t.Fatalf("%q in the text", text[i:])
		}
	})
}

// hostile is a document with these texts wherever a user or a program under
// test can put one.
func hostile(name, message, detail string) *result.Document {
	return hostileCases(name, message, detail, []string{name, name + " 2", name + message},
		result.Pass, result.Fail, result.Inconclusive, result.Error, result.NotJudged)
}

// hostileCases are such a document of cases that have a gate of each verdict, and of one
// that broke.
func hostileCases(name, message, detail string, names []string, verdicts ...result.Verdict) *result.Document {
	d := reporttest.Document(name+"s", "t")
	d.Suites[0].Description, d.Machine.CPU = message, detail
	for i, n := range names {
		c := reporttest.Measure(d, n, 1e-6*float64(i+1), 0.01)
		c.Suite, c.Unit, c.Place.File = d.Suites[0].Name, message, name
		c.Params = []result.Param{{Name: name, Text: message}}
		c.Warnings = []result.Warning{{Code: result.WarningCode(name), Message: message, Hint: detail}}
		for _, v := range verdicts {
			reporttest.Judge(c, message, v, result.FormPoint, detail, result.Value{Text: name, Value: 1, Unit: message}).ID = string(v) + name
		}
	}
	c := reporttest.Breakdown(reporttest.Measure(d, name, 1, 0), result.Failure{Phase: result.Phase(name), Cause: result.FailureCause(message), Message: message, Detail: detail, Signal: name, Hint: detail})
	c.Place.File = detail
	return d
}

// However narrow a report is, it has the gates, and the name of each case is whole: a
// name that is cut cannot be handed to --only.
func TestNarrowReportsKeepGatesAndNames(t *testing.T) {
	together := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "\u200e", "")), "") }
	docs := recorded(t)
	docs["long"] = reporttest.Document("long")
	for _, name := range []string{"fastjson/Parse/a-document-of-objects/into-an-empty-struct", strings.Repeat("very long ", 20)} {
		reporttest.Measure(docs["long"], name, 1e-6, 0.01)
	}
	for name, doc := range docs {
		text := render(t, "text", doc, table.Options{Width: 60, View: table.View{All: true}})
		judged := false
		for i := range doc.Cases {
			c := &doc.Cases[i]
			judged = judged || len(c.Gates) > 0
			if !strings.Contains(together(text), together(display.Visible(c.Name))) { // it may be wrapped
				t.Errorf("%s: the name %q is cut:\n%s", name, c.Name, text)
			}
		}
		if heads := regexp.MustCompile(`(?m)^  case .* gates`); judged && !heads.MatchString(text) {
			t.Errorf("%s: no gates:\n%s", name, text)
		}
	}
}

// If names have no room, what all of them begin with stands above the table, and once.
func TestNamesWithoutRoomShareTheirBeginning(t *testing.T) {
	const long = "encoding/json/of-a-document-with-many-nested-objects/"
	doc := reporttest.Document("long")
	for _, name := range []string{long + "size=1", long + "size=10/parallel", long} {
		reporttest.Measure(doc, name, 1e-6, 0.01)
	}
	for _, test := range []struct {
		cases, width int
		above        string
		rows         []string
	}{
		{2, 60, long, []string{"size=1", "size=10/parallel"}},
		{2, 200, "", []string{long + "size=1", long + "size=10/parallel"}},
		{3, 60, "encoding/json/", []string{long[len("encoding/json/"):] + "size=1"}}, // no name becomes empty
		{1, 60, "", []string{long + "size=1"}},
	} {
		few := *doc
		few.Cases = doc.Cases[:test.cases]
		text := render(t, "text", &few, table.Options{Width: test.width})
		_, after, found := strings.Cut(text, "all names begin with")
		if above := strings.Fields(after); found != (test.above != "") || found && above[0] != test.above {
			t.Errorf("%d cases in %d columns: want %q above the table:\n%s", test.cases, test.width, test.above, text)
		}
		for _, row := range test.rows {
			if !strings.Contains(text, "\n  "+row) {
				t.Errorf("%d cases in %d columns: no row %q:\n%s", test.cases, test.width, row, text)
			}
		}
	}
}
