package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"example.com/suite/gate"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/foreign"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
	"example.com/suite/report"
	"example.com/suite/report/openmetrics"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const historyHelp = `Keep what runs have measured, so that suite trend can show it over months of commits.

suite run --save adds a run to the history: a folder with one compressed file for each
run, by default .suite/history at the top of the repository. Files never change, so
the histories of two branches, or of several CI jobs, are merged by copying their files
into one folder; keep the folder in git, or in the cache of your CI.

For each case and metric the history has the median, its interval and, if the run
compared with another revision, the ratio to that commit.`

const historyExample = `  suite run --save suites/quickstart.yaml
  suite history list
  suite history show HEAD
  suite history import --suite bench old/*.txt
  suite history prune --keep 500
  suite history export > history.jsonl`

func (e env) historyCommand() *cobra.Command {
	var folder string
	c := &cobra.Command{
		Use: "history COMMAND", Short: "keep what runs have measured", Long: historyHelp, Example: historyExample,
		Args: noSuchSubcommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().StringVar(&folder, "history", "", historyFlagHelp)
	complete(c, "history", folders)
	store := func() history.Store { return history.Store{Dir: historyFolder(folder)} }
	c.AddCommand(e.historyList(store), e.historyShow(store), e.historyPrune(store), e.historyExport(store), e.historyImport(store))
	return c
}

const historyFlagHelp = "`FOLDER` of the history (default .suite/history at the top of the repository)"

// noSuchSubcommand refuses arguments that name no command.
func noSuchSubcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return unknown("command", args[0], names)
}

// historyFolder is the folder that a flag names, or the one of the project in the working
// folder.
func historyFolder(flag string) string {
	if flag != "" {
		return flag
	}
	top := tree.TopOf(".")
	if top == "" {
		return filepath.FromSlash(history.Folder)
	}
	folder := filepath.Join(top, filepath.FromSlash(history.Folder))
	if wd, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(paths.Resolved(wd), folder); err == nil {
			return short
		}
	}
	return folder
}

// anyCase wants all cases of a history.
func anyCase(string, string) bool { return true }

// runsOf reads a history. Files that cannot be read are printed, and the others returned.
func (e env) runsOf(s history.Store, wanted func(suite, name string) bool) ([]history.Entry, error) {
	entries, err := s.Read(wanted)
	if problems, ok := diag.AsProblems(err); ok {
		e.warn(problems)
		err = nil
	}
	if err == nil && len(entries) == 0 {
		err = noRuns(s)
	}
	return entries, err
}

func noRuns(s history.Store) error {
	return diag.Hinted(fmt.Sprintf("no runs in %s", s.Dir), "suite run --save FILE adds a run; suite history import adds results of other programs")
}

// checkHistory fails before anything is measured if the run could not be saved.
func checkHistory(save bool, history string) error {
	if !save {
		return nil
	}
	folder := historyFolder(history)
	err := os.MkdirAll(folder, 0o777)
	if err == nil {
		err = report.CheckFile(filepath.Join(folder, "run"))
	}
	if err != nil {
		return diag.Hinted("--save: "+err.Error(), "--history names another folder")
	}
	return nil
}

// past reads what gates need of the history. Without a history it returns no runs.
func (e env) past(reads []gate.TrendRead, o *runOptions) ([]history.Entry, error) {
	switch {
	case len(reads) == 0 && o.history != "" && !o.save:
		return nil, diag.Hinted("--history names the folder of --save, and the run is not saved", "add --save, or a gate such as trend(time).drift < 5%, which reads it")
	case len(reads) == 0:
		return nil, nil
	}
	store := history.Store{Dir: historyFolder(o.history)}
	read := map[[2]string]bool{}
	for _, r := range reads {
		read[[2]string{r.Suite, r.Case}] = true
	}
	entries, err := store.Read(func(suite, name string) bool { return read[[2]string{suite, name}] })
	if problems, ok := diag.AsProblems(err); ok {
		e.warn(problems)
		err = nil
	}
	if err != nil {
		return nil, diag.Hinted("gates read the history: "+err.Error(), "--history names another folder")
	}
	return entries, nil
}

