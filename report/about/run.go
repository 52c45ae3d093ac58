package about

import (
	"slices"

	"example.com/suite/internal/display"
	"example.com/suite/report/page"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Run is the report of a run: the machine, each suite, what is doubtful, what failed, how to repeat
// it, and the answer. In place of the machine, a comparison of saved results names their files.
func Run(t *table.Table) (blocks []page.Block) {
	blocks = append(blocks, origin(t))
	for i := range t.Groups {
		blocks = append(blocks, Suite(&t.Groups[i]))
	}
	if notes := Notes(t); len(notes) > 0 {
		blocks = append(blocks, page.Section{Blocks: notes})
	}
	blocks = slices.Concat(blocks, Failures(t), OpenGates(t))
	end := page.List{Outcome(t.Outcome)}
	if t.Sources == nil {
		end = slices.Insert(end, 0, page.Item{Blocks: []page.Block{Origin(t)}})
	}
	return append(blocks, end)
}

func origin(t *table.Table) page.Block {
	if t.Sources == nil {
		return page.Brief(slices.Concat(t.Machine, t.Commits))
	}
	var files page.Paragraph
	for _, f := range t.Sources.Files {
		files = append(files, page.Toned(page.Faint, f))
	}
	return page.Under(t.Sources.Title, files)
}

// Origin is what makes the run another time: the version, when it was, and the seed.
func Origin(t *table.Table) page.Brief {
	return page.Brief{t.Tool, t.Started.Format("2006-01-02 15:04 UTC"), "measured in " + t.Took, "seed " + t.Seed}
}

const (
	mostCulprits = 60  // that an answer names
	mostCulprit  = 200 // columns of one
	leastCulprit = 30  // columns below which a name is dropped, and a finding gets lines of its own
)

// Outcome answers "may I merge?". It names as many culprits as there is room for. A finding, which
// is an answer by itself, is named in any case, at least shortened.
func Outcome(o result.Outcome) page.Item {
	var forms []page.Line
	add := func(names ...string) { forms = append(forms, page.Text(o.With(names))) }
	for n := min(len(o.Culprits), mostCulprits); n > 0; n-- {
		add(o.Culprits[:n]...)
	}
	if len(o.Culprits) > 0 && (o.CauseFirst || len(o.Culprits) == 1) {
		name := display.Shorten(o.Culprits[0], mostCulprit)
		for w := display.Width(name) - 1; w >= leastCulprit; w-- {
			add(display.Shorten(name, w))
		}
		if o.CauseFirst {
			add(name)
		}
	}
	if !o.CauseFirst || len(forms) == 0 {
		add()
	}
	mark := page.Span{Text: o.Head() + ":", Tone: table.OutcomeClass(o)}
	return page.Item{Mark: mark, Lines: forms[:1], Shorter: forms[1:]}
}
