package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/push"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/signals"
	"example.com/suite/report"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const pushHelp = `Send results to a database or a monitoring system. Without a result, the last run is sent;
--history sends all runs of the history that the store does not have yet.

  postgres://USER@HOST/DATABASE         PostgreSQL, in tables of the schema suite
  clickhouse+http://USER@HOST:8123/DB   ClickHouse, in a table suite (?table=NAME)
  pushgateway+http://HOST:9091          a Pushgateway of Prometheus: the newest run of a suite
  otlp+http://HOST:4318                 OpenTelemetry; otlp: takes OTEL_EXPORTER_OTLP_ENDPOINT
  parquet:FOLDER                        a Parquet file for each run, for DuckDB and others
  github, github:OWNER/REPO#NUMBER      a comment of the pull request, of this job or another
  gitlab, gitlab:GROUP/PROJECT!NUMBER   the same for a merge request

A run that is sent again changes nothing. Exit status 3 means that runs were not sent,
and the message names them, unless suite-push was killed.

A comment is the report of one result, suite report --out comment=-, and replaces the one
that was posted there before for the same suites. The exit status is the one of the run.
What cannot be posted is appended to the summary of the job (GITHUB_STEP_SUMMARY); if
there is none, the exit status is 3 unless the run's is not 0.

suite itself opens no connections: it hands the runs to suite-push, a program of its own,
which has to be installed too. It reads passwords from PGPASSWORD, ~/.pgpass and
SUITE_PUSH_PASSWORD, tokens from GITHUB_TOKEN and GITLAB_TOKEN; a password in the URL is seen in the list of processes.`

const pushExample = `  suite push postgres://bench@db.example.com/bench
  suite push --history postgres://bench@db.example.com/bench
  suite push pushgateway+http://localhost:9091 result.json
  suite push --history --last 100 otlp+https://otel.example.com
  suite push --history=old/history parquet:runs
  suite push github --report https://bench.example.com/pr/7/report.html result.json`

// pushCommand is suite push.
type pushCommand struct {
	env     env
	history string
	last    int
	report  string // address of the HTML report
}

func (cmd *pushCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use:   "push URL [RESULT.json|SUITE.yaml…]",
		Short: "send results to a database, a monitoring system or a pull request", Long: pushHelp,
		Example: pushExample,
		Args:    files("the URL of a store"), ValidArgsFunction: pushArgs,
		RunE: func(c *cobra.Command, args []string) error { return cmd.run(cmd.env.orderly(c), args[0], args[1:]) },
	}
	c.Flags().StringVar(&cmd.history, "history", "",
		"send the runs of the history in place of a result; another `PLACE` is named with an equals sign: "+
			"--history=FOLDER, --history=git")
	c.Flags().Lookup("history").NoOptDefVal = history.Folder
	c.Flags().IntVar(&cmd.last, "last", 0, "of the history, send the newest `N` runs only")
	c.Flags().StringVar(&cmd.report, "report", "",
		"of a comment: the `URL` of the HTML report, to which its cases link")
	complete(c, "history", historyPlaces)
	return c
}

