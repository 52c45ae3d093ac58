package report

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Each report for people names the function that is shown to cost more, and only that.
func TestReportsNameTheCauses(t *testing.T) {
	doc := reporttest.Profiled()
	for _, format := range []string{"text", "markdown", "html"} {
		text := strings.ReplaceAll(render(t, format, doc, table.Options{}), "&#43;", "+")
		if !strings.Contains(text, "parser.fields: +8.9 µs an iteration") {
			t.Errorf("%s: the cause is missing", format)
		}
		if strings.Contains(text, "parser.Parse: +") {
			t.Errorf("%s: a function is named that is not shown to cost more", format)
		}
	}
}

// A drawing has its numbers in a table as well, and signs in addition to colours.
func TestThePageDrawsBothSidesOfAProfile(t *testing.T) {
	page := render(t, "html", reporttest.Profiled(), table.Options{})
	for _, want := range []string{`class="flame-more"`, `class="flame-less"`, `class="flame-same"`, "▲ parser.fields", "▼ parser",
		"<title>runtime.mallocgc: 6.1 µs an iteration, 19.4%; in the base 0 s", "Time on processors by call", "No function is shown to cost more than in the base"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// Names of functions may contain anything, as programs of commands have them.
func TestNamesOfFunctionsAreEscaped(t *testing.T) {
	doc := reporttest.Profiled()
	p := doc.Cases[1].Profiling
	p.Profiles[0].Functions[0].Name, p.Profiles[0].Stacks[2].Name, p.Causes[0].Function = "<script>x</script>", "<script>x</script>", "<script>x\x1b</script>"
	for _, format := range []string{"text", "markdown", "html"} {
		text := render(t, format, doc, table.Options{})
		if format != "text" && strings.Contains(text, "<script>x") || strings.Contains(text, "\x1b</") {
			t.Errorf("%s: a name is not escaped", format)
		}
	}
}

// A document with profiles is the same after it was written and read.
func TestDocumentsWithProfilesAreValid(t *testing.T) {
	if err := reporttest.Profiled().Validate(); err != nil {
		t.Error(err)
	}
	doc := reporttest.Profiled()
	doc.Cases[1].Profiling.Causes[0].Change.Low = reporttest.Ptr(-1.0)
	if doc.Validate() == nil {
		t.Error("a cause that is not shown is accepted")
	}
	doc = reporttest.Profiled()
	doc.Cases[1].Profiling.Profiles[0].Stacks[0].Parent = 3
	if doc.Validate() == nil {
		t.Error("a call before its caller is accepted")
	}
	doc = reporttest.Profiled()
	doc.Cases[1].Profiling.Reason = result.ProfileReason("bored")
	if doc.Validate() == nil {
		t.Error("an unknown reason is accepted")
	}
}
