// Package flat makes one table of runs, which every store of results has: a row for each
// metric of a case and a row for each of its gates. Stores write rows and know nothing else
// of runs.
package flat

import (
	"math"
	"reflect"
	"time"

	"example.com/suite/internal/history"
	"example.com/suite/result"
)

// Row is a metric of a case in one run or, if Gate is not empty, the verdict of a gate. Numbers
// are in seconds, bytes and shares. Whatever is not known is empty or nil.
type Row struct {
	Run         string     `json:"run" parquet:"run,dict"` // digest, sha256:…: no store has the rows of a run twice
	Started     time.Time  `json:"started" parquet:"started,timestamp(microsecond)"`
	Commit      string     `json:"commit" parquet:"commit,dict"` // full hash
	Committed   *time.Time `json:"committed" parquet:"committed,optional,timestamp(microsecond)"`
	Subject     string     `json:"subject" parquet:"subject,dict"`           // first line of the commit's message
	Dirty       bool       `json:"dirty" parquet:"dirty"`                    // the tree had changes that no commit has
	Tool        string     `json:"tool" parquet:"tool,dict"`                 // that measured: suite, go test, …
	ToolVersion string     `json:"tool_version" parquet:"tool_version,dict"` // of that program
	GoVersion   string     `json:"go_version" parquet:"go_version,dict"`     // that built the benchmarks
	Machine     string     `json:"machine" parquet:"machine,dict"`           // times of two machines cannot be compared
	OS          string     `json:"os" parquet:"os,dict"`
	Arch        string     `json:"arch" parquet:"arch,dict"`
	CPU         string     `json:"cpu" parquet:"cpu,dict"`
	CPUs        int32      `json:"cpus" parquet:"cpus"`

	Suite  string            `json:"suite" parquet:"suite,dict"`
	Case   string            `json:"case_name" parquet:"case_name,dict"` // CASE is a word of SQL
	Params map[string]string `json:"params" parquet:"params"`

	Metric string   `json:"metric" parquet:"metric,dict"`
	Unit   string   `json:"unit" parquet:"unit,dict"`     // s, B, 1/s, or empty for counts
	Per    string   `json:"per" parquet:"per,dict"`       // op, byte, iteration …; empty for a whole sample or run
	Better string   `json:"better" parquet:"better,dict"` // lower or higher
	Value  *float64 `json:"value" parquet:"value,optional"`
	Low    *float64 `json:"low" parquet:"low,optional"` // of the value's interval
	High   *float64 `json:"high" parquet:"high,optional"`
	N      int32    `json:"n" parquet:"n"` // samples
	// what the ratio refers to: a commit, or "base: " and a case
	Against string `json:"against" parquet:"against,dict"`
	// Ratio is infinite if the base has 0.
	Ratio     *float64 `json:"ratio" parquet:"ratio,optional"`
	RatioLow  *float64 `json:"ratio_low" parquet:"ratio_low,optional"`
	RatioHigh *float64 `json:"ratio_high" parquet:"ratio_high,optional"`

	Gate string `json:"gate" parquet:"gate,dict"`
	// of the ratio: better, worse, same, unclear; of the gate: pass, fail, accepted, inconclusive, error, skipped
	Verdict string `json:"verdict" parquet:"verdict,dict"`
}

// Accepted is the verdict of a gate whose failure people have accepted.
const Accepted = "accepted"

// Rows returns the rows of a run: the rows of a case together, metrics before gates.
func Rows(run *history.Run) (rows []Row) {
	front := Row{
		Run: run.Digest, Started: run.Started.UTC(), Commit: run.Commit, Subject: run.Subject, Dirty: run.Dirty,
		Tool: run.Origin, ToolVersion: run.Version, GoVersion: run.Go,
		Machine: run.MachineName(), OS: run.Machine.OS, Arch: run.Machine.Arch, CPU: run.Machine.CPU,
		CPUs: int32(run.Machine.CPUs),
	}
	if !run.Committed.IsZero() {
		when := run.Committed.UTC()
		front.Committed = &when
	}
	for i := range run.Cases {
		c := &run.Cases[i]
		of := front
		of.Suite, of.Case, of.Params = c.Suite, c.Name, params(c)
		for j := range c.Metrics {
			rows = append(rows, metric(of, c, &c.Metrics[j]))
		}
		for _, g := range c.Gates {
			rows = append(rows, gate(of, g))
		}
	}
	return rows
}

func params(c *history.Case) map[string]string {
	all := map[string]string{}
	for _, p := range c.Params {
		all[p.Name] = p.Text
	}
	return all
}

func metric(r Row, c *history.Case, m *history.Metric) Row {
	r.Metric, r.Unit, r.Per, r.Better = m.Name, m.Unit, m.Per, string(m.Better)
	r.Value, r.Low, r.High, r.N = &m.Value, m.Low, m.High, int32(m.N)
	if m.Ratio != nil {
		r.Against, r.Verdict = c.Against, string(m.Ratio.Call)
		r.Ratio, r.RatioLow, r.RatioHigh = m.Ratio.Value, m.Ratio.Low, m.Ratio.High
		if r.Ratio == nil {
			infinite := math.Inf(1)
			r.Ratio = &infinite
		}
	}
	return r
}

func gate(r Row, g history.Gate) Row {
	r.Gate, r.Verdict = g.ID, string(g.Verdict)
	if g.Accepted && g.Verdict == result.Fail {
		r.Verdict = Accepted
	}
	return r
}

// Columns returns the names of the columns of a Row, in its order.
func Columns() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		names = append(names, f.Tag.Get("json"))
	}
	return names
}

// Values returns the values of a row, in the order of Columns.
func (r *Row) Values() (values []any) {
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		values = append(values, v.Field(i).Interface())
	}
	return values
}
