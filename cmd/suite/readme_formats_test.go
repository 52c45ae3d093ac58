package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The README describes every format that there is, and no other.
func TestReadmeListsEveryFormat(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n| format | what it is |\n|---|---|\n")
	if !ok {
		t.Fatal("the README has no table of formats")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for line := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			listed = append(listed, m[1])
		}
	}
	for _, name := range formatNames() {
		if !slices.Contains(listed, name) {
			t.Errorf("the README does not describe %q", name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(formatNames(), name) {
			t.Errorf("the README describes %q, which is no format", name)
		}
	}
}

// A line of the README is found again where numbers came out so wide that columns went.
func TestReadmeAllowsForWideNumbers(t *testing.T) {
	printed := []string{
		"  case            gates   time             vs main                            cpu        rss",
		"  count words¹˒²  ✗      12 ms (8.3 … 25)  +195.8% (+19.0% … +606.2%)  worse  65%  1.863 MiB",
		"  no room in 100 columns for: samples",
	}
	for at, shown := range []string{
		"  case         gates      time         distribution  vs main                        rss  samples",
		"  count words  ✗      12.35 ms ± 4.7%  ▅▅▁▄▅▃█▁▃▄    +410.3% ± 40.9%  worse  1.832 MiB       21",
	} {
		if !isShown(printed, at, shape(shown)) {
			t.Errorf("%q is not %q", shape(printed[at]), shape(shown))
		}
	}
	if isShown(printed, 0, shape("  case  gates  time  vs main  allocs/op  rss  samples")) {
		t.Error("a column that is missing is not missed")
	}
}
