package html

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/about"
	"example.com/suite/report/column"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

const (
	// mostCases bounds the cases with drawings: each is 20 to 40 KB, and a page of 10 MB
	// is slow to open.
	mostCases = 150
	// mostOpen is the number of them that are unfolded at first.
	mostOpen = 4
	// mostMetrics bounds the metrics of a case that are drawn in addition to its time.
	mostMetrics = 4
	// mostMetricDrawings bounds them for the page. A metric is 5 to 15 KB, and four for
	// each of 150 cases would be as large as everything else.
	mostMetricDrawings = 200
)

// choose returns the cases that get a part of their own, with its ID: all, or the mostCases most urgent ones.
func choose(t *table.Table) map[*result.Case]string {
	var rows []*table.Row
	for i := range t.Groups {
		for j := range t.Groups[i].Rows {
			rows = append(rows, &t.Groups[i].Rows[j])
		}
	}
	if len(rows) > mostCases {
		slices.SortStableFunc(rows, table.MostUrgentFirst)
		rows = rows[:mostCases]
	}
	chosen := map[*result.Case]string{}
	for _, r := range rows {
		chosen[r.Case] = r.ID
	}
	return chosen
}

// eachCase calls f for the cases of each suite, in the order of the document, with their rows.
func (r *report) eachCase(f func(*result.Case, *table.Row)) {
	for i := range r.table.Groups {
		rows := r.table.Groups[i].Rows
		for j := range rows {
			f(rows[j].Case, &rows[j])
		}
	}
}

// cases are the folds of the chosen cases.
func (r *report) cases() []page.Block {
	var folds []page.Block
	open := 0
	r.eachCase(func(c *result.Case, row *table.Row) {
		if r.chosen[c] == "" {
			return
		}
		fold := r.fold(c, row)
		fold.Open = open < mostOpen && (len(r.chosen) <= mostOpen || row.NeedsAttention())
		if fold.Open {
			open++
		}
		folds = append(folds, fold)
	})
	if left := len(r.doc.Cases) - len(folds); left > 0 && len(folds) > 0 {
		folds = slices.Insert(folds, 0,
			page.Block(hint(fmt.Sprintf("%d of %d cases are drawn: those that could not be measured, that did "+
				"not pass or that changed come first. suite explain tells about each of the others.",
				len(folds), len(r.doc.Cases)))))
	}
	return folds
}

func (r *report) fold(c *result.Case, row *table.Row) page.Fold {
	fold := page.Fold{
		ID:      row.ID,
		Tone:    row.Tone,
		Summary: page.Line{{Text: row.Label}, {Text: "  " + headline(c), Tone: page.Faint}},
	}
	if column.Urgency(row.Tone) < 2 {
		fold.Tone = page.Plain
	}
	for _, g := range row.Gates {
		fold.Summary = append(fold.Summary, g.Mark)
	}
	time := c.MainComparison()
	blocks := []page.Block{page.Lines(c.Description)}
	blocks = append(blocks,
		pictures(figure.Distribution(c), figure.Strip(c), figure.Ratios(c, time), figure.Evidence(c, time))...)
	blocks = append(blocks, r.metrics(c), profiles(c), pegs(c, row.Flow), about.Samples(c), about.Compared(c),
		about.GatesOf(row), about.Origins(r.doc, c))
	var origin page.Line
	if row.Place != "" {
		origin = page.Line{{Text: "declared at ", Tone: page.Faint},
			{Text: row.Place, To: r.lineAt(c.Suite, row.Place), Tone: page.Faint}}
	}
	if r.site != "" {
		if len(origin) > 0 {
			origin = append(origin, page.Span{Text: " · ", Tone: page.Faint})
		}
		origin = append(origin, page.Span{Text: "over commits",
			To: r.site + "#find=" + url.PathEscape(c.Name), Tone: page.Faint})
	}
	if len(origin) > 0 {
		blocks = append(blocks, page.Paragraph{origin})
	}
	fold.Blocks = page.Blocks(append(blocks, about.Warnings(c)...)...)
	return fold
}

func pictures(all ...*drawing.Drawing) (blocks []page.Block) {
	for _, d := range all {
		blocks = append(blocks, page.Drawing{Drawing: d})
	}
	return page.Blocks(blocks...)
}

// headline is the one line of a folded case.
func headline(c *result.Case) string {
	switch c.Status {
	case result.Failed:
		return "could not be measured: " + column.CauseText(c.Failure)
	case result.NotRun:
		return "not run"
	case result.LeftOut:
		return "skipped: " + c.MissingText()
	case result.Unaffected:
		return "not measured: " + c.Counterpart.Reason
	}
	versus := ""
	if o := c.MainComparison(); c.Pairs != nil && o != nil {
		versus = strings.TrimSpace(number.Change(o) + " " + number.SpreadText(o) + "  " + string(o.Change))
		if o.Change == result.Unclear {
			versus = column.UnclearText(o)
		}
	}
	return table.JoinEvidence(table.Evidence(c), versus)
}

// metrics are the drawings of other metrics that the page has room for.
func (r *report) metrics(c *result.Case) page.Fold {
	names := figure.Varying(c)
	n := max(0, min(len(names), mostMetrics, mostMetricDrawings-r.drawn))
	r.drawn += n
	var blocks []page.Block
	for _, name := range names[:n] {
		o := c.Comparison(name)
		blocks = append(blocks,
			pictures(figure.DistributionOf(c, name), figure.StripOf(c, name), figure.Ratios(c, o),
				figure.Evidence(c, o))...)
	}
	if len(names) > n && n > 0 {
		blocks = append(blocks, hint("not drawn: "+strings.Join(names[n:], ", ")))
	}
	return page.Folded("drawings of "+strings.Join(names[:n], ", "), blocks...)
}

// profiles are what the profiles of a case show: the causes, and each profile with all of its rows.
func profiles(c *result.Case) page.Section {
	blocks := about.Culprits(c)
	for i := 0; c.Profiling != nil && i < len(c.Profiling.Profiles); i++ {
		p := &c.Profiling.Profiles[i]
		flame := figure.Flame(p, table.ShortFunction)
		rest := page.Paragraph{}
		if p.Left > 0 {
			rest = append(rest, page.Toned(page.Faint, "… and "+units.Plural(p.Left, "more function")))
		}
		if files := about.ProfileFiles(p); len(files) > 0 {
			rest = append(rest, page.Toned(page.Faint, "pprof: ").With(strings.Join(files, " ")))
		}
		inner := page.Blocks(append(pictures(flame), about.Functions(p, p.Functions), rest)...)
		blocks = append(blocks, page.Fold{Summary: page.Text(about.ProfileTitle(p)), Open: flame != nil, Blocks: inner})
	}
	if len(blocks) == 0 {
		return page.Section{}
	}
	return page.Under("Which functions cost more", page.Blocks(blocks...)...)
}
