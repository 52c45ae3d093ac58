package table

import "strings"

// Options are what a reader may choose about a report.
type Options struct {
	Color bool // text: colours by escape sequences
	Spelt bool // text: nothing but ASCII
	Width int  // text: columns, at least 60; 0 means 100
	Most  int  // markdown: bytes at most; 0 means 65,000
	// Path gives the path that a suite file has in its repository: github, gitlab. nil
	// leaves it as the result has it.
	Path func(string) string
	// Timestamps gives each number the time at which the run began: openmetrics, prometheus.
	Timestamps bool
	View       // text: what its tables show
}

// RepoPath is that of a file for those who know the repository, with slashes.
func (o Options) RepoPath(file string) string {
	if o.Path != nil {
		file = o.Path(file)
	}
	return strings.ReplaceAll(strings.ToValidUTF8(file, "\uFFFD"), `\`, "/")
}
