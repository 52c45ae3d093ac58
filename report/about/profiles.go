package about

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// fewFunctions of a profile are explained; the page and the pprof files have more.
const fewFunctions = 8

// Profiles names the functions that account for a change, and lists what grew.
func Profiles(c *result.Case) []page.Block {
	blocks := Culprits(c)
	if c.Profiling != nil {
		for i := range c.Profiling.Profiles {
			blocks = append(blocks, grown(&c.Profiling.Profiles[i])...)
		}
	}
	return blocks
}

// Culprits are the functions that account for a change; nil if the case was not to be profiled.
func Culprits(c *result.Case) []page.Block {
	p := c.Profiling
	if p == nil {
		return nil
	}
	reason := p.Text
	if p.Text != "" && p.Hint != "" {
		reason += "; " + p.Hint
	}
	if len(p.Profiles) == 0 {
		return sentence("There are no profiles: %s.", reason)
	}
	lines := page.Paragraph{page.Say("After all samples it was run again with profilers, each time in a new " +
		"process. No sample and no verdict depends on that.")}
	if reason != "" {
		lines.Say("There are fewer profiles than planned: %s.", reason)
	}
	if answer := accountedFor(p); answer != "" {
		lines = append(lines, page.Text(sentenceOf(answer)))
	}
	var causes page.List
	for i := range p.Causes {
		causes = append(causes, item(page.Bad, causeText(&p.Causes[i])))
	}
	remark := page.Say("Runtime and standard library count for the function that called them; go tool " +
		"pprof -top FILE lists each function by itself.")
	if len(p.Causes) > 0 {
		remark = page.Say("Intervals hold together with %s: Welch's for two means over launches, the error "+
			"divided among all functions (Bonferroni). Runtime and standard library count for the function that "+
			"called them.", units.Exact(confidenceOf(p)))
	}
	return []page.Block{lines, causes, page.Paragraph{remark}}
}

// costly are the functions that are shown to cost more, or why profiles name none. It is empty if
// there are no profiles by choice.
func costly(c *result.Case) (lines page.Paragraph) {
	p := c.Profiling
	if p == nil {
		return nil
	}
	for i := range p.Causes {
		lines = append(lines, page.Text("costs more: "+causeText(&p.Causes[i])))
	}
	if len(lines) > 0 || p.Reason == result.ProfileTooMany || p.Reason == result.ProfileCounted {
		return lines
	}
	if p.Text != "" {
		return faint("profiles name no cause: " + p.Text)
	}
	return faint("profiles name no cause")
}

func confidenceOf(p *result.Profiling) float64 {
	for i := range p.Profiles {
		if c := p.Profiles[i].Confidence; c > 0 {
			return c
		}
	}
	return 0
}

// accountedFor is what the causes explain, or that there is none. It is empty without a base.
func accountedFor(p *result.Profiling) string {
	if len(p.Causes) > 0 {
		sum := 0.0
		for i := range p.Causes {
			sum += p.Causes[i].Share.Value
		}
		what := units.Plural(len(p.Causes), "function") + " account"
		if len(p.Causes) == 1 {
			what = "one function accounts"
		}
		return fmt.Sprintf("%s for %s of what the profiles show to have grown", what, units.Whole(sum))
	}
	for i := range p.Profiles {
		if c := p.Profiles[i].Change; c != nil && c.Low != nil {
			return "no function is shown to cost more than in the base, so none is named as the cause"
		}
	}
	return ""
}

// causeText names a function, how much more it costs, and what of the change that is. The shares of
// several may add up to more than all: what else changed can have saved time.
func causeText(c *result.ProfileCause) string {
	text := fmt.Sprintf("%s: %s %s (%s … %s), %s of the change",
		table.ShortFunction(c.Function), grownBy(c.Change.Value, c.Unit), perIteration[c.Kind],
		grownBy(*c.Change.Low, c.Unit), grownBy(*c.Change.High, c.Unit), units.Whole(c.Share.Value))
	if c.Share.Low != nil {
		text += fmt.Sprintf(" (%s … %s)", units.Whole(*c.Share.Low), units.Whole(*c.Share.High))
	}
	if c.Leaf != "" {
		names := []string{table.ShortFunction(c.Leaf)}
		for _, l := range c.MoreLeaves {
			names = append(names, table.ShortFunction(l.Function))
		}
		text += ", much of it in " + strings.Join(names, ", ")
	}
	if c.Caller != "" {
		text += ", called by " + table.ShortFunction(c.Caller)
	}
	if c.File != "" && c.Line > 0 {
		text += fmt.Sprintf("; %s:%d", c.File[strings.LastIndex(c.File, "/")+1:], c.Line)
	}
	return text
}

