package bisect

import (
	"fmt"
	"io"
	"math"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/shellword"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
	"example.com/suite/report/table"
)

// WriteText writes a document for people: the comparisons, then the answer.
func (d *Document) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s between %s (good) and %s (bad), %s\n\n", d.Case, units.Plural(d.Commits, "commit"), d.Good, d.Bad,
		"looking for "+units.Exact(d.Tolerance)+" or more")
	d.writeSteps(&b)
	d.writeSkipped(&b)
	for _, line := range d.answer() {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String is the end as its user named it, with its hash.
func (e End) String() string {
	if strings.HasPrefix(e.Commit.Hash, e.Asked) && e.Asked != "" {
		return display.Commit(e.Commit.Hash)
	}
	return fmt.Sprintf("%s (%s)", e.Asked, display.Commit(e.Commit.Hash))
}

func (d *Document) writeSteps(b *strings.Builder) {
	if len(d.Steps) == 0 {
		return
	}
	rows := [][]string{{"", "commit", "with", "slower by", "", "launches", "time", ""}}
	for i := range d.Steps {
		s := &d.Steps[i]
		rows = append(rows, []string{fmt.Sprint(s.Number), display.Commit(s.Candidate), d.name(s.Base), table.RatioText(s.Answer.Ratio, 1), s.Answer.bounds(),
			fmt.Sprint(s.Answer.Launches), seconds(s.Answer.Seconds), s.verdict()})
	}
	rightAligned := []bool{true, false, false, true, false, true, true, false}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if rightAligned[i] {
				line += "  " + pad + cell
			} else {
				line += "  " + cell + pad
			}
		}
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(b)
}

// name is what a reader knows a commit by.
func (d *Document) name(hash string) string {
	if hash == d.Good.Commit.Hash {
		return "good"
	}
	return display.Commit(hash)
}

func seconds(s float64) string {
	return units.ShortTime(math.Round(s))
}

func (a Answer) bounds() string {
	if a.Low == nil || a.High == nil {
		return ""
	}
	return fmt.Sprintf("(%s … %s)", table.RatioText(*a.Low, 1), table.RatioText(*a.High, 1))
}

// Line is a step in one line, for people who watch the search.
func (s *Step) Line() string {
	text := fmt.Sprintf("comparison %d of about %d: %s with %s", s.Number, max(s.Of, s.Number), display.Commit(s.Candidate), display.Commit(s.Base))
	switch a := s.Answer; {
	case a == nil:
		return text
	case a.Failed != "":
		return text + ": skipped, " + a.Failed
	case a.Same != "":
		return text + ": the same program"
	default:
		return strings.TrimSpace(fmt.Sprintf("%s: %s, %s %s", text, s.verdict(), table.RatioText(a.Ratio, 1), a.bounds()))
	}
}

// verdict is the answer to the question of a step, in words.
func (s *Step) verdict() string {
	switch {
	case s.Answer.Same != "":
		return "the same program"
	case s.Side == "undecided":
		return "not decided"
	case s.Side == "below" && s.Purpose == Middle:
		return "before the change"
	case s.Side == "above" && s.Purpose == Middle:
		return "after the change"
	case s.Side == "below":
		return "not slower"
	}
	return "slower"
}

func (d *Document) writeSkipped(b *strings.Builder) {
	for _, s := range d.Skipped {
		if s.As != "" {
			fmt.Fprintf(b, "  %s was not measured: it counts as %s, since %s\n", display.Commit(s.Commit), d.name(s.As), s.Reason)
			continue
		}
		fmt.Fprintf(b, "  %s was skipped: %s\n", display.Commit(s.Commit), s.Reason)
	}
	if len(d.Skipped) > 0 {
		fmt.Fprintln(b)
	}
}

// answer is the answer in words, with what it rests on.
func (d *Document) answer() (lines []string) {
	switch d.Outcome {
	case Found:
		lines = d.foundLines()
	case Unchanged:
		lines = append(lines, "no change to find: "+d.unchanged())
	case Faster:
		lines = append(lines, fmt.Sprintf("no slowdown to find: the bad commit is faster than the good one, %s %s", table.RatioText(d.Change.Ratio, 1), d.Change.bounds()),
			"to search the other way round: "+d.command(d.Bad, d.Good))
	case Spread:
		lines = append(lines, fmt.Sprintf("no commit alone: the bad commit is slower by %s %s, and no commit was found that takes %s or more of it",
			table.RatioText(d.Change.Ratio, 1), d.Change.bounds(), units.Exact(d.Tolerance)), "to look for smaller changes: --tolerance "+units.Exact(d.Tolerance/3))
	case Failed:
		lines = append(lines, "could not be measured: "+d.Reason)
	case Interrupted:
		lines = append(lines, "interrupted")
	default:
		lines = append(lines, "undecided: "+d.Reason)
	}
	if r := d.Range; r != nil {
		lines = append(lines, fmt.Sprintf("so far: %s after %s, up to %s", in(r.Commits), display.Commit(r.Good.Hash), display.Commit(r.Bad.Hash)))
	}
	if d.Continue != "" {
		lines = append(lines, "to go on from here: "+d.Continue)
	}
	return append(lines, d.effort())
}

