package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"example.com/suite/timer"
)

// Readings are one column per quantity, one row per batch. Times are
// nanoseconds of the whole batch, nothing subtracted. What a row does not have
// is timer.Absent; a column that no row has is absent.
type Readings struct {
	ID      []int              `json:"id"`
	N       []int              `json:"n"`
	Columns map[string][]int64 `json:"columns"`
	// metrics of commands and those that loops report, SI base units, by name
	Values  map[string]Values `json:"values,omitempty"`
	Elapsed int64             `json:"elapsed"`           // ns of the whole request
	Waited  *int64            `json:"waited,omitempty"`  // functions: ns of it spent ready and without a CPU, if known
	Stopped bool              `json:"stopped,omitempty"` // an interrupt ended it early
	Leaked  int               `json:"leaked,omitempty"`  // processes that outlived their runs, killed
	Left    []string          `json:"left,omitempty"`    // command lines of the first few of them
	// commands: files that appeared in the folders they use, and stayed
	Remains []Remains `json:"remains,omitempty"`
	Peak    int64     `json:"peak,omitempty"`    // bytes: peak memory of this host, the least that a child can have
	Retried int64     `json:"retried,omitempty"` // batches run again because a reading of the counter was disturbed
	// rows of runs that the timeout ended, ascending: they took at least as long
	Killed []int   `json:"killed,omitempty"`
	Said   string  `json:"said,omitempty"`  // last words of the last of them
	Stops  []int64 `json:"stops,omitempty"` // ns that each run was stopped by signals (SIGSTOP), if any was
	// functions: times of single iterations of each row, null for rows without
	Latency []*Latency `json:"latency,omitempty"`
	// of its time that the least lucky counter was on the hardware, if that is below 1
	Share *float64 `json:"share,omitempty"`

	Reported []Reported `json:"reported,omitempty"` // the metrics among Values that loops report
}

// Reported describes a metric that the loop of a function reports.
type Reported struct {
	ID     int    `json:"id"` // of the case
	Name   string `json:"name"`
	Higher bool   `json:"higher,omitempty"` // more is better
}

// AddValues puts the values of more after the values of so many rows. Both IDs are joined
// already.
func (r *Readings) AddValues(more *Readings, rows int) {
	for name, column := range more.Values {
		if r.Values == nil {
			r.Values = map[string]Values{}
		}
		r.Values[name] = append(r.Values[name].filled(rows), column...)
	}
	for name, column := range r.Values {
		r.Values[name] = column.filled(len(r.ID))
	}
	for _, m := range more.Reported {
		r.Describe(m)
	}
}

// Describe adds the description of a metric, unless it is there.
func (r *Readings) Describe(m Reported) {
	if !slices.Contains(r.Reported, m) {
		r.Reported = append(r.Reported, m)
	}
}

// Put adds the number of the last row to a column. Earlier rows of the column, such as
// the rows of an empty loop, may be missing: they are filled with timer.Absent.
func (r *Readings) Put(column string, x int64) {
	r.Columns[column] = append(r.fill(column, len(r.ID)-1), x)
}

func (r *Readings) fill(column string, rows int) []int64 {
	xs := r.Columns[column]
	for len(xs) < rows {
		xs = append(xs, timer.Absent)
	}
	return xs
}

// PutValue adds a number of the last row to a column of values, which earlier rows may not
// have. One that is no number, or above LargestValue, is left out: JSON cannot represent it.
func (r *Readings) PutValue(column string, x float64) {
	if !(math.Abs(x) <= LargestValue) {
		return
	}
	if r.Values == nil {
		r.Values = map[string]Values{}
	}
	r.Values[column] = append(r.Values[column].filled(len(r.ID)-1), x)
}

// Latency is the time of each iteration of a batch, counted by the bins of package histogram.
type Latency struct {
	Bins [][2]int64 `json:"bins"` // number of the bin, and count
	Sum  int64      `json:"sum"`  // ns
	Min  int64      `json:"min"`
	Max  int64      `json:"max"`

	Arrivals *Arrivals `json:"arrivals,omitempty"` // of functions whose iterations begin when they are due
}

// Arrivals is how a batch kept to its schedule, ns. What was waited is in no column of times.
type Arrivals struct {
	Idle    int64 `json:"idle"`     // waited for iterations that were not due
	Waits   int64 `json:"waits"`    // iterations that were waited for
	Lag     int64 `json:"lag"`      // by which all of these began late
	MostLag int64 `json:"most_lag"` // by which the latest of them did
	Behind  int64 `json:"behind"`   // by which the batch ended after its last iteration was due
}

// PutLatency adds the times of single iterations of the last row.
func (r *Readings) PutLatency(l *Latency) {
	if l == nil && r.Latency == nil {
		return
	}
	for len(r.Latency) < len(r.ID)-1 {
		r.Latency = append(r.Latency, nil)
	}
	r.Latency = append(r.Latency, l)
}

// LatencyOf is the times of single iterations of a row, nil if they are not known.
func (r *Readings) LatencyOf(row int) *Latency {
	if row < len(r.Latency) {
		return r.Latency[row]
	}
	return nil
}

// PutStop records how long the run of the last row was stopped, ns.
func (r *Readings) PutStop(ns int64) {
	if ns == 0 && r.Stops == nil {
		return
	}
	for len(r.Stops) < len(r.ID)-1 {
		r.Stops = append(r.Stops, 0)
	}
	r.Stops = append(r.Stops, ns)
}

// AddWait adds to the time that the request spent waiting for a CPU, ns.
func (r *Readings) AddWait(ns int64) {
	if ns == timer.Absent {
		return
	}
	if r.Waited == nil {
		r.Waited = new(int64)
	}
	*r.Waited += ns
}

// KeepShare keeps the least share of its time that a counter was on the hardware.
func (r *Readings) KeepShare(share float64) {
	if share < 1 && (r.Share == nil || share < *r.Share) {
		r.Share = &share
	}
}

// Complete makes all columns equally long, and removes the columns that no row has: an
// absent column is left out and never zero.
func (r *Readings) Complete() {
	for name, column := range r.Columns {
		r.Columns[name] = r.fill(name, len(r.ID))
		if name != "exit_code" && !slices.ContainsFunc(column, func(x int64) bool { return x != timer.Absent }) {
			delete(r.Columns, name)
		}
	}
	for name, column := range r.Values {
		r.Values[name] = column.filled(len(r.ID))
	}
}

// Values is a column of numbers, NaN if a row has none. As JSON that is null.
type Values []float64

// MarshalJSON writes NaN as null. Infinite numbers are an error.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(v))
	for i := range v {
		if !math.IsNaN(v[i]) {
			out[i] = &v[i]
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads null as NaN.
func (v *Values) UnmarshalJSON(data []byte) error {
	var in []*float64
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*v = make(Values, len(in))
	for i, x := range in {
		(*v)[i] = math.NaN()
		if x != nil {
			(*v)[i] = *x
		}
	}
	return nil
}

func (v Values) filled(rows int) Values {
	for len(v) < rows {
		v = append(v, math.NaN())
	}
	return v
}