// perIteration is what a cause costs more of.
var perIteration = map[result.ProfileKind]string{
	result.ProfileCPU: "an iteration", result.ProfileAlloc: "allocated an iteration",
	result.ProfileMutex: "an iteration of waiting for a lock that it holds",
	result.ProfileBlock: "an iteration of waiting",
}

// grownBy writes a change with its sign.
func grownBy(x float64, unit string) string {
	switch {
	case x < 0:
		return "−" + units.Short(-x, unit)
	case x == 0:
		return units.Short(0, unit)
	}
	return "+" + units.Short(x, unit)
}

// profileTitles are what profiles count, for people.
var profileTitles = map[result.ProfileKind]string{
	result.ProfileCPU: "time on processors", result.ProfileAlloc: "bytes allocated",
	result.ProfileMutex: "time that others waited for locks, by who held them", result.ProfileBlock: "time of waiting",
}

// ProfileTitle is what a profile counts, and how much of that there was: "time on processors: 12.3 µs
// an iteration, in the base 10.1 µs …".
func ProfileTitle(p *result.Profile) string {
	text := profileTitles[p.Kind] + ": " + units.Short(p.Here.Total, p.Unit) + " an iteration"
	readings, launches := fmt.Sprint(p.Here.Samples), units.Plural(p.Here.Launches, "launch")
	if p.Base != nil {
		text += ", in the base " + units.Short(p.Base.Total, p.Unit)
		if c := p.Change; c != nil && c.Low != nil {
			text += fmt.Sprintf(" (%s, %s … %s)", grownBy(c.Value, p.Unit), grownBy(*c.Low, p.Unit),
				grownBy(*c.High, p.Unit))
		}
		readings += " and " + fmt.Sprint(p.Base.Samples)
		if p.Base.Launches == p.Here.Launches {
			launches += " of each side"
		} else {
			launches = fmt.Sprintf("%d and %s", p.Here.Launches, units.Plural(p.Base.Launches, "launch"))
		}
	}
	text += fmt.Sprintf("; %s readings in %s", readings, launches)
	if p.Here.Rate > 0 {
		text += fmt.Sprintf(" at %d Hz", p.Here.Rate)
	}
	return text
}

// grown is what one profile shows to have grown by a hundredth of the whole or more, or what it shows
// without a base. Functions are in the order of their size, grown and fallen ones mixed.
func grown(p *result.Profile) []page.Block {
	var some []result.ProfileFunction
	for _, f := range p.Functions {
		if len(some) == fewFunctions {
			break
		}
		if c := f.Change; c == nil || c.Value > 0 && c.Value >= 0.01*math.Max(p.Here.Total, p.Base.Total) {
			some = append(some, f)
		}
	}
	text := sentenceOf(ProfileTitle(p))
	if len(some) == 0 {
		if p.Base != nil {
			text += " No function grew."
		}
		return sentence("%s", text)
	}
	return append(sentence("%s", text), Functions(p, some))
}

// Functions has a row for each of some functions of a profile, and for each library function below
// it that has a large part of its cost, or of its change.
func Functions(p *result.Profile, some []result.ProfileFunction) *page.Table {
	heads := []string{"function", "self", "total"}
	if p.Base != nil {
		heads = []string{"function", "self", "base", "change", "interval", "total", "base"}
	}
	t := &page.Table{Columns: page.Numbers(heads...)}
	t.Columns[0].Cut, t.Columns[0].Code = true, true
	for j := range t.Columns[1:] {
		t.Columns[j+1].Worth = 10 * (len(t.Columns) - j - 1)
	}
	for i := range some {
		f := &some[i]
		amount := func(x float64) string { return units.Short(x, p.Unit) }
		if c := f.Change; c == nil {
			t.Add(table.ShortFunction(f.Name), amount(f.Self), amount(f.Total))
		} else {
			interval := "not known"
			if c.Low != nil {
				interval = grownBy(*c.Low, p.Unit) + " … " + grownBy(*c.High, p.Unit)
			}
			t.Add(table.ShortFunction(f.Name), amount(f.Self), amount(f.BaseSelf), grownBy(c.Value, p.Unit),
				interval, amount(f.Total),
				amount(f.BaseAll))
			changed := &t.Rows[len(t.Rows)-1][3]
			if c.Grew() {
				changed.Tone = page.Bad
			} else if c.Differs() {
				changed.Tone = page.Good
			}
			amount = func(x float64) string { return grownBy(x, p.Unit) }
		}
		for _, l := range f.Leaves() {
			t.Add("", fmt.Sprintf("of it %s in %s", amount(l.Self), table.ShortFunction(l.Function)))
		}
	}
	return t
}

// ProfileFiles are the pprof files of a profile.
func ProfileFiles(p *result.Profile) (files []string) {
	for _, side := range []*result.ProfileSide{&p.Here, cmp.Or(p.Base, &result.ProfileSide{})} {
		if side.File != "" {
			files = append(files, side.File)
		}
	}
	return files
}
