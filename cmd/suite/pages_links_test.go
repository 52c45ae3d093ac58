package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// longestReadme is the number of lines that the README may have.
const longestReadme = 250

func TestReadmeIsShort(t *testing.T) {
	if lines := strings.Count(readPage(t, "README.md").text, "\n"); lines > longestReadme {
		t.Errorf("README.md has %d lines, want at most %d: what is reference belongs in docs/", lines, longestReadme)
	}
}

// The README ends with an index of all pages, each named once.
func TestReadmeIndexesEveryPage(t *testing.T) {
	_, index, found := strings.Cut(readPage(t, "README.md").text, "\n## Documents\n")
	if !found {
		t.Fatal("README.md has no index of docs/")
	}
	for _, p := range pages(t) {
		if want := "(" + p.name + ")"; p.name != "README.md" && strings.Count(index, want) != 1 {
			t.Errorf("the index names %s %d times, want once", p.name, strings.Count(index, want))
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Every link names a file of the repository, and a heading of that file.
func TestLinksResolve(t *testing.T) {
	for _, p := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(fence.ReplaceAllString(p.text, ""), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(m[1], "#")
			target := p.name
			if file != "" {
				target = path.Join(path.Dir(p.name), file)
			}
			text, err := os.ReadFile(filepath.Join(repository, target))
			if err != nil {
				if info, err := os.Stat(filepath.Join(repository, target)); err != nil || !info.IsDir() {
					t.Errorf("%s: the link %s leads nowhere", p.name, m[1])
				}
				continue
			}
			if anchor != "" && !slices.Contains(anchors(string(text)), anchor) {
				t.Errorf("%s: %s has no heading #%s", p.name, target, anchor)
			}
		}
	}
}

// anchors computes the anchors that GitHub makes of the headings of a document.
func anchors(text string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return all
}
