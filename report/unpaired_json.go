package report

import (
	"io"
	"math"
	"time"

	"example.com/suite/internal/jsondoc"
	"example.com/suite/report/number"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// UnpairedJSON writes a comparison of saved results as data, in SI base units. It is no
// result document: it has no samples, so no verdict can be derived from it.
func UnpairedJSON(w io.Writer, u *table.Unpaired, _ table.Options) error {
	out := unpairedJSON{
		Compared:   "unpaired",
		Metric:     u.Metric,
		Confidence: u.Confidence,
		Floor:      u.Floor,
		Notes:      u.Notes,
		Cases:      []unpairedCase{},
	}
	for _, s := range u.Saved {
		out.Results = append(out.Results, unpairedResult{s.Name, s.Doc.Started.UTC(), s.Doc.Tool, s.Doc.Machine})
	}
	for i := range u.Rows {
		out.Cases = append(out.Cases, caseOf(u, &u.Rows[i]))
	}
	return jsondoc.Write(w, out)
}

type unpairedJSON struct {
	Compared   string           `json:"compared"`
	Metric     string           `json:"metric"`
	Confidence float64          `json:"confidence"`
	Floor      float64          `json:"floor"`
	Results    []unpairedResult `json:"results"`
	Cases      []unpairedCase   `json:"cases"`
	Notes      []string         `json:"notes,omitempty"`
}

type unpairedResult struct {
	Name    string         `json:"name"`
	Started time.Time      `json:"started"`
	Tool    result.Tool    `json:"tool"`
	Machine result.Machine `json:"machine"`
}

// unpairedCase has a value for each result, and a ratio for each but the first; null if
// there is none.
type unpairedCase struct {
	Suite  string           `json:"suite"`
	Name   string           `json:"name"`
	Values []*unpairedValue `json:"values"`
	Ratios []*unpairedRatio `json:"ratios"`
	Notes  []string         `json:"notes,omitempty"`
}

type unpairedValue struct {
	Status result.Status `json:"status"`
	Unit   string        `json:"unit,omitempty"`
	Per    string        `json:"per,omitempty"`
	N      int           `json:"n,omitempty"`
	Median *float64      `json:"median,omitempty"`
	Low    *float64      `json:"low,omitempty"`
	High   *float64      `json:"high,omitempty"`
	Bound  *float64      `json:"below,omitempty"` // below resolution: less than this
}

type unpairedRatio struct {
	Ratio    *float64 `json:"ratio,omitempty"` // absent if the first result is zero
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	FromZero bool     `json:"from_zero,omitempty"`
	Exact    bool     `json:"exact,omitempty"`
	Moved    bool     `json:"moved"`
}

func caseOf(u *table.Unpaired, r *table.UnpairedRow) unpairedCase {
	out := unpairedCase{Suite: r.Suite, Name: r.Name, Notes: r.Notes}
	for _, c := range r.Cases {
		out.Values = append(out.Values, jsonValue(c, u.Metric))
	}
	for _, ratio := range r.Ratios {
		out.Ratios = append(out.Ratios, jsonRatio(ratio))
	}
	return out
}

func jsonValue(c *result.Case, metric string) *unpairedValue {
	if c == nil {
		return nil
	}
	v := &unpairedValue{Status: c.Status}
	if s := number.MeasuredSummary(c, metric); s != nil {
		v.Unit = s.Unit
		v.Per = table.PerWhat(c, metric)
		v.N = s.N
		v.Median = &s.Median
		v.Low = s.Low
		v.High = s.High
		v.Bound = s.Bound
	}
	return v
}

func jsonRatio(r *table.UnpairedRatio) *unpairedRatio {
	if r == nil {
		return nil
	}
	out := &unpairedRatio{Low: r.Low, High: r.High, Exact: r.Exact, Moved: r.Moved, FromZero: math.IsInf(r.Ratio, 0)}
	if !out.FromZero {
		out.Ratio = &r.Ratio
	}
	return out
}
