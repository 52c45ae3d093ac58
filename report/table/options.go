package table

import "strings"

// Options are a reader's choices about a report.
type Options struct {
	Color bool // text: colour by escape sequences
	Spelt bool // text: ASCII only
	Width int  // text: columns, at least 60; 0 means 100
	Most  int  // markdown: bytes at most; 0 means 65,000
	// Path maps a suite file to its path in the repository: github, gitlab. nil
	// leaves it as it is in the result.
	Path func(string) string
	// Timestamps adds the start of the run to each number: openmetrics, prometheus.
	Timestamps bool
	// Site is where the pages of suite site are, as the page links to them: html. Empty: nowhere.
	Site string
	// Report and Job are addresses of the HTML report and of the job that has measured, to which a comment links:
	// comment.
	Report, Job string
	View        // text: columns, order and folding of its tables
}

// RepoPath is the path of a file in its repository, with slashes on every system.
func (o Options) RepoPath(file string) string {
	if o.Path != nil {
		file = o.Path(file)
	}
	return strings.ReplaceAll(strings.ToValidUTF8(file, "\uFFFD"), `\`, "/")
}

// View is a reader's choice of columns and rows in the text report. The zero value
// shows the columns of NewTable in the order of the document. If there are too many
// cases for a screen, it shows only the ones that need attention.
type View struct {
	Columns    []string // keys of columns, or METRIC.STATISTIC, in this order
	Sort       string   // name, or the key of a column
	Descending bool
	GroupBy    string // a parameter: its values become rows, the variants columns
	All        bool   // show all rows and gates
	ASCII      bool   // draw with ASCII characters only
}
