package table

import (
	"fmt"
	"math"
	"path"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Profiled shows what the profiles of a case have found out, as text.
type Profiled struct {
	Case    string   // its label
	Answer  string   // what the causes explain, or that there is none
	Causes  []string // functions that are shown to cost more, the largest change first
	Reason  string   // why there are no profiles, or fewer than planned
	Kinds   []ProfiledKind
	Remarks []string
}

// ProfiledKind is one kind of profile.
type ProfiledKind struct {
	Kind    result.ProfileKind
	Title   string // time on processors
	About   string // 12.3 µs an iteration, in the base 10.1 µs …
	Head    []string
	Rows    []ProfiledRow
	Left    string // how many functions the table leaves out
	Files   []string
	Profile *result.Profile
}

// ProfiledRow is a function.
type ProfiledRow struct {
	Cells []string // as Head
	Grew  bool     // it is shown to cost more
	Fell  bool

	Leaves []ProfiledLeaf // library functions below it with a large part of it, also inlined ones; the largest first
}

// ProfiledLeaf is a library function, and what of a function's cost, or of its change, is in it.
type ProfiledLeaf struct{ Name, Self string }

// LeafNames lists the names of the leaves, "" for none.
func (r *ProfiledRow) LeafNames() string {
	var names []string
	for _, l := range r.Leaves {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}

// profileTitles are what profiles count, for people.
var profileTitles = map[result.ProfileKind]string{
	result.ProfileCPU: "time on processors", result.ProfileAlloc: "bytes allocated",
	result.ProfileMutex: "time that others waited for locks, by who held them", result.ProfileBlock: "time of waiting",
}

// NewProfiled lays out what profiles have found out about a case; nil if it was not to be
// profiled.
func NewProfiled(label string, c *result.Case) *Profiled {
	p := c.Profiling
	if p == nil {
		return nil
	}
	out := &Profiled{Case: label, Answer: profileAnswer(p)}
	if p.Text != "" {
		out.Reason = p.Text
		if p.Hint != "" {
			out.Reason += "; " + p.Hint
		}
	}
	for i := range p.Causes {
		out.Causes = append(out.Causes, causeText(&p.Causes[i]))
	}
	for i := range p.Profiles {
		out.Kinds = append(out.Kinds, profiledKind(&p.Profiles[i]))
	}
	if len(p.Causes) > 0 {
		out.Remarks = append(out.Remarks, fmt.Sprintf("Intervals hold together with %s: Welch's for two means over launches, the error divided among all functions (Bonferroni). Runtime and standard library count for the function that called them.",
			units.Exact(confidenceOf(p))))
	}
	if len(p.Causes) == 0 && len(p.Profiles) > 0 {
		out.Remarks = append(out.Remarks, "Runtime and standard library count for the function that called them; go tool pprof -top FILE lists each function by itself.")
	}
	return out
}

// noCause is why profiles name no cause, empty if they do or if there are none by choice.
func noCause(c *result.Case) string {
	p := c.Profiling
	switch {
	case p == nil, len(p.Causes) > 0, p.Reason == result.ProfileTooMany:
		return ""
	case p.Text != "":
		return "profiles name no cause: " + p.Text
	}
	return "profiles name no cause"
}

// causesOf names the functions that are shown to cost more.
func causesOf(c *result.Case) (texts []string) {
	if c.Profiling == nil {
		return nil
	}
	for i := range c.Profiling.Causes {
		texts = append(texts, causeText(&c.Profiling.Causes[i]))
	}
	return texts
}

func confidenceOf(p *result.Profiling) float64 {
	for i := range p.Profiles {
		if c := p.Profiles[i].Confidence; c > 0 {
			return c
		}
	}
	return 0
}

// profileAnswer is one sentence. It is empty without a base.
func profileAnswer(p *result.Profiling) string {
	if len(p.Causes) > 0 {
		sum := 0.0
		for i := range p.Causes {
			sum += p.Causes[i].Share.Value
		}
		what := units.Plural(len(p.Causes), "function") + " account"
		if len(p.Causes) == 1 {
			what = "one function accounts"
		}
		return fmt.Sprintf("%s for %s of what the profiles show to have grown", what, shareText(sum))
	}
	compared := false
	for i := range p.Profiles {
		compared = compared || p.Profiles[i].Change != nil && p.Profiles[i].Change.Low != nil
	}
	if compared {
		return "no function is shown to cost more than in the base, so none is named as the cause"
	}
	return ""
}

// shareText writes a share of a change, of which several together may be more than all: what
// else changed can have saved time.
func shareText(share float64) string { return units.Whole(share) }

// ShortFunction leaves the folders out of a function's name: json.Unmarshal of
// encoding/json.Unmarshal.
func ShortFunction(name string) string {
	head, rest, generic := strings.Cut(name, "[")
	short := path.Base(head)
	if i := strings.LastIndex(head, "/"); i >= 0 {
		short = head[i+1:]
	}
	if generic {
		short += "[" + rest
	}
	return short
}

// causeText names a function, how much more it costs, and what of the change that is.
func causeText(c *result.ProfileCause) string {
	text := fmt.Sprintf("%s: %s %s (%s … %s), %s of the change", ShortFunction(c.Function), grownText(c.Change.Value, c.Unit), perIteration[c.Kind],
		signedAmount(*c.Change.Low, c.Unit), signedAmount(*c.Change.High, c.Unit), shareText(c.Share.Value))
	if c.Share.Low != nil {
		text += fmt.Sprintf(" (%s … %s)", shareText(*c.Share.Low), shareText(*c.Share.High))
	}
	if c.Leaf != "" {
		names := []string{ShortFunction(c.Leaf)}
		for _, l := range c.MoreLeaves {
			names = append(names, ShortFunction(l.Function))
		}
		text += ", much of it in " + strings.Join(names, ", ")
	}
	if c.Caller != "" {
		text += ", called by " + ShortFunction(c.Caller)
	}
	if c.File != "" && c.Line > 0 {
		text += fmt.Sprintf("; %s:%d", path.Base(c.File), c.Line)
	}
	return text
}

// perIteration is what a cause costs more of.
var perIteration = map[result.ProfileKind]string{
	result.ProfileCPU: "an iteration", result.ProfileAlloc: "allocated an iteration",
	result.ProfileMutex: "an iteration of waiting for a lock that it holds", result.ProfileBlock: "an iteration of waiting",
}

func grownText(x float64, unit string) string { return signedAmount(x, unit) }

// signedAmount writes a change with its sign.
func signedAmount(x float64, unit string) string {
	switch {
	case x < 0:
		return "−" + units.Short(-x, unit)
	case x == 0:
		return units.Short(0, unit)
	}
	return "+" + units.Short(x, unit)
}

func amountText(x float64, unit string) string { return units.Short(x, unit) }

func profiledKind(p *result.Profile) ProfiledKind {
	k := ProfiledKind{Kind: p.Kind, Title: profileTitles[p.Kind], Profile: p}
	k.About = amountText(p.Here.Total, p.Unit) + " an iteration"
	readings := fmt.Sprint(p.Here.Samples)
	launches := launchesText(p.Here.Launches)
	k.Head = []string{"function", "self", "total"}
	if p.Base != nil {
		k.About += fmt.Sprintf(", in the base %s", amountText(p.Base.Total, p.Unit))
		if c := p.Change; c != nil && c.Low != nil {
			k.About += fmt.Sprintf(" (%s, %s … %s)", signedAmount(c.Value, p.Unit), signedAmount(*c.Low, p.Unit), signedAmount(*c.High, p.Unit))
		}
		readings += " and " + fmt.Sprint(p.Base.Samples)
		if p.Base.Launches == p.Here.Launches {
			launches += " of each side"
		} else {
			launches = fmt.Sprintf("%d and %s", p.Here.Launches, launchesText(p.Base.Launches))
		}
		k.Head = []string{"function", "self", "base", "change", "interval", "total", "base"}
	}
	k.About += fmt.Sprintf("; %s readings in %s", readings, launches)
	if p.Here.Rate > 0 {
		k.About += fmt.Sprintf(" at %d Hz", p.Here.Rate)
	}
	for i := range p.Functions {
		k.Rows = append(k.Rows, profiledRow(p, &p.Functions[i]))
	}
	if p.Left > 0 {
		k.Left = units.Plural(p.Left, "more function")
	}
	for _, side := range []*result.ProfileSide{&p.Here, p.Base} {
		if side != nil && side.File != "" {
			k.Files = append(k.Files, side.File)
		}
	}
	return k
}

func launchesText(n int) string {
	if n == 1 {
		return "1 launch"
	}
	return fmt.Sprintf("%d launches", n)
}

func profiledRow(p *result.Profile, f *result.ProfileFunction) ProfiledRow {
	name := ShortFunction(f.Name)
	row := ProfiledRow{Cells: []string{name, amountText(f.Self, p.Unit), amountText(f.Total, p.Unit)}}
	amount := amountText
	if f.Change != nil {
		amount = signedAmount
	}
	for _, l := range f.Leaves() {
		row.Leaves = append(row.Leaves, ProfiledLeaf{ShortFunction(l.Function), amount(l.Self, p.Unit)})
	}
	if f.Change == nil {
		return row
	}
	interval := "not known"
	if f.Change.Low != nil {
		interval = signedAmount(*f.Change.Low, p.Unit) + " … " + signedAmount(*f.Change.High, p.Unit)
	}
	row.Cells = []string{name, amountText(f.Self, p.Unit), amountText(f.BaseSelf, p.Unit), signedAmount(f.Change.Value, p.Unit), interval,
		amountText(f.Total, p.Unit), amountText(f.BaseAll, p.Unit)}
	row.Grew = f.Change.Grew()
	row.Fell = f.Change.Differs() && !row.Grew
	return row
}

// Grown keeps the rows with the largest growth, at most most, for a report in which others
// follow. Rows are in the order of their size, grown and fallen ones mixed.
func (k *ProfiledKind) Grown(most int) (rows []ProfiledRow) {
	for i, r := range k.Rows {
		c := k.Profile.Functions[i].Change
		if (c == nil || c.Value > 0 && !negligible(k.Profile, c.Value)) && len(rows) < most {
			rows = append(rows, r)
		}
	}
	return rows
}

// negligible changes are below a hundredth of the whole.
func negligible(p *result.Profile, change float64) bool {
	return math.Abs(change) < 0.01*math.Max(p.Here.Total, p.Base.Total)
}
