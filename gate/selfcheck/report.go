package selfcheck

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// Schema names the form of the JSON document.
const Schema = "suite-selfcheck/1"

// confidence of the intervals of rates, exact ones (Clopper–Pearson).
const confidence = 0.99

// Report is what a check has found. Rates and changes are shares: 0.03 is 3 %.
type Report struct {
	Schema      string         `json:"schema"`
	Tool        result.Tool    `json:"tool"`
	Machine     result.Machine `json:"machine"`
	Seed        string         `json:"seed"` // repeats the draws
	Started     time.Time      `json:"started"`
	Seconds     float64        `json:"seconds"`
	Interrupted string         `json:"interrupted,omitempty"` // SIGINT, SIGTERM or SIGHUP
	Verdict     Verdict        `json:"verdict"`
	Text        string         `json:"text"`   // the verdict in a line
	Alarms      []Alarms       `json:"alarms"` // of comparisons by themselves
	Suites      []Suites       `json:"suites"` // of comparisons that share the error of a suite
	Power       []Power        `json:"power"`  // by what was injected
	Floors      []Floor        `json:"floors"` // by what was compared
	Failures    []string       `json:"failures,omitempty"`
	Comparisons []Comparison   `json:"comparisons"` // all, in the order of their rounds
}

// Verdict is what verdicts are worth here.
type Verdict string

// The verdicts on a machine: it can judge; or it calls identical code different more often than
// chance allows; or too little is known.
const (
	Fit     Verdict = "fit"
	Unfit   Verdict = "unfit"
	Unknown Verdict = "unknown"
)

// Rate is how often something happened, with the interval of its probability.
type Rate struct {
	Hits int     `json:"hits"`
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`  // 99 %, exact
	High float64 `json:"high"` // 1 if there was nothing to count
}

func rate(hits, trials int) Rate {
	low, high := stats.ClopperPearson(hits, trials, confidence)
	return Rate{hits, float64(hits) / float64(max(trials, 1)), low, high}
}

// Alarms counts verdicts on identical code.
type Alarms struct {
	Kind        string  `json:"kind"`
	Tolerance   float64 `json:"tolerance"`
	Alpha       float64 `json:"alpha"` // allowed, each way
	Comparisons int     `json:"comparisons"`
	Worse       Rate    `json:"worse"`
	Better      Rate    `json:"better"`
	Same        int     `json:"same"`
	Unclear     int     `json:"unclear"`
	// Ordered is how many would have been called worse or better if the base had always gone
	// first, in the same slots. It is counted at tolerance 0 only.
	Ordered *Rate `json:"ordered,omitempty"`
}

// Suites counts suites with a red gate, all of whose gates compare identical code.
type Suites struct {
	Kind   string  `json:"kind"`
	Gates  int     `json:"gates"`
	Family float64 `json:"family"` // allowed
	Suites int     `json:"suites"`
	Red    Rate    `json:"red"`
}

// Power counts how often a change was found, at tolerance 0 and with one gate's share of
// a suite's error.
type Power struct {
	Injected    float64 `json:"injected"`
	Alpha       float64 `json:"alpha"`
	Comparisons int     `json:"comparisons"`
	Found       Rate    `json:"found"`
	Ratio       float64 `json:"ratio"`   // as measured, the median
	Pairs       Spread  `json:"pairs"`   // taken until it was found, or until the end
	Seconds     Spread  `json:"seconds"` // setup and warm-up of both sides included
	Better      int     `json:"better"`  // called better, which they are not
}

// Spread is the median of some numbers, and their 90 % quantile.
type Spread struct {
	Median float64 `json:"median"`
	P90    float64 `json:"p90"`
}

// Floor is the smallest change that A/A comparisons can show. Absent numbers are infinite.
type Floor struct {
	Kind        string   `json:"kind"`
	Work        string   `json:"work"`
	Comparisons int      `json:"comparisons"`
	Pairs       float64  `json:"pairs"`                // median
	Seconds     float64  `json:"seconds"`              // median
	HalfWidth   *float64 `json:"half_width,omitempty"` // of the interval of the ratio, median
	Smallest    *float64 `json:"smallest,omitempty"`   // change that 19 of 20 comparisons would have shown
}