// pushArgs completes the kinds of stores, then results.
func pushArgs(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return resultArgs(c, args, toComplete)
	}
	return push.Schemes(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (cmd *pushCommand) run(ctx context.Context, to string, results []string) error {
	asked := push.Request{To: to, Results: results, History: cmd.history, Last: cmd.last, Report: cmd.report}
	if err := asked.Check(); err != nil {
		return err
	}
	program, err := push.Find()
	if err != nil {
		return err
	}
	if push.IsComment(to) {
		return cmd.comment(ctx, program, to, results)
	}
	runs, unread, err := cmd.runs(ctx, results)
	if err != nil {
		return err
	}
	err = cmd.send(ctx, program, to, runs)
	if err == nil && unread != nil {
		err = status(exitFail)
	}
	return err
}

// runsToPush reads the runs that are to be sent. unread is an error about files of the history
// that could not be read; it is printed already.
func (cmd *pushCommand) runs(ctx context.Context, results []string) (runs []*history.Run, unread, err error) {
	if cmd.history == "" {
		runs, err = cmd.runsOfResults(ctx, results)
		return runs, nil, err
	}
	folder := cmd.history
	if folder == history.Folder { // at the top of the repository
		folder = ""
	}
	runs, problems, err := push.Stored(project.Store(folder), cmd.last)
	if problems != nil {
		unread = problems
		cmd.env.printError(unread)
	}
	if err != nil {
		return nil, nil, err
	}
	return runs, unread, nil
}

// runsOfResults makes a run of each result, or of the last run if there are none.
func (cmd *pushCommand) runsOfResults(ctx context.Context, args []string) (runs []*history.Run, err error) {
	paths, _, err := cmd.env.results().ResolveAll(args)
	if err != nil {
		return nil, err
	}
	err = cmd.env.read(ctx, func() (err error) {
		runs, err = push.Results(paths)
		return err
	})
	if err != nil {
		return nil, err
	}
	project.Describe(ctx, runs)
	return runs, err
}

// send hands runs to the program, as suite history export writes them. The program prints what
// it has done, and its exit status is the command's. If a signal ends the program, send prints
// that the runs which arrived are not known.
func (cmd *pushCommand) send(ctx context.Context, program, to string, runs []*history.Run) error {
	c, err := push.Command(ctx, program, to, runs)
	if err != nil {
		return err
	}
	return exit(cmd.start(ctx, c, "which runs arrived is not known; push again: nothing is added twice"))
}

// start runs the program and returns its exit status. unknown is the hint if a signal ends it before it could print
// what arrived.
func (cmd *pushCommand) start(ctx context.Context, c *exec.Cmd, unknown string) int {
	c.Stdout, c.Stderr = ci.GuardFile(cmd.env.stdout.Text()), ci.GuardFile(cmd.env.stderr)
	err := c.Run()
	code := exitOK
	var ended *exec.ExitError
	switch {
	case errors.As(err, &ended) && ended.ExitCode() > 0:
		code = ended.ExitCode()
	case ended != nil:
		cmd.env.printError(diag.Hinted(fmt.Sprintf("%s: %v", c.Path, ended), unknown))
		code = exitFail
	case err != nil && ctx.Err() == nil:
		cmd.env.printError(err)
		code = exitFail
	}
	if name := signals.Name(ctx); name != "" {
		code = result.InterruptStatus(name)
	}
	return code
}

// comment posts the report of a result, or of the last run, to a pull request. The exit status is the one of the run.
// What cannot be posted is appended to the summary of the job.
func (cmd *pushCommand) comment(ctx context.Context, program, to string, results []string) error {
	doc, err := cmd.resultToPost(ctx, results)
	if err != nil {
		return err
	}
	o := cmd.env.reportOptions()
	o.Report, o.Job = cmd.report, ci.JobURL(cmd.env.variable)
	var text bytes.Buffer
	if err := report.Render(&text, "comment", doc, o); err != nil {
		return err
	}
	code := cmd.start(
		ctx,
		push.Comment(ctx, program, to, bytes.NewReader(text.Bytes())),
		"whether the comment was posted is not known; push again: it replaces itself",
	)
	switch {
	case code == exitOK, signals.Name(ctx) == "" && cmd.summarised(doc, o):
		code = doc.Exit
	case doc.Exit != exitOK && signals.Name(ctx) == "":
		code = doc.Exit
	}
	return exit(code)
}

// summarised appends a report to the summary of a GitHub job, and reports whether it is there now.
func (cmd *pushCommand) summarised(doc *result.Document, o table.Options) bool {
	if cmd.env.variable(ci.SummaryVariable) == "" {
		return false
	}
	room := true
	err := ci.Open(ci.GitHub, cmd.env.variable).AppendSummary(
		func(w io.Writer, _ int) error { return report.Render(w, "comment", doc, o) },
		func(int64) { room = false })
	if err != nil {
		cmd.env.printError(err)
	} else if room {
		cmd.env.say("the report is in the summary of this job")
	}
	return err == nil && room
}

// resultToPost reads a result, or the last run if none is named.
func (cmd *pushCommand) resultToPost(ctx context.Context, args []string) (doc *result.Document, err error) {
	paths, _, err := cmd.env.results().ResolveAll(args)
	if err != nil {
		return nil, err
	}
	if len(paths) > 1 {
		return nil, diag.Hinted(
			fmt.Sprintf("a comment is of one result, and there are %d", len(paths)),
			"suite merge joins the parts of a run",
		)
	}
	err = cmd.env.read(ctx, func() (err error) {
		docs, err := saved.ReadAll(paths, "")
		if err == nil {
			doc = docs[0]
		}
		return err
	})
	return doc, err
}
