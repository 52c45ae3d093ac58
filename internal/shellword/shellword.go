// Package shellword writes command lines that a reader can copy into a POSIX shell.
package shellword

import (
	"runtime"
	"strings"
	"unicode"
)

// Join returns a command line with these words.
func Join(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = Quote(word)
	}
	return strings.Join(all, " ")
}

// Quote returns a word as it is written in a command line: in single quotes if the shell would
// change it otherwise. On Windows a backslash needs no quotes.
func Quote(word string) string {
	if word != "" && word[0] != '~' && !strings.ContainsFunc(word, isSpecial) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isSpecial reports whether a character may have a meaning in a shell.
func isSpecial(r rune) bool {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_@%+=:,./~^-", r) {
		return false
	}
	return r != '\\' || runtime.GOOS != "windows"
}
