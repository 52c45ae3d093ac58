// Package about describes the subjects of a report in words for people who know no
// statistics: a file for each subject, such as the pairs or the gates of a case, whose
// functions return blocks. Writers lay them out. The package judges nothing: everything is
// computed from the samples of a result document, in the same way as its verdicts.
package about

import "example.com/suite/report/page"

// sentence returns a paragraph of one line.
func sentence(format string, args ...any) []page.Block {
	return []page.Block{page.Paragraph{page.Say(format, args...)}}
}

// titled returns a section with a faint heading, and nothing if the blocks are empty.
func titled(head string, blocks ...page.Block) []page.Block {
	if blocks = page.Blocks(blocks...); len(blocks) == 0 {
		return nil
	}
	return []page.Block{page.Section{Head: page.Toned(page.Faint, head), Blocks: blocks}}
}

// item is an entry of one line.
func item(tone page.Tone, text string) page.Item {
	return page.Item{Lines: []page.Line{page.Toned(tone, text)}}
}

// faint is a paragraph that can be skipped.
func faint(text string) page.Paragraph { return page.Paragraph{page.Toned(page.Faint, text)} }

// more is the entry for those that are left out.
func more(n string) page.Item { return item(page.Faint, "… and "+n+" (--all shows them)") }
