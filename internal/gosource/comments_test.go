package gosource

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// described matches the comment of a declaration that begins with a name in camel case.
var described = regexp.MustCompile(
	`\n\n// ([a-z]+[A-Z]\w*)( .*)\n(?://.*\n)*(?:func (?:\([^)]*\) )?|type |var |const )(\w+)`)

// misnamed lists the names that begin a comment of something with another name.
func misnamed(text string) (names []string) {
	for _, m := range described.FindAllStringSubmatch(text, -1) {
		if first, rest, declared := m[1], m[2], m[3]; first != declared && !strings.Contains(rest, declared) {
			names = append(names, first)
		}
	}
	return names
}

// A function that has a new name keeps its comment, and nothing else compares the two.
func TestCommentsBeginWithTheNameOfTheDeclaration(t *testing.T) {
	planted := "package p\n\n// runThem runs them.\nfunc (a *b) runAll() {}\n\n// lessThan and lessOr compare.\nfunc lessOr() {}\n"
	if got := misnamed(planted); !slices.Equal(got, []string{"runThem"}) {
		t.Fatalf("misnamed in the planted text: %q", got)
	}
	for _, path := range slices.Concat(Paths(t, false), Paths(t, true)) {
		for _, name := range misnamed(Text(t, path)) {
			t.Errorf("%s: the comment that begins with %q is about something else", path, name)
		}
	}
}
