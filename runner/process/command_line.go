package process

import (
	"os"
	"strings"
)

// longestLine is how much of a command is shown, bytes: nobody types more, and arguments
// may have megabytes.
const longestLine = 2000

// CommandLine formats a command as one would type it in a shell, in its folder.
func CommandLine(dir string, argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = quote(word)
	}
	line := strings.Join(words, " ")
	if len(line) > longestLine {
		line = strings.ToValidUTF8(line[:longestLine], "") + " …"
	}
	if here, err := os.Getwd(); err == nil && here == dir {
		return line
	}
	return "cd " + quote(dir) + " && " + line
}

// quote puts a word in quotes if the shell would change it.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
