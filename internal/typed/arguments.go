package typed

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/shellword"
	"example.com/suite/internal/suitefiles"
)

// Arguments are the parts of a command line that decide whether it has commands.
type Arguments struct {
	Lines  []string // values of --command
	Words  []string // everything that is no flag
	Dash   int      // how many words are in front of the --; -1: there is none
	Given  []string // names of the flags that were given and have a meaning for commands only
	Ignore bool     // --ignore-failure
}

// Read takes the commands from the arguments. It returns false if there are none, and an
// error if the arguments contradict each other or seem to be commands without a --.
func (in *Input) Read(a Arguments) (bool, error) {
	for _, line := range a.Lines {
		in.Commands = append(in.Commands, Command{Line: line})
	}
	files := a.Words
	if a.Dash >= 0 {
		files = a.Words[:a.Dash]
		in.Commands = append(in.Commands, separated(a.Words[a.Dash:])...)
	}
	switch {
	case len(in.Commands) > 0 && len(files) > 0 && in.halfMatrix() != "":
		return false, diag.Hinted(fmt.Sprintf("--matrix %q: want NAME=VALUES", in.halfMatrix()),
			fmt.Sprintf("--matrix %s=%s", in.halfMatrix(), files[0]))
	case len(in.Commands) > 0 && len(files) > 0:
		return false, diag.Hinted(fmt.Sprintf("suite files and commands in one run: %q and a command", files[0]),
			"measure them one after the other")
	case len(in.Commands) == 0 && seemsCommand(files, a.Given) != nil:
		return false, seemsCommand(files, a.Given)
	case len(in.Commands) == 0 && len(a.Given) > 0:
		return false, diag.Hinted(fmt.Sprintf("--%s has a meaning for commands, and there is none", a.Given[0]),
			fmt.Sprintf("suite run --%s … -- COMMAND; a suite file has keys for it", a.Given[0]))
	case a.Ignore && in.ExitCodes != "":
		return false, diag.Hinted("--ignore-failure and --exit-codes contradict each other", "leave one of them out")
	case len(in.Commands) == 0:
		return false, nil
	}
	if a.Ignore {
		in.ExitCodes = "any"
	}
	return true, nil
}

// halfMatrix returns the first value of --matrix that is only a name, as in
// hyperfine's --parameter-list n 1,2.
func (in *Input) halfMatrix() string {
	i := slices.IndexFunc(in.Matrix, func(text string) bool { return !strings.Contains(text, "=") })
	if i < 0 {
		return ""
	}
	return in.Matrix[i]
}

// separated splits words at each --.
func separated(words []string) (commands []Command) {
	for {
		at := slices.Index(words, "--")
		if at < 0 {
			return append(commands, Command{Words: append([]string{}, words...)}) // not nil
		}
		commands = append(commands, Command{Words: append([]string{}, words[:at]...)})
		words = words[at+1:]
	}
}

// seemsCommand rejects arguments that are programs or command lines: hyperfine takes
// commands as arguments. given are flags that may have been meant for the command.
func seemsCommand(args, given []string) error {
	for i, arg := range args {
		hint := WithDash(args[i:])
		if len(given) > 0 && hint != "" {
			hint = "a command and its flags follow --: suite run -- " + shellword.Quote(arg) + " …"
		}
		switch {
		case hint == "":
			continue
		case paths.Exists(arg):
			return diag.Hinted(fmt.Sprintf("%q is a program, not a suite file", arg), hint)
		}
		return diag.Hinted(fmt.Sprintf("no file %q", arg), hint)
	}
	return nil
}

// WithDash is the hint for words that are a command without the -- before it. It is empty if
// the first word is a file that is no program, or nothing at all.
func WithDash(args []string) string {
	words := strings.Fields(args[0])
	if len(words) == 0 {
		return ""
	}
	if paths.Exists(args[0]) {
		if !looksLikeProgram(args[0]) {
			return ""
		}
	} else if !paths.IsProgram(words[0]) {
		return ""
	}
	switch {
	case len(words) == 1:
		return "a command follows --: suite run -- " + shellword.Join(args)
	case len(args) == 1:
		return "a command follows --, or --command: suite run -- " + args[0]
	}
	return "suite run" + asCommands(args)
}

// asCommands writes each line as the value of a flag --command.
func asCommands(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(" --command " + shellword.Quote(line))
	}
	return b.String()
}

// looksLikeProgram reports whether a file has no name of a suite file, and the system can
// execute it: it is a script, or contains a zero byte.
func looksLikeProgram(path string) bool {
	if suitefiles.IsName(filepath.Base(path)) || !paths.IsProgram(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head) // a shorter file is fine
	return bytes.HasPrefix(head[:n], []byte("#!")) || bytes.IndexByte(head[:n], 0) >= 0
}
