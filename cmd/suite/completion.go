package main

import (
	"io"

	"github.com/spf13/cobra"
)

const completionHelp = `Print a script that makes a shell complete commands, flags and everything that a flag can
be answered with: files, the cases, tags, gates, parameters and metrics of the suite files
and results on the command line, columns, timers, settings, formats, and revisions of git.`

const completionExample = `  source <(suite completion bash)
  suite completion zsh > "${fpath[1]}/_suite"
  suite completion fish > ~/.config/fish/completions/suite.fish
  suite completion powershell | Out-String | Invoke-Expression`

// completionCommand is suite completion.
type completionCommand struct{ env env }

func (cmd *completionCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "print a completion script for a shell", DisableFlagsInUseLine: true,
		Long: completionHelp, Example: completionExample,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"}, Args: oneOf("shell"),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			write := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}
			return write[args[0]](cmd.env.stdout.Report("script"))
		},
	}
}
