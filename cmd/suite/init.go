package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/scaffold"
	"github.com/spf13/cobra"
)

const initHelp = `Write a first suite file for what FOLDER contains, the current folder by default: the
benchmarks of go test in its Go module, or in the modules below it, scripts and programs
whose names look like benchmarks, programs that were built there, or a target of its
Makefile. The file is short, commented, and can be run as it is. Nothing is run to write it, and no file is
ever replaced.

--ci writes a job that measures each change against the commit where it has left its
base, for GitHub Actions, GitLab or Jenkins. Unless its machine has suite already, the
job downloads the archive of a release that --archive names, and refuses it if --sha256
is not its checksum, or builds suite from the git repository that --source names. A
suite that was installed from its repository takes that one, at its own version.

--go writes a Go module of its own for benchmarks that use package bench, in a folder
of the library whose go.mod FOLDER contains. The library's go.mod does not change.`

const initExample = `  suite init
  suite init --ci github --source https://github.com/OWNER/suite@COMMIT
  suite init --ci gitlab --archive https://HOST/suite_1.2.3_linux_amd64.tar.gz --sha256 SUM
  suite init --go`

// initCommand is suite init.
type initCommand struct {
	env   env
	asked scaffold.Request
}

func (cmd *initCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "init [FOLDER]", Short: "write a first suite file, or a job for CI", Long: initHelp, Example: initExample,
		Args: atMostOneFolder,
		RunE: func(c *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return cmd.run(cmd.env.orderly(c), dir)
		},
	}
	c.Flags().StringVar(&cmd.asked.CI, "ci", "",
		"write a job for the CI `SYSTEM`: "+strings.Join(scaffold.Systems, ", "))
	c.Flags().StringVar(&cmd.asked.Source, "source", "",
		"where the job finds suite: `URL@REVISION` of a git repository")
	c.Flags().StringVar(&cmd.asked.Tool.Archive, "archive", "",
		"where the job finds programs that are built already: the `URL` of the tar.gz of a release")
	c.Flags().StringVar(&cmd.asked.Tool.SHA256, "sha256", "",
		"the `SUM` of that archive, from SHA256SUMS of the release")
	c.Flags().BoolVar(&cmd.asked.GoModule, "go", false, "write a Go module with benchmarks for a library")
	complete(c, "ci", choices(scaffold.Systems))
	return c
}

// atMostOneFolder accepts no argument, or a folder that exists.
func atMostOneFolder(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return diag.Hinted(fmt.Sprintf("%s takes one folder, got %d", c.CommandPath(), len(args)),
			c.CommandPath()+" --help")
	}
	if len(args) == 1 && !paths.IsFolder(args[0]) {
		return diag.Hinted(fmt.Sprintf("no folder %q", args[0]), c.CommandPath()+" --help")
	}
	return nil
}

func (cmd *initCommand) run(ctx context.Context, dir string) error {
	written, err := cmd.asked.Write(ctx, dir, version())
	if err != nil {
		return err
	}
	_, err = io.WriteString(cmd.env.words(), written.Text())
	return err
}
