package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/schemas"
	"github.com/spf13/cobra"
)

func (e env) schemaCommand() *cobra.Command {
	known := map[string]func() []byte{"suite": schemas.Suite, "result": schemas.Result, "bisect": schemas.Bisect}
	return &cobra.Command{
		Use: "schema suite|result|bisect", Short: "print a JSON Schema", DisableFlagsInUseLine: true,
		Long:    "Print the JSON Schema of suite files, for editors, of the result document, or of\nwhat suite bisect writes.",
		Example: "  suite schema suite > suite.schema.json\n  suite schema result",
		Args:    oneOf("schema"), ValidArgs: []string{"suite", "result", "bisect"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := e.stdout.Write(known[args[0]]())
			return err
		},
	}
}

func (e env) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: nothing, Example: "  suite version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(e.stdout, "suite version %s\n", fullVersion())
			return err
		},
	}
}

// fullVersion adds the toolchain and system that a bug report needs.
func fullVersion() string {
	return fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// release is the version of a release build, which the linker sets:
// -ldflags "-X main.release=v1.2.3".
var release string

// version is the version of the release or, for all other builds, of the module that
// the build recorded: go install records the version that was asked for, and go build
// in a clone the commit.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// clean makes text from outside harmless on a terminal: it returns one line, with control
// characters written as escapes.
func clean(s string) string { return display.Visible(s) }

// cleanLines cleans each line and keeps its indentation by tabs. It also escapes a line
// that GitHub Actions would execute as a workflow command: it may come from the name of a
// file or the error of another program.
func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		text := strings.TrimLeft(line, "\t")
		shown := clean(text)
		if strings.HasPrefix(strings.TrimSpace(shown), "::") {
			shown = strings.Replace(shown, ":", `\x3a`, 1)
		}
		lines[i] = line[:len(line)-len(text)] + shown
	}
	return strings.Join(lines, "\n")
}
