package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/schemas"
	"github.com/spf13/cobra"
)

func (e env) schemaCommand() *cobra.Command {
	known := map[string]func() []byte{"suite": schemas.Suite, "result": schemas.Result}
	return &cobra.Command{
		Use: "schema suite|result", Short: "print a JSON Schema", DisableFlagsInUseLine: true,
		Long:    "Print the JSON Schema of suite files, for editors, or of the result document.",
		Example: "  suite schema suite > suite.schema.json\n  suite schema result",
		Args:    oneOf("schema"), ValidArgs: []string{"suite", "result"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := e.stdout.Write(known[args[0]]())
			return err
		},
	}
}

func (e env) reportCommand() *cobra.Command {
	var o outputs
	c := &cobra.Command{
		Use: "report RESULT.json", Short: "render a saved result again",
		Long:    "Render a result that suite run wrote with --out json=FILE, in any format. The\nexit status is 0 where that worked, whatever the verdicts in it are.",
		Example: "  suite report result.json\n  suite report --out junit=junit.xml result.json",
		Args:    files("a result file"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return hinted{"suite report takes one file", ""}
			}
			return e.report(args[0], &o)
		},
	}
	o.flags(c)
	return c
}

func (e env) report(path string, o *outputs) error {
	if err := o.check(); err != nil {
		return err
	}
	doc, err := readResult(path)
	if err != nil {
		return err
	}
	_, err = e.writeAll(doc, o)
	return err
}

func readResult(path string) (*result.Document, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noFile(path)
	case err != nil:
		return nil, err
	}
	defer f.Close()
	doc, err := result.Read(f)
	if err != nil {
		return nil, hinted{fmt.Sprintf("%s: %v", path, err), "suite run --out json=FILE writes such files"}
	}
	return doc, nil
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

// fullVersion is what a bug report should say.
func fullVersion() string {
	return fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is that of the module, as the build recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "unknown"
	}
	return info.Main.Version
}

// clean makes text from elsewhere harmless on a terminal: one line, and its
// control characters written as escapes.
func clean(s string) string { return report.Visible(s) }

// cleanLines is clean for each line, whose indentation by tabs stays.
func cleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		text := strings.TrimLeft(line, "\t")
		lines[i] = line[:len(line)-len(text)] + clean(text)
	}
	return strings.Join(lines, "\n")
}
