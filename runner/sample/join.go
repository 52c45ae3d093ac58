package sample

import (
	"time"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// Join puts readings after others, as if one host had taken all of them. The time for
// which the host was stopped is recorded for each of its rows.
func Join(all, more *wire.Readings, stopped time.Duration) {
	rows := len(all.ID)
	all.ID, all.N = append(all.ID, more.ID...), append(all.N, more.N...)
	for name, column := range more.Columns {
		all.Columns[name] = append(absent(all.Columns[name], rows), column...)
	}
	for name, column := range all.Columns {
		all.Columns[name] = absent(column, len(all.ID))
	}
	if all.Latency != nil || more.Latency != nil {
		all.Latency = append(append(all.Latency, make([]*wire.Latency, rows-len(all.Latency))...), more.Latency...)
	}
	if stopped > 0 {
		mark(all, stopped, func(i int) bool { return i >= rows })
	} else if all.Stops != nil {
		all.Stops = append(all.Stops, make([]int64, len(more.ID))...)
	}
	all.Elapsed += more.Elapsed
	all.AddValues(more, rows)
	all.Retried += more.Retried
	all.Leaked, all.Left = all.Leaked+more.Leaked, append(all.Left, more.Left...)
	all.Stopped = all.Stopped || more.Stopped
	joinShares(all, more)
}

// joinShares takes the least share of a counter, and all of the waiting.
func joinShares(all, more *wire.Readings) {
	if more.Share != nil && (all.Share == nil || *more.Share < *all.Share) {
		all.Share = more.Share
	}
	if more.Waited != nil {
		waited := *more.Waited
		if all.Waited != nil {
			waited += *all.Waited
		}
		all.Waited = &waited
	}
}

// absent fills a column up to so many rows.
func absent(column []int64, rows int) []int64 {
	for len(column) < rows {
		column = append(column, timer.Absent)
	}
	return column
}
