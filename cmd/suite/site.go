package main

import (
	"cmp"
	"os"
	"path/filepath"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/trend"
	"example.com/suite/report/html"
	"github.com/spf13/cobra"
)

const siteHelp = `Write a folder of static pages that show the history: an index of all cases with their
latest changes, and a page for each case with its metrics over commits. Any web server
can serve it, such as GitHub Pages or GitLab Pages; it needs no network and no other
program, and can be opened as a file.

The same command again replaces the pages. An html report links to them with --site,
for example suite run --save --out html=public/report.html --site index.html FILE.`

func (e env) siteCommand() *cobra.Command {
	var o trendOptions
	var name string
	c := &cobra.Command{
		Use: "site FOLDER", Short: "write web pages of the history", Long: siteHelp,
		Example: "  suite site public\n  suite site --last 500 --name parser public",
		Args:    files("a folder"), ValidArgsFunction: folders,
		RunE: func(_ *cobra.Command, args []string) error { return e.site(args[0], name, &o) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&name, "name", "", "`NAME` of the project (default: the folder of the repository)")
	c.Flags().IntVar(&o.last, "last", 0, "show the newest `N` commits only")
	c.Flags().Float64Var(&o.least, "least", 1, "smallest change that is shown, in `PERCENT`")
	c.Flags().StringVar(&o.history, "history", "", historyFlagHelp)
	complete(c, "history", folders)
	complete(c, "name", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{projectName()}, cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

// siteMetric reports whether a metric is shown. Wall time and throughput repeat the time.
func siteMetric(name string) bool { return name != "throughput" && name != "wall" }

func (e env) site(folder, name string, o *trendOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return diag.Hinted(folder+" is a file, and pages need a folder", "suite site public")
	}
	store := project.Store(o.history)
	entries, err := e.runsOf(store, history.AnyCase)
	if err != nil {
		return err
	}
	site := html.Site{Name: cmp.Or(name, projectName()), Tool: "suite " + version(), Made: e.now()}
	for _, metric := range trend.MetricsOf(entries) {
		if siteMetric(metric) {
			site.Series = append(site.Series, trend.Of(entries, o.search(metric))...)
		}
	}
	if len(site.Series) == 0 {
		return noSeries(nil, "time", store.Dir)
	}
	if err := site.Write(folder); err != nil {
		return diag.Hinted(err.Error(), "name a folder that can be written")
	}
	e.say("open %s", filepath.Join(folder, "index.html"))
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
