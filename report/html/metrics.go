package html

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/page/drawing"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

const (
	// mostMetrics bounds the metrics of a case that are drawn in addition to its time.
	mostMetrics = 4
	// mostMetricDrawings bounds them for the page. A metric is 5 to 15 KB, and four for
	// each of 150 cases would be as large as everything else.
	mostMetricDrawings = 200
)

// htmlMetrics is the folded drawings of metrics other than the time.
type htmlMetrics struct {
	Names    string
	Drawings []*htmlDrawing
	More     string
}

// metrics draws the metrics of a case that the page has room for.
func (p *htmlPage) metrics(c *result.Case, id string) *htmlMetrics {
	names := figure.Varying(c)
	n := min(len(names), mostMetrics, mostMetricDrawings-p.drawn)
	if n <= 0 {
		return nil
	}
	p.drawn += n
	out := &htmlMetrics{Names: strings.Join(names[:n], ", ")}
	for _, name := range names[:n] {
		for _, d := range []*drawing.Drawing{figure.DistributionOf(c, name), figure.StripOf(c, name), figure.Ratios(c, c.Comparison(name)), figure.Evidence(c, c.Comparison(name))} {
			if d != nil {
				out.Drawings = append(out.Drawings, drawingOf(d, fmt.Sprintf("%s-metric-%d", id, len(out.Drawings)+1)))
			}
		}
	}
	if len(names) > n {
		out.More = "not drawn: " + strings.Join(names[n:], ", ")
	}
	return out
}

// forests draws the ratios of each metric that is compared, time first.
func (s *htmlSuite) forests(cases []*result.Case) {
	s.Forest = s.forest(cases, "time", "Against the base", s.ID+"-forest")
	var names []string
	for _, c := range cases {
		for i := range c.Comparisons {
			if name := c.Comparisons[i].Metric; name != "time" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for i, name := range names[:min(len(names), mostMetrics)] {
		if f := s.forest(cases, name, name+" against the base", fmt.Sprintf("%s-forest-%d", s.ID, i+1)); f != nil {
			s.Others = append(s.Others, f)
		}
	}
}

func forestRow(name string, o *result.Comparison) figure.Row {
	row := figure.Row{Name: display.Shorten(display.Visible(name), figure.LongestName), Text: table.Change(o) + " " + string(o.Change), Aside: table.SpreadText(o), Comparison: o}
	if o.Cause == result.CauseResolution {
		row.Text, row.Aside = "below resolution", ""
	} else if o.Change == result.Unclear {
		row.Text = string(o.Change)
	}
	return row
}

// forest draws the ratios of one metric; nil if there are none.
func (s *htmlSuite) forest(cases []*result.Case, metric, title, id string) *htmlForest {
	var rows []figure.Row
	for _, c := range cases {
		if o := c.Comparison(metric); o != nil {
			rows = append(rows, forestRow(c.Name, o))
		}
	}
	d, left := figure.Forest(rows)
	if d == nil {
		return nil
	}
	f := &htmlForest{Title: title, Caption: d.Caption, Drawing: drawingOf(d, id)}
	if left > 0 {
		f.More = fmt.Sprintf("%d more, which changed least, stand in the table alone.", left)
	}
	return f
}
