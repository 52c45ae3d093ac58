package ci

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/display"
)

// Guard makes a writer for text that people read, in which no line is a command of a CI system:
// names of cases, paths and the output of programs come from the change that is tested. GitHub
// executes a line that begins with :: after any spaces, and ##[…] anywhere in a line; Azure
// Pipelines and TeamCity execute ##vso[…] and ##teamcity[…]. The character that makes the
// command is written as an escape.
func Guard(w io.Writer) io.Writer { return &guard{w: w, escape: escaped, begins: true} }

// GuardFile is Guard for files that programs read, and for what other programs print. Colours are not
// kept: control characters and marks of direction are escaped, as they are in GuardJSON and GuardLabels.
func GuardFile(w io.Writer) io.Writer {
	return &guard{w: w, escape: escaped, plain: true, begins: true}
}

func escaped(r rune) string {
	if r <= 0xff {
		return fmt.Sprintf(`\x%02x`, r)
	}
	return inJSON(r)
}

func inJSON(r rune) string { return fmt.Sprintf(`\u%04x`, r) }

// GuardJSON is Guard for JSON, which still has the same values: outside of strings it has no
// such characters.
func GuardJSON(w io.Writer) io.Writer {
	return &guard{w: w, escape: inJSON, plain: true, begins: true}
}

// GuardLabels is Guard for OpenMetrics, in whose labels a backslash is written twice.
func GuardLabels(w io.Writer) io.Writer {
	return &guard{w: w, escape: func(r rune) string { return `\` + escaped(r) }, plain: true, begins: true}
}

// Present reports whether a CI system seems to read what a program prints.
func Present(variable func(string) string) bool {
	return slices.ContainsFunc([]string{"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD",
		"TEAMCITY_VERSION", "JENKINS_URL"},
		func(name string) bool { return variable(name) != "" && variable(name) != "false" })
}

type guard struct {
	mu     sync.Mutex // hosts and a display write at the same time
	w      io.Writer
	escape func(rune) string
	plain  bool   // control characters and marks of direction are escaped
	begins bool   // only spaces so far in this line
	hashes int    // # in succession
	word   bool   // ## and letters directly before
	rest   []byte // the start of a character
}

func (g *guard) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	text := append(g.rest, p...)
	end := len(text)
	for i := max(0, end-utf8.UTFMax+1); i < end; i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			end = i
		}
	}
	g.rest = slices.Clone(text[end:])
	if _, err := io.WriteString(g.w, g.guarded(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (g *guard) guarded(text string) string {
	var out strings.Builder
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case r == ':' && g.begins && (i+1 == len(text) || text[i+1] == ':'), r == '[' && g.word, g.plain &&
			display.IsDangerous(r) && !strings.ContainsRune("\t\n\r", r):
			out.WriteString(g.escape(r))
		default:
			out.WriteString(text[i : i+size])
		}
		g.word = r == '#' && g.hashes > 0 || g.word && unicode.IsLetter(r)
		g.hashes++
		if r != '#' {
			g.hashes = 0
		}
		g.begins = r == '\n' || r == '\r' || g.begins && unicode.IsSpace(r)
	}
	return out.String()
}
