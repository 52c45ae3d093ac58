package bisect

import (
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/shellword"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Page has the comparisons, then the answer.
func (d *Document) Page() []page.Block {
	about := page.Section{Head: page.Say("%s: %s between %s (good) and %s (bad), looking for %s%s or more",
		d.Case, units.Plural(d.Commits, "commit"), d.Good, d.Bad, units.Exact(d.Tolerance), wordsOf(d.Metric).what)}
	if len(d.Steps) > 0 {
		about.Blocks = append(about.Blocks, d.steps())
	}
	if len(d.Skipped) > 0 {
		about.Blocks = append(about.Blocks, page.Items(d.skipped()...))
	}
	return []page.Block{about, d.answer()}
}

// words are what a change of a metric is called.
type words struct {
	what      string // after a share: 3% …
	isMore    string // the bad commit … by 3%
	isLess    string // the bad commit … than the good one
	more      string // the verdict of a comparison
	makes     string // a commit makes a case …
	makesLess string
	launches  string // the observations of a comparison
}

func wordsOf(metric string) words {
	if metric == result.Instructions {
		return words{" more instructions", "executes more", "executes less", "more",
			"execute more", "execute less", "runs"}
	}
	return words{"", "is slower", "is faster", "slower", "slower", "faster", "launches"}
}

// String is the end as its user named it, with its hash.
func (e End) String() string {
	if strings.HasPrefix(e.Commit.Hash, e.Asked) && e.Asked != "" {
		return display.Commit(e.Commit.Hash)
	}
	return fmt.Sprintf("%s (%s)", e.Asked, display.Commit(e.Commit.Hash))
}

func (d *Document) steps() *page.Table {
	w := wordsOf(d.Metric)
	t := &page.Table{Columns: page.Heads("", "commit", "with", w.more+" by", "", w.launches, "time", "")}
	for _, j := range []int{0, 3, 5, 6} {
		t.Columns[j].Align = page.Right
	}
	for i := range d.Steps {
		s := &d.Steps[i]
		t.Add(fmt.Sprint(s.Number), display.Commit(s.Candidate), d.name(s.Base),
			number.RatioText(s.Answer.Ratio, 1), s.Answer.bounds(),
			fmt.Sprint(s.Answer.Launches), seconds(s.Answer.Seconds), s.verdict())
	}
	return t
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
	return fmt.Sprintf("(%s … %s)", number.RatioText(*a.Low, 1), number.RatioText(*a.High, 1))
}

// size is a ratio with its bounds.
func (a Answer) size() string {
	return strings.TrimSpace(number.RatioText(a.Ratio, 1) + " " + a.bounds())
}

// Line is a step in one line, for people who watch the search.
func (s *Step) Line() string {
	text := fmt.Sprintf("comparison %d of about %d: %s with %s", s.Number, max(s.Of, s.Number),
		display.Commit(s.Candidate), display.Commit(s.Base))
	switch a := s.Answer; {
	case a == nil:
		return text
	case a.Failed != "":
		return text + ": skipped, " + a.Failed
	case a.Same != "":
		return text + ": the same program"
	default:
		return fmt.Sprintf("%s: %s, %s", text, s.verdict(), a.size())
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
		return "not " + wordsOf(s.Metric).more
	}
	return wordsOf(s.Metric).more
}

func (d *Document) skipped() (all []string) {
	for _, s := range d.Skipped {
		text := fmt.Sprintf("%s was skipped: %s", display.Commit(s.Commit), s.Reason)
		if s.As != "" {
			text = fmt.Sprintf("%s was not measured: it counts as %s, since %s",
				display.Commit(s.Commit), d.name(s.As), s.Reason)
		}
		all = append(all, text)
	}
	return all
}

// answer is the answer in words, with what it rests on.
func (d *Document) answer() page.List {
	all := page.List{d.outcome()}
	add := func(line page.Line) { all = append(all, page.Item{Lines: []page.Line{line}}) }
	switch d.Outcome {
	case Faster:
		add(page.Text("to search the other way round: ").With(d.command(d.Bad, d.Good)))
	case Spread:
		add(page.Text("to look for smaller changes: ").With("--tolerance " + units.Exact(d.Tolerance/3)))
	}
	if r := d.Range; r != nil {
		add(page.Say("so far: %s after %s, up to %s", in(r.Commits), display.Commit(r.Good.Hash),
			display.Commit(r.Bad.Hash)))
	}
	if d.Continue != "" {
		add(page.Text("to go on from here: ").With(d.Continue))
	}
	add(page.Text(d.effort()))
	return all
}

func (d *Document) outcome() page.Item {
	text := "undecided: " + d.Reason
	switch d.Outcome {
	case Found:
		return d.found()
	case Unchanged:
		text = "no change to find: " + d.unchanged()
	case Faster:
		text = fmt.Sprintf("no slowdown to find: the bad commit %s than the good one, %s",
			wordsOf(d.Metric).isLess, d.Change.size())
	case Spread:
		text = fmt.Sprintf("no commit alone: the bad commit %s by %s, and no commit was found that takes %s "+
			"or more of it",
			wordsOf(d.Metric).isMore, d.Change.size(), units.Exact(d.Tolerance))
	case Failed:
		text = "could not be measured: " + d.Reason
	case Interrupted:
		text = "interrupted"
	}
	return page.Item{Lines: []page.Line{page.Text(text)}}
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
	return fmt.Sprintf("the bad commit %s by %s, which is less than %s", wordsOf(d.Metric).isMore, d.Change.size(),
		units.Exact(d.Tolerance))
}

func (d *Document) found() (item page.Item) {
	f := d.Found
	add := func(line page.Line) { item.Lines = append(item.Lines, line) }
	one := display.Commit(f.Commits[0].Hash)
	switch {
	case len(f.Commits) == 1 && d.Backwards:
		add(page.Say("found: %s makes %s %s; its parent takes %s", one, d.Case,
			wordsOf(d.Metric).makesLess, f.Change.size()))
	case len(f.Commits) == 1:
		add(page.Say("found: %s makes %s %s, %s", one, d.Case, wordsOf(d.Metric).makes, f.Change.size()))
	default:
		add(page.Say("found: one of %d commits that cannot be told apart changes %s by %s", len(f.Commits),
			d.Case, f.Change.size()))
	}
	for _, c := range f.Commits {
		add(page.Text(about(c)))
	}
	for _, m := range f.Merges {
		add(page.Text("it came with the merge " + about(m)))
	}
	if f.Unsettled != "" {
		add(page.Text(f.Unsettled))
	}
	item.Lines = append(item.Lines, d.remains()...)
	return item
}

func about(c tree.Commit) string {
	return strings.TrimSpace(fmt.Sprintf("%s  %s  %s  %s", display.Commit(c.Hash), c.Date, c.Author, c.Subject))
}

// remains is what the commit that was found does not explain.
func (d *Document) remains() (lines page.Paragraph) {
	f := d.Found
	if len(f.Merges) > 0 || d.Backwards {
		return nil
	}
	parent := display.Commit(f.Parent.Hash)
	last := display.Commit(f.Commits[len(f.Commits)-1].Hash)
	if f.Before != nil {
		text := fmt.Sprintf("before it: %s differs from the good commit by %s", parent, f.Before.size())
		if f.Before.Same != "" {
			text = fmt.Sprintf("before it: %s is the same program as the good commit", parent)
		}
		lines = append(lines, page.Text(text))
		if d.isLarge(*f.Before) {
			lines = append(lines, page.Text("to find that too: ").With(d.command(d.Good, End{Asked: parent})))
		}
	}
	if f.After != nil {
		rest := d.Change.over(f.After)
		lines.Say("after it: the bad commit differs from it by %s", rest.size())
		if d.isLarge(rest) {
			lines = append(lines, page.Text("to find that too: ").With(d.command(End{Asked: last}, d.Bad)))
		}
	}
	return lines
}

// isLarge reports whether a change is certain, and large enough to be searched for.
func (d *Document) isLarge(a Answer) bool {
	return a.log() >= math.Log1p(d.Tolerance) && a.Low != nil && *a.Low > 1
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
	text := fmt.Sprintf("%s, %s: %d, %s", units.Plural(len(d.Steps), "comparison"), wordsOf(d.Metric).launches,
		launches, seconds(taken))
	if old := len(d.Steps) - fresh; old > 0 {
		text += fmt.Sprintf("; %d of them in an earlier part of the search", old)
	}
	if len(d.Steps) == 0 {
		return text
	}
	return fmt.Sprintf("confidence %s that all these intervals are right; %s",
		units.Exact(math.Floor(1000*d.Confidence)/1000), text)
}
