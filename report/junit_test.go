package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/report/junit"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// element is XML as it is read back: names and attributes in their order.
type element struct {
	name     string
	attrs    []xml.Attr
	children []*element
	text     string
}

func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e *element) attrNames() string {
	var names []string
	for _, a := range e.attrs {
		names = append(names, a.Name.Local)
	}
	return strings.Join(names, " ")
}

func (e *element) childNames() string {
	var names []string
	for _, c := range e.children {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

func (e *element) all(name string) (found []*element) {
	for _, c := range e.children {
		if c.name == name {
			found = append(found, c)
		}
	}
	return found
}

// parseXML reads a whole file back, and nothing else may be in it.
func parseXML(t testing.TB, text string) *element {
	t.Helper()
	d, top := xml.NewDecoder(strings.NewReader(text)), &element{}
	stack := []*element{top}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		last := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attrs: token.Copy().Attr}
			last.children, stack = append(last.children, e), append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			last.text += string(token)
		}
	}
	if len(top.children) != 1 || top.children[0].name != "testsuites" {
		t.Fatalf("want one testsuites, got %s", top.childNames())
	}
	return top.children[0]
}

var (
	threeDecimals = regexp.MustCompile(`^[0-9]+\.[0-9]{3}$`)
	timestamp     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`)
	strictCases   = regexp.MustCompile(`^properties( testcase)* system-out system-err$`)
	richCases     = regexp.MustCompile(`^properties( testcase)*$`)
	outcomes      = regexp.MustCompile(`^(failure|error|skipped)?$`)
	richOutcomes  = regexp.MustCompile(`^(properties)?( ?failure| ?error| ?skipped)?( system-out)?$`)
)

// profile is the renderer of one of the two.
func profile(rich bool) func(io.Writer, *table.Table, table.Options) error {
	if rich {
		return junit.Render
	}
	return junit.RenderStrict
}

// castTypes are the types that GitLab's reader takes for types of the text.
var castTypes = []string{"integer", "boolean", "date", "datetime", "float", "double", "decimal", "duration", "symbol", "yaml", "file", "base64Binary", "hexBinary", "array", "string"}

// checkJUnit checks a file against every rule of the profile.
func checkJUnit(t testing.TB, text string, rich bool) *element {
	t.Helper()
	if !strings.HasPrefix(text, `<?xml version="1.0" encoding="UTF-8"?>`+"\n") {
		t.Errorf("it begins with %.40q", text)
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return !display.IsXML(r) }); i >= 0 {
		t.Errorf("an illegal character at %d: %q", i, text[i])
	}
	root := parseXML(t, text)
	want := ""
	if rich {
		want = "name tests failures errors skipped time"
	}
	if got := root.attrNames(); got != want {
		t.Errorf("testsuites has %q, want %q", got, want)
	}
	seen, sums := map[string]bool{}, map[string]int{}
	for i, s := range root.children {
		checkSuite(t, s, i, rich, seen)
		for _, key := range []string{"tests", "failures", "errors", "skipped"} {
			n, _ := strconv.Atoi(s.attr(key))
			sums[key] += n
		}
	}
	for key, n := range sums {
		if rich && root.attr(key) != strconv.Itoa(n) {
			t.Errorf("testsuites has %s %s, its suites %d", key, root.attr(key), n)
		}
	}
	if sums["tests"] == 0 {
		t.Error("a file without a test case is read as green")
	}
	return root
}

func checkSuite(t testing.TB, s *element, id int, rich bool, seen map[string]bool) {
	t.Helper()
	if got, want := s.attrNames(), "name package id timestamp hostname tests failures errors skipped time"; got != want {
		t.Errorf("testsuite has %q, want %q", got, want)
	}
	shape := strictCases
	if rich {
		shape = richCases
	}
	if got := s.childNames(); s.name != "testsuite" || !shape.MatchString(got) {
		t.Errorf("%s holds %s", s.name, got)
	}
	if s.attr("id") != strconv.Itoa(id) || !timestamp.MatchString(s.attr("timestamp")) || !threeDecimals.MatchString(s.attr("time")) {
		t.Errorf("id %s, timestamp %s, time %s", s.attr("id"), s.attr("timestamp"), s.attr("time"))
	}
	for _, key := range []string{"name", "package", "hostname"} {
		checkToken(t, key, s.attr(key))
	}
	if seen["suite "+s.attr("name")] {
		t.Errorf("suite %q is there twice", s.attr("name"))
	}
	seen["suite "+s.attr("name")] = true
	cases, count := s.all("testcase"), map[string]int{}
	for _, c := range cases {
		checkCase(t, c, rich, seen)
		for _, o := range c.children {
			count[o.name]++
		}
	}
	got := fmt.Sprint(s.attr("tests"), s.attr("failures"), s.attr("errors"), s.attr("skipped"))
	if want := fmt.Sprint(fmt.Sprint(len(cases)), fmt.Sprint(count["failure"]), fmt.Sprint(count["error"]), fmt.Sprint(count["skipped"])); got != want {
		t.Errorf("suite %q counts %s, has %s", s.attr("name"), got, want)
	}
	if len(cases) > 5000 {
		t.Errorf("suite %q has %d test cases", s.attr("name"), len(cases))
	}
}

func checkCase(t testing.TB, c *element, rich bool, seen map[string]bool) {
	t.Helper()
	attrs, shape := "name classname time", outcomes
	if rich {
		attrs, shape = "name classname time file line", richOutcomes
	}
	if got := c.attrNames(); got != attrs && !(rich && strings.HasPrefix(attrs, got) && len(got) >= len("name classname time")) {
		t.Errorf("testcase has %q, want %q", got, attrs)
	}
	if got := c.childNames(); !shape.MatchString(got) {
		t.Errorf("testcase holds %q", got)
	}
	checkToken(t, "name", c.attr("name"))
	checkToken(t, "classname", c.attr("classname"))
	if seen["case "+c.attr("name")] {
		t.Errorf("test case %q is there twice", c.attr("name"))
	}
	seen["case "+c.attr("name")] = true
	if !threeDecimals.MatchString(c.attr("time")) {
		t.Errorf("time %q", c.attr("time"))
	}
	for _, o := range c.children {
		if o.name == "failure" || o.name == "error" || o.name == "skipped" {
			checkReason(t, o, rich)
		}
	}
}

func checkReason(t testing.TB, o *element, rich bool) {
	t.Helper()
	want := "message type"
	if o.name == "skipped" && !rich {
		want = "message"
	}
	if got := o.attrNames(); got != want {
		t.Errorf("%s has %q, want %q", o.name, got, want)
	}
	if strings.TrimSpace(o.text) == "" {
		t.Errorf("%s %q has no text", o.name, o.attr("message"))
	}
	checkToken(t, "message", o.attr("message"))
	if slices.Contains(castTypes, strings.ToLower(o.attr("type"))) {
		t.Errorf("type %q would be cast by a reader", o.attr("type"))
	}
}

// checkToken: not empty, one line, no space that a reader would collapse.
func checkToken(t testing.TB, key, value string) {
	t.Helper()
	if value == "" || strings.Join(strings.Fields(value), " ") != value || strings.ContainsRune(value, '\x1b') {
		t.Errorf("%s %q", key, value)
	}
}

func TestJUnitRules(t *testing.T) {
	for name, doc := range recorded(t) {
		t.Run(name, func(t *testing.T) {
			checkJUnit(t, render(t, "junit", doc, table.Options{}), true)
			checkJUnit(t, render(t, "junit-strict", doc, table.Options{}), false)
		})
	}
}

// One test case per gate, or per case without gates; the time is the case's.
func TestJUnitCases(t *testing.T) {
	doc := recorded(t)["hashing"]
	root := checkJUnit(t, render(t, "junit", doc, table.Options{}), true)
	var got []string
	for _, c := range root.children[0].all("testcase") {
		got = append(got, c.attr("classname")+" | "+c.attr("name")+" | "+c.attr("file")+":"+c.attr("line")+" | "+c.attr("time"))
	}
	want := []string{
		"hashing.sha256/64 | sha256/64: throughput.median > 200MB | suites/hashing.yaml:8 | 1.310",
		"hashing.sha256/64 | sha256/64: no allocation | suites/hashing.yaml:8 | 0.000",
		"hashing.sha256/1KiB | sha256/1KiB: throughput.median > 200MB | suites/hashing.yaml:9 | 1.310",
		"hashing.sha256/1KiB | sha256/1KiB: no allocation | suites/hashing.yaml:9 | 0.000",
		"hashing.sha256/64KiB | sha256/64KiB: throughput.median > 200MB | suites/hashing.yaml:10 | 1.310",
		"hashing.sha256/64KiB | sha256/64KiB: no allocation | suites/hashing.yaml:10 | 0.000",
		"hashing.hex.EncodeToString | hex.EncodeToString | suites/hashing.yaml:8 | 1.310",
		"hashing.sha256sum of 100 MB | sha256sum of 100 MB: cpu.median < 2s and rss.max < 256MiB | suites/hashing.yaml:12 | 1.310",
		"hashing.sleep 0.1 | sleep 0.1 | suites/hashing.yaml:10 | 1.310",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := root.children[0].attr("time"); got != "7.860" { // six cases of 1.31 s, each counted once
		t.Errorf("the suite took %s", got)
	}
	if got := root.attr("time"); got != "18.420" {
		t.Errorf("the run took %s", got)
	}
}

// What each verdict becomes in JUnit.
func TestJUnitMapping(t *testing.T) {
	for _, c := range []struct {
		verdict                      result.Verdict
		severity, undecided, reason  string
		element, kind, message, text string
	}{
		{result.Pass, "fail", "list", "", "", "", "", ""},
		{result.Pass, "warn", "fail", "", "", "", "", ""},
		{result.Fail, "fail", "list", "too slow\nby far", "failure", "limit", "too slow", "fail: too slow\nby far"},
		{result.Fail, "fail", "list", "", "failure", "limit", "fail", "x < 1"},
		{result.Fail, "warn", "list", "too slow", "skipped", "warning", "warning only: too slow", "fail: too slow"},
		{result.Inconclusive, "fail", "list", "too wide", "skipped", "inconclusive", "inconclusive: too wide", "s.yaml:8:9"},
		{result.Inconclusive, "fail", "fail", "too wide", "failure", "inconclusive", "too wide", "inconclusive: too wide"},
		{result.Inconclusive, "warn", "fail", "too wide", "skipped", "warning", "warning only: too wide", ""},
		{result.Error, "fail", "list", "no such case", "error", "gate", "no such case", "error: no such case"},
		{result.NotJudged, "fail", "list", "no base", "skipped", "skipped", "no base", "skipped: no base"},
		{result.NotJudged, "fail", "list", "not comparable: it changed", "skipped", "skipped", "not-comparable: it changed", ""},
	} {
		d := reporttest.Document("s")
		g := reporttest.Judge(reporttest.Measure(d, "a", 1e-6, 0.01), "x < 1", c.verdict, result.FormInterval, c.reason)
		g.Severity, g.OnInconclusive = c.severity, c.undecided
		if c.message == "not-comparable: it changed" {
			g.Cause = result.CauseNotComparable
			d.Cases[0].Counterpart = &result.Counterpart{State: result.CounterpartChanged, Reason: "it changed"}
		}
		for _, rich := range []bool{true, false} {
			format := map[bool]string{true: "junit", false: "junit-strict"}[rich]
			found := reasons(checkJUnit(t, render(t, format, d, table.Options{}), rich).children[0].all("testcase")[0])
			if c.element == "" {
				if len(found) > 0 {
					t.Errorf("%s, %s: got %s", c.verdict, c.severity, found[0].name)
				}
				continue
			}
			if len(found) != 1 || found[0].name != c.element || found[0].attr("message") != c.message || !strings.Contains(found[0].text, c.text) {
				t.Fatalf("%+v: got %+v", c, found)
			}
			if kind := found[0].attr("type"); kind != c.kind && (rich || c.element != "skipped") {
				t.Errorf("%s: type %q, want %q", c.verdict, kind, c.kind)
			}
		}
	}
}

func reasons(c *element) []*element {
	return slices.Concat(c.all("failure"), c.all("error"), c.all("skipped"))
}

// A case that failed is an error in each of its test cases, whatever its gates are.
// So is a case that was not reached, unless the run was interrupted.
func TestJUnitBrokenCases(t *testing.T) {
	d := reporttest.Document("s")
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	reporttest.Judge(c, "x", result.Pass, result.FormExact, "")
	reporttest.Judge(c, "y", result.Pass, result.FormExact, "").Severity = "warn"
	reporttest.Breakdown(c, result.Failure{Phase: "run", Cause: "timeout", Message: "no answer in 60 s"})
	c.Gates[0].Verdict = result.Pass
	c = reporttest.Measure(d, "b", 1e-6, 0.01)
	c.Status, c.Samples, c.Metrics = result.NotRun, result.Samples{}, nil
	got := func() string {
		var out []string
		for _, c := range checkJUnit(t, render(t, "junit", d, table.Options{}), true).children[0].all("testcase") {
			r := reasons(c)[0]
			out = append(out, c.attr("name")+" "+r.name+" "+r.attr("type"))
		}
		return strings.Join(out, ", ")
	}
	if got := got(); got != "a: x error timeout, a: y error timeout, b error not_run" {
		t.Error(got)
	}
	d.Interrupted, d.Cases[1].Place.File, d.Cases[1].Place.Line = "SIGINT", "", 0 // only the message is left
	if got := got(); got != "a: x error timeout, a: y error timeout, b skipped interrupted" {
		t.Error(got)
	}
}

// Over 5,000 test cases a suite is split between cases; nothing is lost, and
// the times of the parts add up.
func TestJUnitSplits(t *testing.T) {
	d := reporttest.Document("s", "t")
	for i := range 7000 {
		c := reporttest.Measure(d, fmt.Sprint("case ", i), 1e-6, 0)
		c.Suite, c.Seconds = "s", 0.5
		if i%2 == 0 {
			reporttest.Judge(c, "x", result.Pass, result.FormExact, "")
			reporttest.Judge(c, "y", result.Pass, result.FormExact, "")
		}
	}
	reporttest.Measure(d, "case 0", 1e-6, 0) // the same name in another suite
	root := checkJUnit(t, render(t, "junit", d, table.Options{}), true)
	var names []string
	for _, s := range root.children {
		names = append(names, s.attr("name")+" "+s.attr("package")+" "+s.attr("tests")+" "+s.attr("time"))
	}
	want := "s (1 of 3) s 5000 1666.500, s (2 of 3) s 4999 1666.500, s (3 of 3) s 501 167.000, t t 1 1.310"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Whatever the texts are, the file can be read back and keeps every rule. Two names
// that differ by a space at the end and two kinds of outcome reach every place for a
// text; TestJUnitMapping has the others, and more would only cost inputs.
func FuzzJUnit(f *testing.F) {
	f.Add("name", "message", "detail")
	f.Add("]]>", "\x1b[31m", "\x00\ufffe\xff\ud7ff")
	f.Add(" ", "\u0085", "\u2028")
	f.Add("<&>\"'", "a\r\nb", "&#x0;")
	f.Add("a", "Integer", "")
	f.Fuzz(func(t *testing.T, name, message, detail string) {
		finished := table.NewTable(hostileCases(name, message, detail, []string{name, name + " "}, result.Fail, result.NotJudged))
		for _, rich := range []bool{true, false} {
			var b strings.Builder
			if err := profile(rich)(&b, finished, table.Options{}); err != nil {
				t.Fatal(err)
			}
			checkJUnit(t, b.String(), rich)
		}
	})
}
