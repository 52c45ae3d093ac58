package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// code matches text between backquotes.
var code = regexp.MustCompile("`([^`]+)`")

// column collects the texts between backquotes in the first column of the first table
// after a heading.
func (p manualPage) column(t *testing.T, heading string) (words []string) {
	t.Helper()
	_, rest, found := strings.Cut(p.text, "\n"+heading+"\n")
	if !found {
		t.Fatalf("%s has no %q", p.name, heading)
	}
	_, rest, _ = strings.Cut(rest, "|---")
	rest, _, _ = strings.Cut(rest, "\n\n")
	for line := range strings.Lines(rest) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), " | ")
		for _, m := range code.FindAllStringSubmatch(first, -1) {
			words = append(words, m[1])
		}
	}
	return words
}

// The tables of the documents list exactly the names that the code has.
func TestTablesAreComplete(t *testing.T) {
	var metrics []string
	for _, m := range result.Metrics() {
		metrics = append(metrics, m.Name)
	}
	gateFailed := 1 // has a name in package result only
	statuses := texts(exitOK, gateFailed, exitUsage, exitFail, exitUnfit)
	interrupts := texts(result.InterruptStatus("SIGHUP"), result.InterruptStatus("SIGINT"), result.InterruptStatus("SIGTERM"))
	for _, table := range []struct {
		page, heading string
		want          []string
	}{
		{"docs/suite-file.md", "## Keys of a suite file", spec.SuiteKeys()},
		{"docs/suite-file.md", "## Keys of a benchmark", spec.BenchmarkKeys()},
		{"docs/suite-file.md", "## Mistakes", codes()},
		{"docs/gates.md", "## Metrics", metrics},
		{"docs/reports.md", "## Formats", report.FormatNames()},
		{"docs/ci.md", "## Exit statuses", append(statuses, interrupts...)},
		{"README.md", "## In CI", statuses},
	} {
		got, want := readPage(t, table.page).column(t, table.heading), slices.Clone(table.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: the document has\n%v\nand the code\n%v", table.page, table.heading, got, want)
		}
	}
}

func codes() (all []string) {
	for _, code := range diag.Codes() {
		all = append(all, string(code))
	}
	return all
}

func texts(numbers ...int) (all []string) {
	for _, n := range numbers {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

// The defaults in the table of keys are the defaults of the code.
func TestDefaultsOfTheDocuments(t *testing.T) {
	p, d := readPage(t, "docs/suite-file.md"), spec.Defaults()
	for key, want := range map[string]string{
		"warmup": d.Warmup.String(), "sample_time": d.SampleTime.String(), "target_time": d.TargetTime.String(),
		"max_time": d.MaxTime.String(), "timeout": d.Timeout.String(),
	} {
		row := regexp.MustCompile("(?m)^\\| `" + key + "` \\| ([^ ]*) \\|").FindStringSubmatch(p.text)
		if row == nil {
			t.Errorf("no row for %s", key)
		} else if got, err := spec.ParseDuration(row[1]); err != nil || got.String() != want {
			t.Errorf("%s: the document has %q, the code %s", key, row[1], want)
		}
	}
}

// ofOtherTools are flags of other programs that the documents mention.
var ofOtherTools = []string{
	"addsign", "allow-untrusted", "baseline", "bench", "benchmark", "benchmark-autosave", "benchmark-compare",
	"benchmark-compare-fail", "benchmark-json", "benchmark-max-time", "benchmark-samples", "benchmark-save",
	"benchmark-timer", "check", "compare", "exclusive", "export-json", "exporters", "ignore-missing",
	"measurement-time", "no-run", "noplot", "notes", "output", "prefix", "repo", "reporter", "run", "save-baseline", "setup-plan",
	"sshlogin", "test", "warm-up-time",
}

var longFlag = regexp.MustCompile(`(?:^| )--([a-z][a-z-]*)`)

// Every flag that a document mentions is a flag of some command.
func TestFlagsOfTheDocumentsExist(t *testing.T) {
	known := map[string]bool{"help": true, "version": true}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(realEnv(t)))
	for _, p := range pages(t) {
		for _, quoted := range code.FindAllStringSubmatch(fence.ReplaceAllString(p.text, ""), -1) {
			for _, m := range longFlag.FindAllStringSubmatch(quoted[1], -1) {
				if p.name == hyperfinePage && slices.Contains(hyperfineOptions, "--"+m[1]) {
					continue
				}
				if !known[m[1]] && !slices.Contains(ofOtherTools, m[1]) {
					t.Errorf("%s: no command has the flag --%s", p.name, m[1])
				}
			}
		}
	}
}
