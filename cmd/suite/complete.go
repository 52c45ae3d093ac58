package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/spec"
	"example.com/suite/timer"
	"github.com/spf13/cobra"
)

// The functions in this file complete the values of flags. A shell calls them while
// somebody types, so they start no host and build nothing, and an error completes nothing.

// complete registers a function for a flag.
func complete(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	_ = c.RegisterFlagCompletionFunc(flag, f) // fails only for an unknown flag
}

// choices completes a flag with words.
func choices(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// folders completes a flag or an argument with folders.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// historyPlaces completes the place of a history: the ref of git, or a folder.
func historyPlaces(_ *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if strings.HasPrefix("git", toComplete) {
		return []string{"git\trefs/notes/suite of the repository"}, cobra.ShellCompDirectiveDefault
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// suiteArgs completes arguments with suite files and folders, and words of a command after
// -- as the shell does.
func suiteArgs(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if dash := c.ArgsLenAtDash(); dash >= 0 && dash < len(args) { // cobra adds a -- at the end itself
		return nil, cobra.ShellCompDirectiveDefault
	}
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// resultArgs completes arguments with results and suite files.
func resultArgs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json", "yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// resultFiles completes arguments with results.
func resultFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// anyFile completes a flag with files.
func anyFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// filesEnding completes a flag with files of some extensions.
func filesEnding(extensions ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// sortWords lists each key alone and with both directions.
func sortWords(keys []string) (words []string) {
	for _, key := range keys {
		words = append(words, key, key+",asc", key+",desc")
	}
	return words
}

// completeTarget completes FORMAT=FILE: the format, then any file.
func completeTarget(formats []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
		if strings.Contains(toComplete, "=") {
			return nil, cobra.ShellCompDirectiveDefault
		}
		for _, format := range formats {
			words = append(words, format+"=")
		}
		return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// completeTimer completes "clock=NAME cycle=NAME": the last word of it.
func completeTimer(_ *cobra.Command, _ []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
	before := toComplete[:strings.LastIndex(toComplete, " ")+1]
	for _, s := range timer.Subtimers() {
		key := "clock="
		if s.Kind == timer.KindCycle {
			key = "cycle="
		}
		if !strings.Contains(before, key) {
			words = append(words, before+key+s.Name+"\t"+s.Help)
		}
	}
	if before == "" {
		words = append(words, "list\tshow what works here")
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeSetting completes KEY=VALUE: the key of a setting, then its words if it has some.
func completeSetting(_ *cobra.Command, _ []string, toComplete string) (words []string, _ cobra.ShellCompDirective) {
	_, _, hasKey := strings.Cut(toComplete, "=")
	for _, s := range spec.ListSettings() {
		if !hasKey {
			words = append(words, s.Key+"=\t"+s.Help)
		}
		for _, word := range s.Words {
			words = append(words, s.Key+"="+word)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// remotes completes the name of a remote.
func remotes(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ctx, cancel := context.WithTimeout(c.Context(), gitPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "remote").Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return strings.Fields(string(out)), cobra.ShellCompDirectiveDefault
}

// gitPatience is how long a shell waits for the names of revisions.
const gitPatience = 2 * time.Second

// completeRevision completes --against with branches and tags of the repository in which
// the first suite file is, else with files: a folder or a saved result.
func completeRevision(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	folder := "."
	if len(args) > 0 {
		folder = filepath.Dir(args[0])
	}
	ctx, cancel := context.WithTimeout(c.Context(), gitPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "-C", folder, "for-each-ref",
		"--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes").Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return append(strings.Fields(string(out)), "HEAD", "HEAD~1"), cobra.ShellCompDirectiveDefault
}
