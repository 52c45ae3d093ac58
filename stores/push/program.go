package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/history"
)

// UsageError is an error of the command line: nothing was sent.
type UsageError struct{ Err error }

func (u UsageError) Error() string { return u.Err.Error() }
func (u UsageError) Unwrap() error { return u.Err }

// Usage makes a UsageError with a hint.
func Usage(message, hint string) error { return UsageError{diag.Hinted(message, hint)} }

// Program is the program suite-push. Its argument is a URL, and it reads runs from standard
// input as suite history export writes them.
type Program struct {
	Args   []string
	Stdin  io.Reader
	Stderr io.Writer
	Kinds  map[string]Opener // by the scheme of their URL, before a plus sign
	// Comments are the places where reports are posted, by what their names begin with. Standard input is then a
	// report.
	Comments map[string]Poster
}

// Poster posts a report to a place, and returns what it has done.
type Poster func(ctx context.Context, to, text string) (done string, err error)

// Opener opens the store that a URL names.
type Opener func(ctx context.Context, to string) (Store, error)

// Run sends the runs and returns the exit status: 0 if the store has all of them, 2 after a
// wrong command line, and 3 after any other failure.
func (p *Program) Run(ctx context.Context) int {
	if len(p.Args) != 1 || strings.HasPrefix(p.Args[0], "-") {
		fmt.Fprintln(p.Stderr, "usage: suite history export | suite-push URL\n       suite report --out comment=- | "+
			"suite-push github|gitlab\nsuite push URL runs it, and docs/stores.md describes it.")
		return 2
	}
	say := func(what, text string) { fmt.Fprintln(p.Stderr, what+display.Visible(text)) }
	done, err := p.push(ctx)
	if err == nil {
		say("suite: ", done)
		return 0
	}
	say("suite: ", err.Error())
	if hint := diag.HintOf(err); hint != "" {
		say("\thint: ", hint)
	}
	if errors.As(err, &UsageError{}) {
		return 2
	}
	return 3
}

func (p *Program) push(ctx context.Context) (done string, err error) {
	scheme, _, _ := strings.Cut(p.Args[0], ":")
	kind, _, _ := strings.Cut(scheme, "+")
	if post := p.Comments[kind]; post != nil {
		text, err := io.ReadAll(p.Stdin)
		if err != nil {
			return "", err
		}
		return post(ctx, p.Args[0], strings.TrimSpace(string(text)))
	}
	open := p.Kinds[kind]
	if open == nil {
		return "", Usage(fmt.Sprintf("no store has a URL that begins with %s", diag.Quote(scheme+":")), hintFor(kind))
	}
	store, err := open(ctx, p.Args[0])
	if err != nil {
		return "", err
	}
	if c, ok := store.(io.Closer); ok {
		defer c.Close()
	}
	text, err := io.ReadAll(p.Stdin)
	if err != nil {
		return "", err
	}
	runs, err := history.Import(text)
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	return Runs(ctx, store, runs)
}

// hintFor is what to write in place of a scheme that is none of a store.
func hintFor(kind string) string {
	switch kind {
	case "file":
		return "suite report --out prometheus=FILE writes a file for the textfile collector"
	case "http", "https":
		return "put the kind of the store before it: clickhouse+" + kind + "://, pushgateway+" + kind +
			":// or otlp+" + kind + "://"
	}
	return "postgres://HOST/DATABASE, clickhouse+http://HOST:8123/DATABASE, pushgateway+http://HOST:9091, " +
		"otlp+http://HOST:4318 or parquet:FOLDER; github or gitlab for a comment"
}
