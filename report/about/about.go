// Package about describes the subjects of a report in words for people who know no
// statistics: a file for each subject, such as the pairs or the gates of a case, whose
// functions return blocks. Writers lay them out. The package judges nothing: everything is
// computed from the samples of a result document, in the same way as its verdicts.
package about

import (
	"example.com/suite/report/page"
)

// sentence returns a paragraph of one line.
func sentence(format string, args ...any) []page.Block {
	return []page.Block{page.Paragraph{page.Say(format, args...)}}
}
