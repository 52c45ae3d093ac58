package hyperfine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"example.com/suite/internal/defaults"
	"example.com/suite/internal/diag"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// Is reports whether a JSON text was written by hyperfine and is no result document.
func Is(data []byte) bool {
	var top struct {
		Schema  *json.RawMessage `json:"schema"`
		Results *json.RawMessage `json:"results"`
	}
	return json.Unmarshal(data, &top) == nil && top.Schema == nil && top.Results != nil
}

// Read converts what hyperfine wrote to path into a document: a suite named hyperfine
// without gates, and a case for each command with its times and, if the file has
// them, its peak memory and exit statuses. The file names neither its machine nor its
// date; written is the modification time of the file. User and system time are left
// out, because hyperfine keeps only their means. The error names the first command
// that has no times, lists of different lengths, or a number out of range.
func Read(data []byte, path string, written time.Time) (*result.Document, error) {
	var file File
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&file); err != nil {
		return nil, fmt.Errorf("not what hyperfine writes: %w", plainly(err))
	}
	doc := &result.Document{
		Schema:  result.Schema,
		Seed:    noSeed,
		Tool:    result.Tool{Name: "hyperfine"},
		Started: written.UTC(),
		Suites:  []result.Suite{{Name: suiteName, File: path, OnInconclusive: "list"}},
		Cases:   []result.Case{},
	}
	taken := map[string]bool{}
	for i := range file.Results {
		c, err := file.Results[i].toCase(path)
		if err != nil {
			return nil, fmt.Errorf("result %d (%q): %w", i+1, file.Results[i].Command, err)
		}
		for n := 2; taken[c.Name]; n++ {
			c.Name = fmt.Sprintf("%s (%d)", c.Identity.Shell, n)
		}
		taken[c.Name] = true
		doc.Cases, doc.Seconds = append(doc.Cases, c), doc.Seconds+c.Seconds
	}
	doc.Exit = doc.Outcome().Exit
	return doc, doc.Validate()
}

// plainly replaces an error about a wrong type by one without the names of Go types.
func plainly(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%q is a %s", kind.Field, kind.Value)
	}
	return err
}

// noSeed is the seed of a document in which nothing was random.
const noSeed = "00000000000000000000000000000000"

// suiteName is the same for all files, because suite compare finds cases by suite and
// name.
const suiteName = "hyperfine"

func (r *Result) toCase(path string) (result.Case, error) {
	c := result.Case{
		Suite:      suiteName,
		Name:       r.Command,
		Kind:       result.KindShell,
		Identity:   result.Identity{Shell: r.Command},
		Unit:       "op",
		Work:       1,
		Status:     result.Measured,
		Iterations: 1,
		Launches:   1,
		Place:      diag.Place{File: path},
		Settings:   result.Settings{Confidence: defaults.Confidence},
	}
	if c.Name == "" {
		return c, errors.New("it has no command")
	}
	if err := r.check(); err != nil {
		return c, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Parameters)) {
		c.Params = append(c.Params, result.Param{Name: name, Text: r.Parameters[name]})
	}
	r.samples(&c)
	for _, metric := range []string{"time", "throughput", "wall", "rss", "exit_code"} {
		if s, ok := summary(&c, metric); ok {
			c.Metrics = append(c.Metrics, s)
		}
	}
	return c, nil
}

func (r *Result) check() error {
	n := len(r.Times)
	switch {
	case n == 0:
		return errors.New("it has no \"times\"")
	case len(r.Memory) != 0 && len(r.Memory) != n:
		return fmt.Errorf("%d times and %d memory_usage_byte", n, len(r.Memory))
	case len(r.ExitCodes) != 0 && len(r.ExitCodes) != n:
		return fmt.Errorf("%d times and %d exit_codes", n, len(r.ExitCodes))
	case slices.ContainsFunc(r.Times, outside(mostTime)):
		return errors.New("a time is negative, or above 1e9 s")
	case slices.ContainsFunc(r.Memory, outside(mostMemory)):
		return errors.New("a memory_usage_byte is negative, or above 1e15")
	}
	return nil
}

// The greatest numbers accepted, so that everything computed from them stays finite.
const (
	mostTime   = 1e9  // seconds: thirty years
	mostMemory = 1e15 // bytes
)

func outside(most float64) func(float64) bool {
	return func(x float64) bool { return x < 0 || x > most }
}

func (r *Result) samples(c *result.Case) {
	s := &c.Samples
	s.Columns = map[string]result.Column{"time": slices.Clone(r.Times), "wall": slices.Clone(r.Times)}
	s.Disturbed = []result.Disturbed{}
	if len(r.Memory) > 0 {
		s.Columns["rss"] = r.Memory
	}
	var codes result.Column
	for i, x := range r.Times {
		s.Launch = append(s.Launch, 0)
		s.Block = append(s.Block, i)
		s.At = append(s.At, c.Seconds)
		c.Seconds += x
		if i < len(r.ExitCodes) {
			code := math.NaN() // ended by a signal
			if r.ExitCodes[i] != nil {
				code = float64(*r.ExitCodes[i])
			}
			codes = append(codes, code)
		}
	}
	if codes != nil {
		s.Columns["exit_code"] = codes
	}
}

// summary describes one metric as suite would. It is false if no run has it, or if a
// time of zero makes its rate infinite.
func summary(c *result.Case, metric string) (result.Summary, bool) {
	xs, blocks, _ := c.Samples.Headline(metric)
	if len(xs) == 0 || slices.ContainsFunc(xs, func(x float64) bool { return math.IsInf(x, 0) }) {
		return result.Summary{}, false
	}
	m, _ := result.FindMetric(metric)
	s := result.Summary{
		Metric: m.Name,
		Unit:   m.Unit,
		N:      len(xs),
		Blocks: len(blocks),
		Median: stats.Median(xs),
		Mean:   stats.Mean(xs),
		StdDev: stats.StdDev(xs),
		MAD:    stats.MAD(xs),
		Min:    slices.Min(xs),
		Max:    slices.Max(xs),
		P50:    stats.Quantile(xs, 0.5),
		P90:    stats.Quantile(xs, 0.9),
		P95:    stats.Quantile(xs, 0.95),
		P99:    stats.Quantile(xs, 0.99),
	}
	s.OutliersLow, s.OutliersHigh = stats.Outliers(xs)
	s.Exact = m.Exact && s.Min == s.Max
	if metric == "time" || metric == "wall" {
		s.Extremes = "iteration"
	}
	if low, high, err := stats.MedianInterval(xs, defaults.Confidence); err == nil {
		s.Low = &low
		s.High = &high
		s.Confidence = defaults.Confidence
	}
	return s, true
}
