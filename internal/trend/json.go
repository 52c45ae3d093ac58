package trend

import (
	"encoding/json"
	"io"
	"math"

	"example.com/suite/internal/diag"
)

// Schema names the version of the JSON that this package writes.
const Schema = "suite-trend/1"

// document is the series of a metric as JSON. Times are in seconds, changes are shares.
type document struct {
	Schema string `json:"schema"`
	Metric string `json:"metric"`
	// chance that a history without a change shows one in any series, and the share of false series among those shown
	Alpha  float64      `json:"alpha"`
	Least  float64      `json:"least"` // changes below it are left out
	Series []seriesJSON `json:"series"`
}

type seriesJSON struct {
	Suite    string       `json:"suite"`
	Case     string       `json:"case"`
	Unit     string       `json:"unit,omitempty"`
	Better   string       `json:"better"`
	Machines []string     `json:"machines"`
	Points   []pointJSON  `json:"points"`
	Changes  []changeJSON `json:"changes,omitempty"`
	Recent   *recentJSON  `json:"recent,omitempty"`
	Drift    *driftJSON   `json:"drift,omitempty"`
	Chained  *driftJSON   `json:"chained,omitempty"`
	Crept    bool         `json:"crept,omitempty"`
}

type pointJSON struct {
	Commit  string   `json:"commit,omitempty"`
	When    string   `json:"when"`
	Machine int      `json:"machine"` // index in machines
	Value   float64  `json:"value"`
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Runs    int      `json:"runs"`
	// the value is the newest point's times the ratios that connect the two, see suite history fill
	ByRatios bool `json:"by_ratios,omitempty"`
}

type changeJSON struct {
	Commit  string   `json:"commit,omitempty"` // first with the new level
	Author  string   `json:"author,omitempty"`
	Subject string   `json:"subject,omitempty"`
	Last    string   `json:"last,omitempty"` // last measured with the old one
	At      int      `json:"at"`             // index in points
	Before  float64  `json:"before"`
	After   float64  `json:"after"`
	Change  *float64 `json:"change"` // null: up from 0
	P       float64  `json:"p,omitempty"`
	Worse   bool     `json:"worse"`
	Paired  bool     `json:"paired,omitempty"` // pairs of the two commits have shown and confirmed it

	Acknowledged *acknowledgedJSON `json:"acknowledged,omitempty"` // by people, in accept.yaml
}

type acknowledgedJSON struct {
	Reason string     `json:"reason"`
	At     string     `json:"at,omitempty"` // when, and by whom
	Place  diag.Place `json:"place"`
}

type recentJSON struct {
	changeJSON
	Points int `json:"points"` // after the difference
	Needed int `json:"needed"` // that would show it
}

type driftJSON struct {
	From   int     `json:"from"` // indexes in points
	To     int     `json:"to"`
	Change float64 `json:"change"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// JSON writes all series.
func JSON(w io.Writer, all []Series, o Options) error {
	doc := document{Schema: Schema, Metric: o.Metric, Alpha: alpha, Least: o.Least, Series: []seriesJSON{}}
	for i := range all {
		s := &all[i]
		out := seriesJSON{Suite: s.Suite, Case: s.Case, Unit: s.Unit, Better: string(s.Better), Machines: s.Machines,
			Crept: s.Crept, Drift: s.Drift.json(), Chained: s.Chained.json()}
		for _, p := range s.Points {
			out.Points = append(out.Points, pointJSON{p.Commit, p.When.Format("2006-01-02T15:04:05Z07:00"), p.Machine,
				p.Value, p.Low, p.High, p.Runs, p.ByRatios})
		}
		for _, c := range s.Changes {
			out.Changes = append(out.Changes, s.changeJSON(&c))
		}
		if r := s.Recent; r != nil {
			out.Recent = &recentJSON{s.changeJSON(&r.Change), r.Points, r.Needed}
		}
		doc.Series = append(doc.Series, out)
	}
	lines := json.NewEncoder(w)
	lines.SetIndent("", " ")
	return lines.Encode(doc)
}

func (s *Series) changeJSON(c *Change) changeJSON {
	at := &s.Points[c.At]
	out := changeJSON{Commit: at.Commit, Author: at.Author, Subject: at.Subject,
		Last: s.Points[c.Last].Commit, At: c.At,
		Before: c.Before, After: c.After, P: c.P, Worse: c.Worse, Paired: c.Paired}
	if change := c.Relative(); !math.IsInf(change, 0) {
		out.Change = &change
	}
	if a := c.Acknowledged; a != nil {
		out.Acknowledged = &acknowledgedJSON{a.Reason, a.At, a.Place}
	}
	return out
}

func (d *Drift) json() *driftJSON {
	if d == nil {
		return nil
	}
	return &driftJSON{d.From, d.To, d.Change, d.Low, d.High}
}
