// Command suite-push sends the runs on its standard input to a database or a monitoring
// system, or posts the report there to a pull request. suite push URL starts it.
package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"syscall"

	"example.com/suite/internal/self"
	"example.com/suite/stores/comment"
	"example.com/suite/stores/parquet"
	"example.com/suite/stores/postgres"
	"example.com/suite/stores/push"
)

// release is the version of a release build, which the linker sets.
var release string

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("suite-push version " + self.Version(release))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	kinds := maps.Clone(push.HTTP(os.LookupEnv))
	kinds["postgres"] = postgres.Open
	kinds["postgresql"] = postgres.Open
	kinds["parquet"] = parquet.Open
	here := comment.Here()
	comments := map[string]push.Poster{
		"github": func(ctx context.Context, to, text string) (string, error) {
			return comment.GitHub(ctx, here, to, text)
		},
		"gitlab": func(ctx context.Context, to, text string) (string, error) {
			return comment.GitLab(ctx, here, to, text)
		},
	}
	p := push.Program{Args: os.Args[1:], Stdin: os.Stdin, Stderr: os.Stderr, Kinds: kinds, Comments: comments}
	os.Exit(p.Run(ctx))
}
