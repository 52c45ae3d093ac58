package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/signals"
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

A run that is sent again changes nothing. Exit status 3 means that runs were not sent,
and the message names them.

suite itself opens no connections: it hands the runs to suite-push, a program of its own,
which has to be installed too. It reads passwords from PGPASSWORD, ~/.pgpass and
SUITE_PUSH_PASSWORD; a password in the URL is seen in the list of processes.`

const pushExample = `  suite push postgres://bench@db.example.com/bench
  suite push --history postgres://bench@db.example.com/bench
  suite push pushgateway+http://localhost:9091 result.json
  suite push --history --last 100 otlp+https://otel.example.com
  suite push --history=old/history parquet:runs`

type pushOptions struct {
	history string
	last    int
}

func (e env) pushCommand() *cobra.Command {
	var o pushOptions
	c := &cobra.Command{
		Use: "push URL [RESULT.json|SUITE.yaml…]", Short: "send results to a database or a monitoring system", Long: pushHelp, Example: pushExample,
		Args: files("the URL of a store"), ValidArgsFunction: pushArgs,
		RunE: func(c *cobra.Command, args []string) error { return e.push(e.orderly(c), args[0], args[1:], &o) },
	}
	c.Flags().StringVar(&o.history, "history", "", "send the runs of the history in place of a result; `FOLDER` is named with an equals sign, --history=FOLDER")
	c.Flags().Lookup("history").NoOptDefVal = history.Folder
	c.Flags().IntVar(&o.last, "last", 0, "of the history, send the newest `N` runs only")
	complete(c, "history", folders)
	return c
}

// pushArgs completes the kinds of stores, then results.
func pushArgs(c *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return resultArgs(c, args, toComplete)
	}
	return []string{"postgres://", "clickhouse+http://", "pushgateway+http://", "otlp+http://", "parquet:"}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (e env) push(ctx context.Context, to string, results []string, o *pushOptions) error {
	if err := o.check(to, results); err != nil {
		return err
	}
	program, err := pushProgram()
	if err != nil {
		return err
	}
	runs, unread, err := e.runsToPush(ctx, results, o)
	if err != nil {
		return err
	}
	err = e.pushBy(ctx, program, to, runs)
	if err == nil && unread != nil {
		err = status(exitFail)
	}
	return err
}

// check refuses a command line that makes no sense, before anything is read.
func (o *pushOptions) check(to string, results []string) error {
	switch {
	case !isURL(to):
		return diag.Hinted(fmt.Sprintf("%q is not the URL of a store", to), "the URL comes first, for example postgres://HOST/DATABASE; another history is --history=FOLDER")
	case o.history != "" && len(results) > 0:
		return diag.Hinted(fmt.Sprintf("--history sends the runs of the history, and %q is a result", results[0]), "leave out one of them; another folder is --history=FOLDER")
	case o.last < 0 || o.last > 0 && o.history == "":
		return diag.Hinted(fmt.Sprintf("--last %d: want --history and a number of its runs", o.last), "for example: suite push --history --last 100 URL")
	}
	return nil
}

// isURL reports whether a text begins with a scheme. The drive of a path on Windows is none.
func isURL(text string) bool {
	scheme, _, ok := strings.Cut(text, ":")
	return ok && len(scheme) > 1 && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+") == ""
}

// runsToPush reads the runs that are to be sent. unread is an error about files of the history
// that could not be read; it is printed already.
func (e env) runsToPush(ctx context.Context, results []string, o *pushOptions) (runs []*history.Run, unread, err error) {
	if o.history == "" {
		runs, err = e.runsOfResults(ctx, results)
		return runs, nil, err
	}
	folder := o.history
	if folder == history.Folder { // at the top of the repository
		folder = ""
	}
	store := history.Store{Dir: historyFolder(folder)}
	entries, err := store.Read(anyCase)
	if _, ok := diag.AsProblems(err); ok {
		e.explain(err)
		unread, err = err, nil
	}
	if err == nil && len(entries) == 0 {
		err = noRuns(store)
	}
	if err != nil {
		return nil, nil, err
	}
	if o.last > 0 {
		entries = entries[max(0, len(entries)-o.last):]
	}
	for i := range entries {
		runs = append(runs, &entries[i].Run)
	}
	return runs, unread, nil
}

// runsOfResults makes a run of each result, or of the last run if there are none.
func (e env) runsOfResults(ctx context.Context, args []string) (runs []*history.Run, err error) {
	paths, _, err := e.resultPaths(args)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		of, err := resultRuns(path, "", "")
		if err != nil {
			return nil, err
		}
		of = slices.DeleteFunc(of, func(r *history.Run) bool { return len(r.Cases) == 0 })
		if len(of) == 0 {
			return nil, diag.Hinted(path+": nothing was measured, so there is nothing to send", "suite report shows what happened")
		}
		if slices.ContainsFunc(runs, func(r *history.Run) bool { return r.Digest == of[0].Digest }) {
			return nil, diag.Hinted(fmt.Sprintf("%q has a result that is there already", path), "name each result once")
		}
		runs = append(runs, of...)
	}
	describe(ctx, runs)
	return runs, nil
}

// pushName is the program that sends runs.
const pushName = "suite-push"

// pushProgram finds the program in PATH or next to this one.
func pushProgram() (string, error) {
	path, err := exec.LookPath(pushName)
	if err == nil {
		return path, nil
	}
	if self, err := os.Executable(); err == nil {
		path, err = exec.LookPath(filepath.Join(filepath.Dir(self), pushName))
		if err == nil {
			return path, nil
		}
	}
	return "", diag.Hinted("there is no program "+pushName+" in PATH, which sends results", "in a clone of suite: go install -C stores ./"+pushName)
}

// farewell is how long a program that sends results may take to end after an interrupt.
const farewell = 10 * time.Second

// pushBy hands runs to the program, as suite history export writes them. The program prints what
// it has done, and its exit status is the command's.
func (e env) pushBy(ctx context.Context, program, to string, runs []*history.Run) error {
	var text bytes.Buffer
	entries := make([]history.Entry, len(runs))
	for i, run := range runs {
		entries[i].Run = *run
	}
	if err := history.Export(&text, entries); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, program, to)
	c.Stdin, c.Stdout, c.Stderr = &text, e.stdout, e.stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = farewell
	err := c.Run()
	if name := signals.Name(ctx); name != "" {
		return status(result.InterruptStatus(name))
	}
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if failed.ExitCode() <= 0 {
			e.say("%s: %v", program, failed)
			return status(exitFail)
		}
		return status(failed.ExitCode())
	}
	if err != nil {
		e.explain(err)
		return status(exitFail)
	}
	return nil
}
