package main

import (
	"io"

	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

const completionHelp = `Print a script that makes a shell complete commands, flags, suite files and the
names and tags of their cases.`

const completionExample = `  source <(suite completion bash)
  suite completion zsh > "${fpath[1]}/_suite"
  suite completion fish > ~/.config/fish/completions/suite.fish
  suite completion powershell | Out-String | Invoke-Expression`

func (e env) completionCommand() *cobra.Command {
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
			return write[args[0]](e.stdout)
		},
	}
}

// suiteArgs completes arguments with suite files and folders.
func suiteArgs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// fromCases completes a flag with words of the cases in the suite files that are
// already on the command line.
func (e env) fromCases(words func(*spec.Case) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) (all []string, _ cobra.ShellCompDirective) {
		plans, err := e.plans(c.Context(), args, loading{offline: true})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, plan := range plans {
			for i := range plan.Cases {
				all = append(all, words(&plan.Cases[i])...)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}