// notAfter leaves out the runs of commits that are newer than the ones that are measured.
func notAfter(ctx context.Context, entries []history.Entry, measured []*result.Commit) []history.Entry {
	if len(entries) == 0 {
		return nil
	}
	now := &history.Run{}
	for _, c := range measured {
		if c != nil {
			now.Commit = c.Hash
		}
	}
	describe(ctx, []*history.Run{now})
	return slices.DeleteFunc(entries, func(e history.Entry) bool {
		return !now.Committed.IsZero() && !e.Committed.IsZero() && e.Committed.After(now.Committed)
	})
}

// save adds the document of a run to the history. If that is not possible, save explains why
// and returns exit status 3.
func (e env) save(ctx context.Context, doc *result.Document, folder string) error {
	runs := slices.DeleteFunc(history.Runs(doc), func(run *history.Run) bool { return !run.Measured() })
	if len(runs) == 0 {
		e.say("nothing was measured: the history stays as it is")
		return nil
	}
	describe(ctx, runs)
	for _, run := range runs {
		file, fresh, err := history.Store{Dir: historyFolder(folder)}.Save(run)
		if err != nil {
			e.explain(err)
			return status(exitFail)
		}
		if fresh {
			e.say("saved %s in %s", units.Plural(len(run.Cases), "case"), file)
		}
	}
	return nil
}

// describe adds the dates and subjects of commits that the repository of the working folder
// has. Without a repository they stay unknown.
func describe(ctx context.Context, runs []*history.Run) {
	var hashes []string
	for _, run := range runs {
		if run.Commit != "" && run.Committed.IsZero() {
			hashes = append(hashes, run.Commit)
		}
	}
	if len(hashes) == 0 {
		return
	}
	repository, err := tree.OpenHistory(ctx, ".")
	if err != nil {
		return
	}
	known, err := repository.Known(ctx, hashes)
	if err != nil {
		return
	}
	for _, run := range runs {
		if c, ok := known[run.Commit]; ok {
			run.Committed, run.Subject = c.When, c.Subject
		}
	}
}

func (e env) historyList(store func() history.Store) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "list the runs, the newest first", Long: "List the runs of the history, the newest first, with their commit and machine.",
		Example: "  suite history list", Args: nothing,
		RunE: func(*cobra.Command, []string) error {
			s := store()
			entries, err := e.runsOf(s, nil)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(e.words(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "DATE\tCOMMIT\tSUBJECT\tFROM\tMACHINE")
			size := int64(0)
			for _, r := range slices.Backward(entries) {
				size += r.Size
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.When().UTC().Format("2006-01-02 15:04"), commitName(&r.Run), display.Shorten(clean(r.Subject), 40), clean(r.Origin), clean(r.MachineName()))
			}
			if err := w.Flush(); err != nil {
				return err
			}
			e.say("%s, %s in %s", units.Plural(len(entries), "run"), units.Short(float64(size), "B"), s.Dir)
			return nil
		},
	}
}

func commitName(r *history.Run) string {
	name := cmp.Or(clean(display.Commit(r.Commit)), "-")
	if r.Dirty {
		name += "+"
	}
	return name
}

func (e env) historyShow(store func() history.Store) *cobra.Command {
	return &cobra.Command{
		Use: "show [COMMIT]", Short: "show what was measured at a commit", Example: "  suite history show\n  suite history show 3f2a91c",
		Long: "Show what the newest run of a commit has measured: the median of each metric, its\ninterval, and the ratio to the commit that it was compared with. COMMIT is the beginning\nof a hash; without it, the newest run of all is shown.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			entries, err := e.runsOf(store(), anyCase)
			if err != nil {
				return err
			}
			commit := ""
			if len(args) == 1 {
				commit = strings.ToLower(args[0])
			}
			for _, r := range slices.Backward(entries) {
				if strings.HasPrefix(r.Commit, commit) {
					return showRun(e.words(), &r.Run)
				}
			}
			return diag.Hinted(fmt.Sprintf("the history has no run of commit %s", args[0]), "suite history list lists them")
		},
	}
}

