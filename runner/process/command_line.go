package process

import (
	"os"
	"strings"

	"example.com/suite/internal/shellword"
)

// longestLine is how much of a command is shown, bytes: nobody types more, and arguments
// may have megabytes.
const longestLine = 2000

// CommandLine formats a command as one would type it in a shell, in its folder.
func CommandLine(dir string, argv []string) string {
	line := shellword.Join(argv)
	if len(line) > longestLine {
		line = strings.ToValidUTF8(line[:longestLine], "") + " …"
	}
	if here, err := os.Getwd(); err == nil && here == dir {
		return line
	}
	return "cd " + shellword.Quote(dir) + " && " + line
}
