// Package hyperfine knows the JSON that hyperfine writes with --export-json. It
// takes a result document and gives that, and takes that and gives a document, so
// that saved runs of hyperfine can be rendered and laid beside those of suite. It
// renders nothing else and judges nothing.
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
	ExitCodes  []*int            `json:"exit_codes,omitempty"` // null where a signal ended it
	Parameters map[string]string `json:"parameters,omitempty"`
}
