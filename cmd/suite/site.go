package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/trend"
	"example.com/suite/report/html"
	"github.com/spf13/cobra"
)

const siteHelp = `Write a folder of static pages that show the history: an index of all cases with their
latest changes, and a page for each case with its metrics over commits. Any web server
can serve it, such as GitHub Pages or GitLab Pages; it needs no network and no other
program, and can be opened as a file. Commits lead to their pages on the web, if the
repository has a remote there. With them come a feed of the changes (feed.atom), a badge
of the project (badge.svg) and one of each case, next to its page.

A change that was acknowledged with suite accept --commit is shown as such, with its reason,
and is not counted. The same command again replaces the pages. An html report links to them with --site,
for example suite run --save --out html=public/report.html --site index.html FILE.`

// siteCommand is suite site.
type siteCommand struct {
	env env
	trendFlags
	name string // of the project
}

func (cmd *siteCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "site FOLDER", Short: "write web pages of the history", Long: siteHelp,
		Example: "  suite site public\n  suite site --last 500 --name parser public",
		Args:    files("a folder"), ValidArgsFunction: folders,
		RunE: func(c *cobra.Command, args []string) error { return cmd.run(cmd.env.orderly(c), args[0]) },
	}
	c.Flags().StringVar(&cmd.name, "name", "", "`NAME` of the project (default: the folder of the repository)")
	cmd.flags(c)
	complete(c, "name", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{projectName()}, cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

func (cmd *siteCommand) run(ctx context.Context, folder string) error {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return diag.Hinted(folder+" is a file, and pages need a folder", "suite site public")
	}
	entries, search, err := cmd.read(ctx, cmd.env)
	if err != nil {
		return err
	}
	site := html.Site{
		Name:   cmp.Or(cmd.name, projectName()),
		Tool:   "suite " + version(),
		Made:   cmd.env.now(),
		Series: trend.OfAll(entries, search),
	}
	if len(site.Series) == 0 {
		return trend.NoSeries(nil, "time", project.Store(cmd.history).String())
	}
	cmd.env.warn(trend.Unused(search.Acknowledged, site.Series))
	if err := site.Write(folder); err != nil {
		return diag.Hinted(err.Error(), "name a folder that can be written")
	}
	cmd.env.say("open %s", filepath.Join(folder, "index.html"))
	return nil
}

// projectName is the name of the folder that contains the repository, or of the working
// folder.
func projectName() string {
	folder := cmp.Or(tree.TopOf("."), ".")
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	return filepath.Base(folder)
}