func in(commits int) string {
	if commits == 1 {
		return "the change is in the one commit"
	}
	return fmt.Sprintf("the change is in one of %d commits", commits)
}

func (d *Document) unchanged() string {
	if d.Change.Same != "" {
		return "the two commits cannot differ, since " + d.Change.Same
	}
	return fmt.Sprintf("the bad commit is slower by %s %s, which is less than %s", table.RatioText(d.Change.Ratio, 1), d.Change.bounds(), units.Exact(d.Tolerance))
}

func (d *Document) foundLines() (lines []string) {
	f := d.Found
	size := fmt.Sprintf("%s %s", table.RatioText(f.Change.Ratio, 1), f.Change.bounds())
	one := f.Commits[0]
	switch {
	case len(f.Commits) == 1 && d.Backwards:
		lines = append(lines, fmt.Sprintf("found: %s makes %s faster; its parent takes %s", display.Commit(one.Hash), d.Case, size))
	case len(f.Commits) == 1:
		lines = append(lines, fmt.Sprintf("found: %s makes %s slower, %s", display.Commit(one.Hash), d.Case, size))
	default:
		lines = append(lines, fmt.Sprintf("found: one of %d commits that cannot be told apart changes %s by %s", len(f.Commits), d.Case, size))
	}
	for _, c := range f.Commits {
		lines = append(lines, "  "+about(c))
	}
	for _, m := range f.Merges {
		lines = append(lines, fmt.Sprintf("  it came with the merge %s", about(m)))
	}
	if f.Unsettled != "" {
		lines = append(lines, "  "+f.Unsettled)
	}
	return append(lines, d.remains()...)
}

func about(c tree.Commit) string {
	return strings.TrimSpace(fmt.Sprintf("%s  %s  %s  %s", display.Commit(c.Hash), c.Date, display.Visible(c.Author), display.Visible(c.Subject)))
}

// remains is what the commit that was found does not explain.
func (d *Document) remains() (lines []string) {
	f := d.Found
	if len(f.Merges) > 0 || d.Backwards {
		return nil
	}
	last := f.Commits[len(f.Commits)-1]
	if f.Before != nil {
		text := fmt.Sprintf("  before it: %s differs from the good commit by %s %s", display.Commit(f.Parent.Hash), table.RatioText(f.Before.Ratio, 1), f.Before.bounds())
		if f.Before.Same != "" {
			text = fmt.Sprintf("  before it: %s is the same program as the good commit", display.Commit(f.Parent.Hash))
		}
		lines = append(lines, text)
		if f.Before.log() >= math.Log1p(d.Tolerance) && f.Before.Low != nil && *f.Before.Low > 1 {
			lines = append(lines, "    to find that too: "+d.command(d.Good, End{Asked: display.Commit(f.Parent.Hash)}))
		}
	}
	if f.After != nil {
		rest := d.Change.over(f.After)
		lines = append(lines, fmt.Sprintf("  after it: the bad commit differs from it by %s %s", table.RatioText(rest.Ratio, 1), rest.bounds()))
		if rest.log() >= math.Log1p(d.Tolerance) && rest.Low != nil && *rest.Low > 1 {
			lines = append(lines, "    to find that too: "+d.command(End{Asked: display.Commit(last.Hash)}, d.Bad))
		}
	}
	return lines
}

// command is the command line of another search of the same case.
func (d *Document) command(good, bad End) string { return d.Command(good, bad, d.Flags) }

// Command is the command line of a search of the case between two ends, with flags.
func (d *Document) Command(good, bad End, flags []string) string {
	words := append([]string{"suite", "bisect", d.File, d.Case, "--good", good.Asked, "--bad", bad.Asked}, flags...)
	return shellword.Join(words)
}

// effort is what the search took, and what its intervals are worth.
func (d *Document) effort() string {
	launches := 0
	taken := 0.0
	fresh := 0
	for i := range d.Steps {
		launches += d.Steps[i].Answer.Launches
		taken += d.Steps[i].Answer.Seconds
		if !d.Steps[i].Replayed {
			fresh++
		}
	}
	text := fmt.Sprintf("%s, launches: %d, %s", units.Plural(len(d.Steps), "comparison"), launches, seconds(taken))
	if old := len(d.Steps) - fresh; old > 0 {
		text += fmt.Sprintf("; %d of them in an earlier part of the search", old)
	}
	if len(d.Steps) == 0 {
		return text
	}
	return fmt.Sprintf("confidence %s that all these intervals are right; %s", units.Exact(math.Floor(1000*d.Confidence)/1000), text)
}
