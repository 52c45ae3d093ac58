package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// complaints replaces a test and collects its errors.
type complaints struct {
	testing.TB
	all []string
}

type stopped struct{}

func (c *complaints) Helper() {}

func (c *complaints) Error(args ...any) { c.all = append(c.all, fmt.Sprint(args...)) }

func (c *complaints) Errorf(format string, args ...any) {
	c.all = append(c.all, fmt.Sprintf(format, args...))
}

func (c *complaints) Fatalf(format string, args ...any) {
	c.Errorf(format, args...)
	panic(stopped{})
}

// complain lists the errors that the checks of JUnit find in a file.
func complain(text string, rich bool) (all []string) {
	c := &complaints{}
	defer func() {
		if r := recover(); r != nil && r != (stopped{}) {
			panic(r)
		}
		all = c.all
	}()
	checkJUnit(c, text, rich)
	return c.all
}

// junitRules are what the readers of JUnit insist on, each with an edit of a good file
// that breaks it and nothing else.
var junitRules = []struct {
	rule     string
	profile  string // strict, rich or both
	old, new string // the first match of a regular expression, and what it becomes
}{
	{"the file declares XML 1.0 in UTF-8", "both", `^<\?xml[^>]*>\n`, ""},
	{"the root is testsuites", "both", `(?s)<testsuites.*?>(.*)</testsuites>`, "<suites>$1</suites>"},
	{"nothing stands beside the root", "both", `$`, "<testsuites></testsuites>"},
	{"elements are closed", "both", `</testcase>`, ""},
	{"testsuites has no attributes in the strict profile", "strict", `<testsuites>`, `<testsuites name="x">`},
	{"testsuites has totals in the rich one", "rich", `<testsuites name="suite" `, `<testsuites `},
	{"totals are the sums of the suites", "rich", `(<testsuites [^>]*)tests="6"`, `${1}tests="7"`},
	{"testsuite has its attributes in order", "both", `<testsuite name="(\w+)" package="(\w+)"`, `<testsuite package="$2" name="$1"`},
	{"testsuite lacks no attribute", "both", ` hostname="localhost"`, ""},
	{"suites are numbered from 0", "both", ` id="0"`, ` id="1"`},
	{"a timestamp has no zone", "both", `(timestamp="[^"]*)"`, `${1}Z"`},
	{"a timestamp has no fraction", "both", `(timestamp="[^"]*)"`, `${1}.5"`},
	{"a hostname is not empty", "both", `hostname="localhost"`, `hostname=""`},
	{"tests are counted", "both", `(<testsuite [^>]*)tests="5"`, `${1}tests="4"`},
	{"failures are counted", "both", `(<testsuite [^>]*)failures="1"`, `${1}failures="0"`},
	{"errors are counted", "both", `(<testsuite [^>]*)errors="1"`, `${1}errors="0"`},
	{"skipped ones are counted", "both", `(<testsuite [^>]*)skipped="2"`, `${1}skipped="1"`},
	{"the time of a suite has three decimals", "both", `(<testsuite [^>]*time="[0-9]+\.[0-9]{3})`, `${1}1`},
	{"the time of a suite has no exponent", "both", `(<testsuite [^>]*time=)"[^"]*"`, `$1"1e3"`},
	{"the time of a case has three decimals", "both", `(<testcase [^>]*time="[0-9]+\.[0-9]{2})[0-9]`, `$1`},
	{"a time is not negative", "both", `(<testcase [^>]*time=")`, `${1}-`},
	{"a time has no comma", "both", `(<testcase [^>]*time=)"[^"]*"`, `$1"1,000.000"`},
	{"suites are not nested", "both", `<testcase `, `<testsuite></testsuite><testcase `},
	{"a suite has properties first", "both", `(?s)<properties>.*?</properties>\s*(<testcase.*?</testcase>)`, `$1<properties></properties>`},
	{"a suite has system-out in the strict profile", "strict", `(?s)<system-out>.*?</system-out>`, ``},
	{"a suite has system-err in the strict profile", "strict", `(?s)<system-err>.*?</system-err>`, ``},
	{"a case has neither file nor line in the strict profile", "strict", `(<testcase [^>]*)>`, `$1 file="s.yaml" line="3">`},
	{"a case has file before line", "rich", `file="([^"]*)" line="([^"]*)"`, `line="$2" file="$1"`},
	{"a case has no properties in the strict profile", "strict", `(<testcase [^>]*>)`, `$1<properties></properties>`},
	{"a case has no system-out in the strict profile", "strict", `(<testcase [^>]*>)`, `$1<system-out>x</system-out>`},
	{"a case has properties before its outcome", "rich", `(?s)(<testcase [^>]*>\s*)(<properties>.*?</properties>)(\s*)(<failure.*?</failure>)`, `$1$4$3$2`},
	{"a case has one outcome at most", "both", `(</failure>)`, `$1<skipped message="x" type="y">x</skipped>`},
	{"a case has a name", "both", `<testcase name="[^"]*"`, `<testcase name=""`},
	{"a case has a class", "both", `classname="[^"]*"`, `classname=""`},
	{"a name has no space that a reader collapses", "both", `<testcase name="`, `<testcase name=" `},
	{"names are unique in the file", "both", `(?s)(<testcase name=")([^"]*)(".*?<testcase name=")[^"]*"`, `$1$2$3$2"`},
	{"names of suites are unique", "both", `<testsuite name="other"`, `<testsuite name="s"`},
	{"a failure has a message", "both", `(<failure )message="[^"]*" `, `$1`},
	{"a failure has a type", "both", `(<failure message="[^"]*") type="[^"]*"`, `$1`},
	{"a failure has text", "both", `(?s)(<failure [^>]*>).*?</failure>`, `$1 </failure>`},
	{"an error has text", "both", `(?s)(<error [^>]*>).*?</error>`, `$1</error>`},
	{"a skipped one has text", "both", `(?s)(<skipped [^>]*>).*?</skipped>`, `$1</skipped>`},
	{"a skipped one has no type in the strict profile", "strict", `<skipped message="([^"]*)"`, `<skipped message="$1" type="x"`},
	{"a type is none that a reader casts", "both", `(<failure [^>]*type=)"[^"]*"`, `$1"Integer"`},
	{"a message is one line", "both", `(<failure message=")`, `${1}a&#xA;b`},
	{"no control character is in the file", "both", `<failure message="`, "<failure message=\"\x1b[31m"},
	{"no character is outside of XML", "both", `</failure>`, "\ufffe</failure>"},
	{"the file is UTF-8", "both", `</failure>`, "\xff</failure>"},
	{"no reference leads outside of XML", "both", `</failure>`, "&#x1;</failure>"},
}

