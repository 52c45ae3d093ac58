// Package push hands runs to suite-push, the program that sends them to databases and monitoring
// systems. suite itself opens no connections.
package push

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/foreign"
	"example.com/suite/report/page"
)

// program is the program that sends runs.
const program = "suite-push"

// Schemes are the beginnings of the URLs of stores.
func Schemes() []string {
	return []string{
		"postgres://", "clickhouse+http://", "pushgateway+http://", "otlp+http://", "parquet:", "github", "gitlab",
	}
}

// IsComment reports whether the place is a pull request, or the merge request of GitLab, to which a report is posted.
func IsComment(to string) bool {
	kind, _, _ := strings.Cut(to, ":")
	return kind == "github" || kind == "gitlab"
}

// Request is what a command line asks to send: results, or runs of a history.
type Request struct {
	To      string   // URL of a store, or a pull request
	Results []string // files
	History string   // folder; empty: results are sent
	Last    int      // newest runs of the history; 0: all
	Report  string   // address to which a comment links; may be empty
}

// Check refuses a request that makes no sense. It reads nothing.
func (r *Request) Check() error {
	switch {
	case IsComment(r.To) && r.History != "":
		return diag.Hinted("a comment is of one result and not of a history", "leave out --history")
	case !isURL(r.To) && !IsComment(r.To):
		return diag.Hinted(
			fmt.Sprintf("%q is not the URL of a store", r.To),
			"the URL comes first, for example postgres://HOST/DATABASE, or github; another history is --history=FOLDER",
		)
	case r.History != "" && len(r.Results) > 0:
		return diag.Hinted(
			fmt.Sprintf("--history sends the runs of the history, and %q is a result", r.Results[0]),
			"leave out one of them; another folder is --history=FOLDER",
		)
	case r.Last < 0 || r.Last > 0 && r.History == "":
		return diag.Hinted(
			fmt.Sprintf("--last %d: want --history and a number of its runs", r.Last),
			"for example: suite push --history --last 100 URL",
		)
	case r.Report != "" && !IsComment(r.To):
		return diag.Hinted(fmt.Sprintf("--report is for comments, and %q is a store", r.To), "leave it out")
	case r.Report != "" && !page.IsAddress(r.Report):
		return diag.Hinted(
			fmt.Sprintf("--report %q is no address that a comment may link to", r.Report),
			"https://HOST/PATH, without a password",
		)
	}
	return nil
}

// isURL reports whether a text begins with a scheme. The drive of a path on Windows is none.
func isURL(text string) bool {
	scheme, _, ok := strings.Cut(text, ":")
	return ok && len(scheme) > 1 && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+") == ""
}

// Stored returns the newest runs of a history, or all if last is 0, in the order of time. unread
// are the problems of files that could not be read; the other runs are returned all the same.
func Stored(s history.Store, last int) (runs []*history.Run, unread diag.Problems, err error) {
	entries, unread, err := s.Readable(history.AnyCase)
	if err == nil && len(entries) == 0 {
		err = s.NoRuns()
	}
	if last > 0 {
		entries = entries[max(0, len(entries)-last):]
	}
	for i := range entries {
		runs = append(runs, &entries[i].Run)
	}
	return runs, unread, err
}

// Results returns the runs of result documents, without the dates of their commits. Every document must have measured a
// case, and none may be there twice.
func Results(paths []string) (runs []*history.Run, err error) {
	for _, path := range paths {
		of, err := foreign.ReadResult(path, "", "")
		if err != nil {
			return nil, err
		}
		of = slices.DeleteFunc(of, func(r *history.Run) bool { return len(r.Cases) == 0 })
		if len(of) == 0 {
			return nil, diag.Hinted(
				path+": nothing was measured, so there is nothing to send",
				"suite report shows what happened",
			)
		}
		if slices.ContainsFunc(runs, func(r *history.Run) bool { return r.Digest == of[0].Digest }) {
			return nil, diag.Hinted(fmt.Sprintf("%q has a result that is there already", path), "name each result once")
		}
		runs = append(runs, of...)
	}
	return runs, nil
}

// Find finds the program that sends runs in PATH or next to this one.
func Find() (string, error) {
	path, err := exec.LookPath(program)
	if err == nil {
		return path, nil
	}
	if self, err := os.Executable(); err == nil {
		path, err = exec.LookPath(filepath.Join(filepath.Dir(self), program))
		if err == nil {
			return path, nil
		}
	}
	return "", diag.Hinted(
		"there is no program "+program+" in PATH, which sends results",
		"a release has it next to suite; in a clone of suite: go install -C stores ./"+program,
	)
}

// farewell is how long a program that sends results may take to end after an interrupt.
const farewell = 10 * time.Second

// Command is the program with the runs as its input, as suite history export writes them. If the
// context ends, the program gets an interrupt.
func Command(ctx context.Context, path, to string, runs []*history.Run) (*exec.Cmd, error) {
	var text bytes.Buffer
	entries := make([]history.Entry, len(runs))
	for i, run := range runs {
		entries[i].Run = *run
	}
	if err := history.Export(&text, entries); err != nil {
		return nil, err
	}
	return handing(ctx, path, to, &text), nil
}

// Comment is the program with a report as its input, to be posted.
func Comment(ctx context.Context, path, to string, report io.Reader) *exec.Cmd {
	return handing(ctx, path, to, report)
}

func handing(ctx context.Context, path, to string, input io.Reader) *exec.Cmd {
	c := exec.CommandContext(ctx, path, to)
	c.Stdin = input
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = farewell
	return c
}
