// Package hyperfine reads and writes the JSON of hyperfine --export-json. Read turns it
// into a result document, so that saved runs of hyperfine can be rendered and compared
// with runs of suite; Write does the reverse. The package judges nothing.
package hyperfine

// File is what hyperfine writes: times in seconds, memory in bytes.
type File struct {
	Results []Result `json:"results"`
}

// Result is one command. The lists have a number for each run, in order.
type Result struct {
	Command    string            `json:"command"`
	Mean       float64           `json:"mean"`
	StdDev     *float64          `json:"stddev"` // null for a single run
	Median     float64           `json:"median"`
	User       *float64          `json:"user"`   // mean
	System     *float64          `json:"system"` // mean
	Min        float64           `json:"min"`
	Max        float64           `json:"max"`
	Times      []float64         `json:"times,omitempty"`
	Memory     []float64         `json:"memory_usage_byte,omitempty"`
	ExitCodes  []*int            `json:"exit_codes,omitempty"` // null if a signal ended the run
	Parameters map[string]string `json:"parameters,omitempty"`
}
