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
