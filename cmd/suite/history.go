package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/units"
	"example.com/suite/report/openmetrics"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const historyHelp = `Keep what runs have measured, so that suite trend can show it over months of commits.

suite run --save adds a run to the history: a folder with one compressed file for each
run, by default .suite/history at the top of the repository. Files never change, so
the histories of two branches, or of several CI jobs, are merged by copying their files
into one folder; keep the folder in git, or in the cache of your CI.

--history git keeps the same files in a ref of the repository, refs/notes/suite, and
git:BRANCH in a branch of its own: the work tree stays free of them, and suite history
sync exchanges them with a remote. Without the folder and without a flag, suite uses
refs/notes/suite if the clone has it.

For each case and metric the history has the median, its interval and, if the run
compared with another revision, the ratio to that commit.`

const historyExample = `  suite run --save suites/quickstart.yaml
  suite history list
  suite history show HEAD
  suite history import --suite bench old/*.txt
  suite history fill v1.0..HEAD --budget 8h
  suite history prune --keep 500
  suite history export > history.jsonl
  suite run --save --history git suites/quickstart.yaml && suite history sync`

// historyCommand is suite history and its commands.
type historyCommand struct {
	env   env
	place string // value of --history; empty: the history of the project
}

// store is the history that the flag names.
func (cmd *historyCommand) store() history.Store {
	return project.Store(cmd.place)
}

func (cmd *historyCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "history COMMAND", Short: "keep what runs have measured", Long: historyHelp, Example: historyExample,
		Args: noSuchSubcommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().StringVar(&cmd.place, "history", "", historyFlagHelp)
	complete(c, "history", historyPlaces)
	c.AddCommand(cmd.list(), cmd.show(), cmd.prune(), cmd.export(), cmd.importCommand(), cmd.sync(),
		(&fillCommand{env: cmd.env, place: &cmd.place}).command())
	return c
}

const historyFlagHelp = "`PLACE` of the history: a folder, git for refs/notes/suite, or git:BRANCH (default " +
	".suite/history at the top of the repository or, without it, refs/notes/suite if that exists)"

// noSuchSubcommand refuses arguments that name no command.
func noSuchSubcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return diag.Unknown("command", args[0], names)
}

// readRunsOf reads a history. Files that cannot be read are printed, and the others returned.
func readRunsOf(ctx context.Context, e env, s history.Store, of func(suite, name string) bool) ([]history.Entry, error) {
	entries, unread, err := s.Readable(of)
	e.warn(unread)
	if err == nil && len(entries) == 0 {
		err = s.NoRuns()
	}
	project.SortSeconds(ctx, entries)
	return entries, err
}

// saveRun adds the document of a run to the history. If that is not possible, it explains why
// and returns exit status 3.
func saveRun(ctx context.Context, e env, doc *result.Document, place string) error {
	all, err := project.Save(ctx, doc, project.Store(place))
	for _, one := range all {
		if one.Fresh {
			e.say("saved %s in %s", units.Plural(one.Cases, "case"), one.File)
		}
	}
	if err != nil {
		return e.fail(err)
	}
	if len(all) == 0 {
		e.say("nothing was measured: the history stays as it is")
	}
	return nil
}

func (cmd *historyCommand) list() *cobra.Command {
	names := false
	c := &cobra.Command{
		Use: "list", Short: "list the runs, the newest first",
		Long:    "List the runs of the history, the newest first, with their commit and machine.",
		Example: "  suite history list\n  suite history list --files", Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			if names {
				return cmd.listFiles()
			}
			return cmd.listRuns(c.Context())
		},
	}
	c.Flags().BoolVar(&names, "files", false, "print the names of the files only")
	return c
}

func (cmd *historyCommand) listRuns(ctx context.Context) error {
	s := cmd.store()
	entries, err := readRunsOf(ctx, cmd.env, s, nil)
	if err != nil {
		return err
	}
	if err := cmd.env.printPage(history.List(entries)); err != nil {
		return err
	}
	size := int64(0)
	for i := range entries {
		size += entries[i].Size
	}
	cmd.env.say("%s, %s in %s", units.Plural(len(entries), "run"), units.Short(float64(size), "B"), s.Place)
	return nil
}

// listFiles prints files that cannot be read as well.
func (cmd *historyCommand) listFiles() error {
	s := cmd.store()
	files, err := s.Files()
	if err == nil && len(files) == 0 {
		err = s.NoRuns()
	}
	for _, f := range slices.Backward(files) {
		err = errors.Join(err, cmd.env.printLine(s.Path(f.Name)))
	}
	return err
}

func (cmd *historyCommand) show() *cobra.Command {
	return &cobra.Command{
		Use: "show [COMMIT]", Short: "show what was measured at a commit",
		Example: "  suite history show\n  suite history show 3f2a91c",
		Long: "Show what the newest run of a commit has measured: the median of each metric, its\ninterval, and the " +
			"ratio to the commit that it was compared with. COMMIT is the beginning\nof a hash, or a revision " +
			"of git such as HEAD~1; without it, the newest run of all\nis shown.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			entries, err := readRunsOf(c.Context(), cmd.env, cmd.store(), history.AnyCase)
			if err != nil {
				return err
			}
			commit := ""
			if len(args) == 1 {
				commit = args[0]
			}
			if run := project.Newest(c.Context(), entries, commit); run != nil {
				return cmd.env.printPage(history.Show(run)...)
			}
			return diag.Hinted(fmt.Sprintf("the history has no run of commit %s", args[0]),
				"suite history list lists them")
		},
	}
}

