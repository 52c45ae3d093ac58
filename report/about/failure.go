package about

import (
	"fmt"
	"strings"

	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Failure explains why there is no number: the case failed, was not reached, or was left out.
func Failure(c *result.Case) []page.Block {
	switch {
	case c.Status == result.NotRun:
		return sentence("The run ended before its turn came, so nothing is known about it.")
	case c.Status == result.LeftOut:
		return sentence("It was not measured, because %s. The suite file requires such programs for the case, or "+
			"for its base.",
			c.MissingText())
	case c.Failure == nil:
		return nil
	}
	if c.IsVanished() { // Counterpart has already explained the rest
		return sentence("What to try: %s", c.Failure.Hint)
	}
	f := table.NewFailure(c.Name, c)
	blocks := append(sentence("%s", howItFailed(&f)), page.Source(strings.Join(f.Lines, "\n")))
	var end page.Paragraph
	if f.Hint != "" {
		end.Say("What to try: %s", f.Hint)
	}
	end.Say("A case that could not be measured makes the run %s: silence must not look like a pass.", consequence(c))
	return append(blocks, end)
}

// consequence is what a failed case does to the run.
func consequence(c *result.Case) string {
	if c.Failure.Cause == result.FailedUncounted {
		return "end with exit 4 if no gate fails"
	}
	return "fail (exit 3)"
}

// Failures are the cases that could not be measured, with the last words of each.
func Failures(t *table.Table) []page.Block {
	var all page.List
	for i := range t.Failures {
		f := &t.Failures[i]
		blocks := []page.Block{page.Source(strings.Join(f.Lines, "\n"))}
		if f.Hint != "" {
			blocks = append(blocks, page.Paragraph{page.Text("hint: " + f.Hint)})
		}
		all = append(all, page.Item{
			Mark:   page.Span{Text: "✗", Tone: page.Bad, Means: "failed"},
			Blocks: page.Blocks(blocks...),
			Lines:  []page.Line{placed(f.Place, f.To, f.Label), page.Text(howItFailed(f))},
		})
	}
	if len(all) == 0 {
		return nil
	}
	if t.MoreFailures > 0 {
		all = append(all, more(fmt.Sprintf("%d more", t.MoreFailures)))
	}
	return []page.Block{page.Under("could not be measured", all)}
}

func howItFailed(f *table.Failure) string {
	text := f.Title + ": " + f.Message
	if f.Ended != "" {
		text += " (" + f.Ended + ")"
	}
	return text
}

// placed is a place in a suite file, and what is there.
func placed(place, to, what string) page.Line {
	if place == "" {
		return page.Text(what)
	}
	return page.Line{{Text: place, To: to}, {Text: ": " + what}}
}
