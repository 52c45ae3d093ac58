package pegs

import (
	"io"
	"math"

	"example.com/suite/internal/jsondoc"
	"example.com/suite/report/flow"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
)

type pegsJSON struct {
	Case     string       `json:"case"`
	Pegs     *result.Pegs `json:"pegs"` // each lane of an arc is apart
	Arcs     []result.Arc `json:"arcs"` // lanes are added up, in the order of time
	BasePegs *result.Pegs `json:"base_pegs,omitempty"`
	Changes  []changeJSON `json:"changes,omitempty"` // greatest rise first

	Differences []differenceJSON `json:"differences,omitempty"` // likewise, if passes were taken in pairs
	Path        *sumJSON         `json:"path,omitempty"`
}

// changeJSON is an arc of either side; times are in seconds per iteration.
type changeJSON struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Kind       result.ArcKind `json:"kind,omitempty"`
	Base       float64        `json:"base"`
	Candidate  float64        `json:"candidate"`
	BaseHits   float64        `json:"base_hits"`
	Hits       float64        `json:"hits"`
	Difference float64        `json:"difference"`
	Share      *float64       `json:"share,omitempty"` // of the difference of the passes
}

// differenceJSON is an arc in pairs of passes; times are medians in seconds per iteration.
type differenceJSON struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Kind       result.ArcKind `json:"kind,omitempty"`
	Base       float64        `json:"base"`
	Candidate  float64        `json:"candidate"`
	Difference float64        `json:"difference"`     // within pairs
	Low        *float64       `json:"low,omitempty"`  // bounds of it; all arcs' are right together in 95 % of cases
	High       *float64       `json:"high,omitempty"` // likewise
	Shown      bool           `json:"shown"`          // the arc differs
	Share      *float64       `json:"share,omitempty"`
}

type sumJSON struct {
	Points []string `json:"points"`
	Exact  bool     `json:"exact"` // count and total are not bounds
	Count  int64    `json:"count"`
	Total  float64  `json:"total"`
	Min    float64  `json:"min"` // a lower bound
	Max    float64  `json:"max"` // an upper bound
}

// JSON writes everything that suite pegs shows, as an object with a list of cases.
// path is empty or has at least two points; it is added up in each case that has it.
// If none has, that is the error.
func JSON(w io.Writer, cases []flow.Pegged, path []string) error {
	all, sums := []pegsJSON{}, make([]*arcs.Sum, len(cases))
	if len(path) > 0 {
		var err error
		sums, err = flow.PathSums(cases, path)
		if err != nil {
			return err
		}
	}
	for i, c := range cases {
		all = append(all, pegsOfCase(c, sums[i]))
	}
	return jsondoc.Write(w, struct {
		Cases []pegsJSON `json:"cases"`
	}{all})
}

func pegsOfCase(c flow.Pegged, path *arcs.Sum) (one pegsJSON) {
	one = pegsJSON{Case: c.Label, Pegs: c.Case.Pegs, BasePegs: c.Case.BasePegs, Arcs: []result.Arc{}}
	for _, s := range arcs.InTime(c.Case.Pegs) {
		one.Arcs = append(one.Arcs, s.Arcs...)
	}
	if c.Case.BasePegs != nil {
		for _, change := range arcs.Changes(c.Case.BasePegs, c.Case.Pegs) {
			one.Changes = append(one.Changes, jsonOf(&change))
		}
	}
	differences, _ := arcs.Differences(c.Case)
	for i := range differences {
		one.Differences = append(one.Differences, differenceOf(&differences[i]))
	}
	if path != nil {
		one.Path = &sumJSON{path.Names, path.Exact, path.Count, path.Total, path.Min, path.Max}
	}
	return one
}

func jsonOf(c *arcs.Change) changeJSON {
	j := changeJSON{
		From:       c.From,
		To:         c.To,
		Kind:       c.Kind,
		Base:       c.Base,
		Candidate:  c.Candidate,
		BaseHits:   c.BaseHits,
		Hits:       c.Hits,
		Difference: c.Difference,
	}
	if !math.IsNaN(c.Share) {
		j.Share = &c.Share
	}
	return j
}

func differenceOf(d *arcs.Difference) differenceJSON {
	j := differenceJSON{
		From:       d.From,
		To:         d.To,
		Kind:       d.Kind,
		Base:       d.Base,
		Candidate:  d.Candidate,
		Difference: d.Median,
		Shown:      d.IsShown,
	}
	if d.IsBounded {
		j.Low, j.High = &d.Low, &d.High
	}
	if !math.IsNaN(d.Share) {
		j.Share = &d.Share
	}
	return j
}