func showRun(out io.Writer, r *history.Run) error {
	fmt.Fprintf(out, "%s, commit %s %s\n%s\n", r.Started.UTC().Format("2006-01-02 15:04"), commitName(r), clean(r.Subject), clean(r.MachineName()))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	suite := ""
	for i := range r.Cases {
		c := &r.Cases[i]
		if c.Suite != suite {
			suite = c.Suite
			w.Flush()
			fmt.Fprintf(out, "\n%s\n", clean(suite))
		}
		name := clean(c.Name)
		for _, m := range c.Metrics {
			interval, ratio := "", ""
			if m.Low != nil && m.High != nil {
				interval = fmt.Sprintf("%s … %s", units.Short(*m.Low, m.Unit), units.Short(*m.High, m.Unit))
			}
			if m.Ratio != nil {
				ratio = fmt.Sprintf("%s vs %s", units.Signed(m.Ratio.Value-1, units.Tenths), clean(display.Commit(c.Against)))
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", name, m.Name, units.Format(m.Value, m.Unit), interval, ratio)
			name = ""
		}
	}
	return w.Flush()
}

func (e env) historyPrune(store func() history.Store) *cobra.Command {
	var keep int
	var older, size string
	var dry bool
	c := &cobra.Command{
		Use: "prune", Short: "remove old runs", Example: "  suite history prune --keep 500\n  suite history prune --older 365d --dry-run\n  suite history prune --size 50MB", Args: nothing,
		Long: "Remove runs beyond a number for each machine, an age or a size of all files. The newest\nruns stay. Nothing is removed without one of the three.",
	}
	c.Flags().IntVar(&keep, "keep", 0, "keep the newest `N` runs of each machine")
	c.Flags().StringVar(&older, "older", "", "remove runs that are older than an `AGE`, such as 365d or 52w")
	c.Flags().StringVar(&size, "size", "", "remove the oldest runs until all files together have at most this `SIZE`, such as 50MB")
	c.Flags().BoolVar(&dry, "dry-run", false, "only print what would be removed")
	c.RunE = func(*cobra.Command, []string) error {
		limits := history.Limits{Runs: keep}
		var err error
		if older != "" {
			limits.Age, err = ageOf(older)
		}
		if size != "" {
			bytes, wrong := lang.ParseSize(size)
			limits.Size = int64(bytes)
			if wrong != nil {
				err = diag.Hinted("--size: "+wrong.Error(), "for example 50MB")
			}
		}
		if err == nil && limits == (history.Limits{}) {
			err = diag.Hinted("suite history prune needs --keep, --older or --size", "for example: suite history prune --keep 500")
		}
		if err == nil && keep < 0 {
			err = diag.Hinted(fmt.Sprintf("--keep %d: want a number above 0", keep), "")
		}
		if err != nil {
			return err
		}
		return e.prune(store(), limits, dry)
	}
	return c
}

func (e env) prune(s history.Store, limits history.Limits, dry bool) error {
	entries, err := e.runsOf(s, nil)
	if err != nil {
		return err
	}
	over := limits.Beyond(entries, e.now())
	var failed error
	for _, r := range over {
		fmt.Fprintln(e.words(), r.File)
		if !dry {
			failed = errors.Join(failed, s.Remove(r))
		}
	}
	verb := "removed"
	if dry {
		verb = "would be removed"
	}
	e.say("%d of %s %s", len(over), units.Plural(len(entries), "run"), verb)
	return failed
}

// exportFormats are the formats of a history, with their writers.
var exportFormats = map[string]func(io.Writer, []history.Entry) error{
	"jsonl": history.Export,
	"openmetrics": func(w io.Writer, entries []history.Entry) error {
		var rows []flat.Row
		for i := range entries {
			rows = append(rows, flat.Rows(&entries[i].Run)...)
		}
		return openmetrics.RenderRows(w, rows, openmetrics.Then)
	},
}

func (e env) historyExport(store func() history.Store) *cobra.Command {
	var format string
	formats := slices.Sorted(maps.Keys(exportFormats))
	c := &cobra.Command{
		Use: "export [FILE]", Short: "write the history for other programs", Example: "  suite history export history.jsonl\n  suite history export | jq 'select(.case) | .case'\n  suite history export --format openmetrics history.om",
		Long: "Write all runs as JSON lines: a line for each run, followed by a line for each of its\ncases. suite history import reads such a file, and so do DuckDB and jq. The format\nopenmetrics has the start of its run after each number, as promtool wants it:\npromtool tsdb create-blocks-from openmetrics history.om.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			write := exportFormats[format]
			if write == nil {
				return unknown("format", format, formats)
			}
			entries, err := e.runsOf(store(), anyCase)
			if err != nil {
				return err
			}
			if len(args) == 0 || args[0] == "-" {
				return write(e.stdout, entries)
			}
			return report.WriteFile(args[0], func(w io.Writer) error { return write(w, entries) })
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "`FORMAT`: "+strings.Join(formats, ", "))
	complete(c, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (e env) historyImport(store func() history.Store) *cobra.Command {
	var suite, commit string
	c := &cobra.Command{
		Use: "import FILE…", Short: "add results of other programs", Example: "  suite history import result.json\n  suite history import --suite parser --commit 3f2a91c0… bench.txt\n  suite history import --suite parser data.js",
		Long: `Add results to the history, so that a project brings its past along: results of suite,
what suite history export wrote, the output of go test -bench (with lines commit: and
commit-time: if you have them), JSON of google/benchmark and of hyperfine, and data.js
of github-action-benchmark. A file that was imported before is not added again.

Cases continue the series of a suite if they have its name (--suite) and the names of
its cases.`,
		Args: files("files with results"),
		RunE: func(c *cobra.Command, args []string) error {
			return e.importRuns(e.orderly(c), store(), args, suite, commit)
		},
	}
	c.Flags().StringVar(&suite, "suite", "", "`NAME` of the suite that the cases belong to (default: the file's name)")
	c.Flags().StringVar(&commit, "commit", "", "full `HASH` of the commit that was measured, if the files do not have it")
	return c
}

func (e env) importRuns(ctx context.Context, s history.Store, files []string, suite, commit string) error {
	var all troubles
	added, known := 0, 0
	for _, file := range files {
		runs, err := readRuns(file, suite, commit)
		if err != nil {
			all = append(all, err)
			continue
		}
		describe(ctx, runs)
		for _, run := range runs {
			_, fresh, err := s.Save(run)
			switch {
			case err != nil:
				return err
			case fresh:
				added++
			default:
				known++
			}
		}
	}
	if added+known == 0 && len(all) > 0 {
		return all
	}
	text := "added " + units.Plural(added, "run") + " to " + s.Dir
	if known > 0 {
		text += fmt.Sprintf("; %d were there already", known)
	}
	e.say("%s", text)
	return all.orNil()
}

// readRuns reads the runs of a file of suite or of another program.
func readRuns(path, suite, commit string) ([]*history.Run, error) {
	past, err := readPast(path)
	if err != nil {
		return nil, err
	}
	past.Suite = cmp.Or(suite, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	past.Commit = commit
	runs, err := past.Runs()
	switch {
	case errors.Is(err, foreign.ErrUnknown): // suite or hyperfine wrote it
		runs, err = resultRuns(path, suite, commit)
		if err != nil {
			err = diag.Hinted(err.Error(), "suite history import --help lists the formats that it reads")
		}
		return runs, err
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case !slices.ContainsFunc(runs, func(r *history.Run) bool { return len(r.Cases) > 0 }):
		return nil, diag.Hinted(path+": no benchmark in it", "go test -bench . -count 10 prints what can be imported")
	}
	return runs, nil
}

func readPast(path string) (foreign.Past, error) {
	f, err := saved.Open(path)
	if err != nil {
		return foreign.Past{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return foreign.Past{}, err
	}
	text, err := f.Bytes()
	return foreign.Past{File: path, Text: text, Modified: info.ModTime()}, err
}

// resultRuns makes the runs of a result document. suite and commit replace what the document
// lacks.
func resultRuns(path, suite, commit string) ([]*history.Run, error) {
	doc, err := saved.Read(path)
	if err != nil {
		return nil, err
	}
	if doc.Digest == "" {
		doc.Digest, err = doc.Sum()
	}
	runs := history.Runs(doc)
	for _, run := range runs {
		run.Commit = cmp.Or(run.Commit, commit)
		for i := range run.Cases {
			run.Cases[i].Suite = cmp.Or(suite, run.Cases[i].Suite)
		}
	}
	return runs, err
}

// ageOf reads a number of days or weeks, or a duration.
func ageOf(text string) (time.Duration, error) {
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		var n int
		if _, err := fmt.Sscanf(text, "%d"+unit, &n); err == nil && n > 0 && fmt.Sprint(n)+unit == text {
			return time.Duration(n*days) * 24 * time.Hour, nil
		}
	}
	age, err := time.ParseDuration(text)
	if err != nil || age <= 0 {
		return 0, diag.Hinted(fmt.Sprintf("--older %q is not an age", text), "for example 365d, 52w or 48h")
	}
	return age, nil
}