// Each rule has a check: an edit that breaks it is found, in a file that is good without it.
func TestJUnitChecksFindBrokenRules(t *testing.T) {
	for _, rich := range []bool{false, true} {
		name := map[bool]string{false: "junit-strict", true: "junit"}[rich]
		good := render(t, name, everyOutcome(), table.Options{})
		if all := complain(good, rich); all != nil {
			t.Fatalf("the %s file is not good: %q\n%s", name, all, good)
		}
		for _, r := range junitRules {
			if r.profile != "both" && (r.profile == "rich") != rich {
				continue
			}
			bad := replaceFirst(good, r.old, r.new)
			if bad == good {
				t.Errorf("%s: %s: nothing to break", name, r.rule)
			} else if complain(bad, rich) == nil {
				t.Errorf("%s: nobody finds that this is broken: %s", name, r.rule)
			}
		}
	}
}

func replaceFirst(text, old, new string) string {
	at := regexp.MustCompile(old).FindStringSubmatchIndex(text)
	if at == nil {
		return text
	}
	re := regexp.MustCompile(old)
	return text[:at[0]] + string(re.ExpandString(nil, new, text, at)) + text[at[1]:]
}

// everyOutcome has a pass, a failure, an error, two skipped ones and another suite.
func everyOutcome() *result.Document {
	d := reporttest.Document("s", "other")
	for i, v := range []result.Verdict{result.Pass, result.Fail, result.Inconclusive, result.NotJudged} {
		c := reporttest.Measure(d, fmt.Sprintf("case %d", i), 1e-6, 0.01)
		c.Suite = "s"
		reporttest.Judge(c, "time.median < 1us", v, result.FormInterval, "why")
	}
	c := reporttest.Breakdown(reporttest.Measure(d, "crashed", 1, 0), result.Failure{Phase: "run", Cause: "crash", Message: "signal: killed"})
	c.Suite = "s"
	reporttest.Measure(d, "alone", 1e-6, 0.01)
	return d
}

// Some readers refuse more than 5,000 test cases, and the check detects that.
func TestJUnitChecksFindLongSuites(t *testing.T) {
	long := render(t, "junit-strict", reporttest.Many(5000/2, 2), table.Options{})
	last := strings.LastIndex(long, "<testcase")
	var more strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&more, `<testcase name="more %d" classname="c" time="0.000"></testcase>`, i)
	}
	found := strings.Join(complain(long[:last]+more.String()+long[last:], false), "\n")
	if !strings.Contains(found, "test cases") {
		t.Errorf("nobody finds a suite that is too long: %.300s", found)
	}
}
