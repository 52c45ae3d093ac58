package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// word matches what a table of the README has in its first column.
var word = regexp.MustCompile("`([a-z_]+)`")

// table gives the words of the first column of the table below a heading.
func table(t *testing.T, text, heading string) (words []string) {
	t.Helper()
	_, rest, found := strings.Cut(text, heading)
	if !found {
		t.Fatalf("the README has no %q", heading)
	}
	_, rest, _ = strings.Cut(rest, "|---")
	for line := range strings.Lines(rest) {
		if strings.TrimSpace(line) == "" {
			return words
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, m := range word.FindAllStringSubmatch(first, -1) {
			words = append(words, m[1])
		}
	}
	return words
}

func TestReadmeHasEveryKeyAndNoOther(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var metrics []string
	for _, m := range result.Metrics() {
		metrics = append(metrics, m.Name)
	}
	for heading, want := range map[string][]string{
		"### Keys of a suite file": spec.SuiteKeys(),
		"### Keys of a benchmark":  spec.BenchmarkKeys(),
		"### Gates":                metrics,
	} {
		got := table(t, string(text), heading)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the README has\n%v\nand the code\n%v", heading, got, want)
		}
	}
}

// The defaults that the README shows are those of the code.
func TestReadmeShowsTheDefaults(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	d := spec.Defaults()
	for key, want := range map[string]string{
		"warmup": d.Warmup.String(), "sample_time": d.SampleTime.String(), "target_time": d.TargetTime.String(),
		"max_time": d.MaxTime.String(), "timeout": d.Timeout.String(),
	} {
		row := regexp.MustCompile("(?m)^\\| `" + key + "` \\| ([^ ]*) \\|").FindStringSubmatch(string(text))
		if row == nil {
			t.Errorf("no row for %s", key)
		} else if got, err := spec.ParseDuration(row[1]); err != nil || got.String() != want {
			t.Errorf("%s: the README says %q, the code %s", key, row[1], want)
		}
	}
}
