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
	out := besideJSON{
		Compared:   "unpaired",
		Metric:     u.Metric,
		Confidence: u.Confidence,
		Floor:      u.Floor,
		Notes:      u.Notes,
		Cases:      []besideCase{},
	}
	for _, s := range u.Saved {
		out.Results = append(out.Results, besideResult{s.Name, s.Doc.Started.UTC(), s.Doc.Tool, s.Doc.Machine})
	}
	for i := range u.Rows {
		out.Cases = append(out.Cases, caseOf(u, &u.Rows[i]))
	}
	return jsondoc.Write(w, out)
}

type besideJSON struct {
	Compared   string         `json:"compared"`
	Metric     string         `json:"metric"`
	Confidence float64        `json:"confidence"`
	Floor      float64        `json:"floor"`
	Results    []besideResult `json:"results"`
	Cases      []besideCase   `json:"cases"`
	Notes      []string       `json:"notes,omitempty"`
}

type besideResult struct {
	Name    string         `json:"name"`
	Started time.Time      `json:"started"`
	Tool    result.Tool    `json:"tool"`
	Machine result.Machine `json:"machine"`
}

// besideCase has a value for each result, and a ratio for each but the first; null if
// there is none.
type besideCase struct {
	Suite  string         `json:"suite"`
	Name   string         `json:"name"`
	Values []*besideValue `json:"values"`
	Ratios []*besideRatio `json:"ratios"`
	Notes  []string       `json:"notes,omitempty"`
}

type besideValue struct {
	Status result.Status `json:"status"`
	Unit   string        `json:"unit,omitempty"`
	Per    string        `json:"per,omitempty"`
	N      int           `json:"n,omitempty"`
	Median *float64      `json:"median,omitempty"`
	Low    *float64      `json:"low,omitempty"`
	High   *float64      `json:"high,omitempty"`
	Bound  *float64      `json:"below,omitempty"` // below resolution: less than this
}

type besideRatio struct {
	Ratio    *float64 `json:"ratio,omitempty"` // absent if the first result is zero
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	FromZero bool     `json:"from_zero,omitempty"`
	Exact    bool     `json:"exact,omitempty"`
	Moved    bool     `json:"moved"`
}

func caseOf(u *table.Unpaired, r *table.UnpairedRow) besideCase {
	out := besideCase{Suite: r.Suite, Name: r.Name, Notes: r.Notes}
	for _, c := range r.Cases {
		out.Values = append(out.Values, jsonValue(c, u.Metric))
	}
	for _, ratio := range r.Ratios {
		out.Ratios = append(out.Ratios, jsonRatio(ratio))
	}
	return out
}

func jsonValue(c *result.Case, metric string) *besideValue {
	if c == nil {
		return nil
	}
	v := &besideValue{Status: c.Status}
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

func jsonRatio(r *table.UnpairedRatio) *besideRatio {
	if r == nil {
		return nil
	}
	out := &besideRatio{Low: r.Low, High: r.High, Exact: r.Exact, Moved: r.Moved, FromZero: math.IsInf(r.Ratio, 0)}
	if !out.FromZero {
		out.Ratio = &r.Ratio
	}
	return out
}