const historyPruneHelp = `Remove runs beyond a number for each machine, an age or a size of all files. The newest
runs stay. Nothing is removed without one of the three. FILE is a run in place of them,
such as one of a machine that was busy: suite history list --files prints their names.

In a ref of git an empty file stays in place of each run, so that suite history sync
removes the run from the remote and from other clones as well, for good. The commits of
the ref begin anew, and git drops the old files in time.`

func (cmd *historyCommand) prune() *cobra.Command {
	var keep int
	var older, size string
	var dry bool
	c := &cobra.Command{
		Use: "prune [FILE…]", Short: "remove old runs",
		Example: "  suite history prune --keep 500\n  suite history prune --older 365d --dry-run\n  suite " +
			"history prune --size 50MB\n  suite history prune 20261122T090316Z-77407ae8fc02.jsonl.gz",
		Long: historyPruneHelp,
	}
	c.Flags().IntVar(&keep, "keep", 0, "keep the newest `N` runs of each machine")
	c.Flags().StringVar(&older, "older", "", "remove runs that are older than an `AGE`, such as 365d or 52w")
	c.Flags().StringVar(&size, "size", "",
		"remove the oldest runs until all files together have at most this `SIZE`, such as 50MB")
	c.Flags().BoolVar(&dry, "dry-run", false, "only print what would be removed")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			if keep != 0 || older != "" || size != "" || dry {
				return diag.Hinted("FILE names what is removed, so there is nothing to choose",
					"leave out the flags, or the files")
			}
			return cmd.store().PruneFiles(args)
		}
		limits, err := project.ParseLimits(keep, older, size)
		if err != nil {
			return err
		}
		return cmd.removeOld(c.Context(), cmd.store(), limits, dry)
	}
	return c
}

func (cmd *historyCommand) removeOld(ctx context.Context, s history.Store, limits history.Limits, dry bool) error {
	entries, err := readRunsOf(ctx, cmd.env, s, nil)
	if err != nil {
		return err
	}
	over := limits.Beyond(entries, cmd.env.now())
	var failed error
	for _, r := range over {
		failed = errors.Join(failed, cmd.env.printLine(r.File))
	}
	if !dry {
		failed = errors.Join(failed, s.Prune(over))
	}
	verb := "removed"
	if dry {
		verb = "would be removed"
	}
	cmd.env.say("%d of %s %s", len(over), units.Plural(len(entries), "run"), verb)
	return failed
}

// exportFormats are the formats of a history, with their writers.
var exportFormats = map[string]func(io.Writer, []history.Entry) error{
	"jsonl":       history.Export,
	"openmetrics": openmetrics.RenderHistory,
}

func (cmd *historyCommand) export() *cobra.Command {
	var format string
	formats := slices.Sorted(maps.Keys(exportFormats))
	c := &cobra.Command{
		Use: "export [FILE]", Short: "write the history for other programs",
		Example: "  suite history export history.jsonl\n  suite history export | jq 'select(.case) | .case'\n  suite " +
			"history export --format openmetrics history.om",
		Long: "Write all runs as JSON lines: a line for each run, followed by a line for each of its\ncases. " +
			"suite history import reads such a file, and so do DuckDB and jq. The format\nopenmetrics has the start " +
			"of its run after each number, as promtool wants it:\npromtool tsdb create-blocks-from openmetrics " +
			"history.om.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			write := exportFormats[format]
			if write == nil {
				return diag.Unknown("format", format, formats)
			}
			entries, err := readRunsOf(c.Context(), cmd.env, cmd.store(), history.AnyCase)
			if err != nil {
				return err
			}
			if len(args) == 0 || args[0] == "-" {
				return write(cmd.env.stdout.Report(format), entries)
			}
			return cmd.env.writeFile(args[0], func(w io.Writer) error { return write(w, entries) })
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "`FORMAT`: "+strings.Join(formats, ", "))
	complete(c, "format", choices(formats))
	return c
}

func (cmd *historyCommand) importCommand() *cobra.Command {
	var suite, commit string
	c := &cobra.Command{
		Use: "import FILE…", Short: "add results of other programs",
		Example: "  suite history import result.json\n  suite history import --suite parser --commit 3f2a91c0… " +
			"bench.txt\n  suite history import --suite parser data.js",
		Long: `Add results to the history, so that a project brings its past along: results of suite,
what suite history export wrote, the output of go test -bench (with lines commit: and
commit-time: if you have them) and of cargo bench, JSON of google/benchmark, hyperfine,
JMH (-rf json), BenchmarkDotNet (the full exporter) and vitest bench (--outputJson), and
data.js of github-action-benchmark. A file that was imported before is not added again.

Cases continue the series of a suite if they have its name (--suite) and the names of
its cases.`,
		Args: files("files with results"),
		RunE: func(c *cobra.Command, args []string) error {
			return cmd.importRuns(cmd.env.orderly(c), cmd.store(), args, suite, commit)
		},
	}
	c.Flags().StringVar(&suite, "suite", "", "`NAME` of the suite that the cases belong to (default: the file's name)")
	c.Flags().StringVar(&commit, "commit", "",
		"full `HASH` of the commit that was measured, if the files do not have it")
	return c
}

func (cmd *historyCommand) importRuns(
	ctx context.Context, s history.Store, files []string, suite, commit string,
) error {
	var added, known int
	var unread []error
	err := cmd.env.read(ctx, func() (err error) {
		added, known, unread, err = project.Import(ctx, s, files, suite, commit)
		return err
	})
	if err != nil {
		return err
	}
	if added+known == 0 && len(unread) > 0 {
		return errors.Join(unread...)
	}
	text := "added " + units.Plural(added, "run") + " to " + s.String()
	if known > 0 {
		text += fmt.Sprintf("; %d were there before", known)
	}
	cmd.env.say("%s", text)
	return errors.Join(unread...)
}
