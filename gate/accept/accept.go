// Package accept holds the failures that people have agreed to for a while. A file
// of them, accept.yaml, stands beside the suite files that it speaks of; this
// package reads and writes it, and marks in a result document the gates that it
// speaks for. It changes no verdict, knows no clock and touches no file.
package accept

import (
	"cmp"
	"time"

	"example.com/suite/internal/diag"
)

// FileName is that of the file beside the suite files of a folder.
const FileName = "accept.yaml"

// AgainstGate is the gate that a run has only where it compares with another tree.
const AgainstGate = "tolerance@against"

// Day is a date such as 2026-12-31. It ends at midnight UTC, and days compare as
// text does.
type Day string

// DayOf is the day of a moment, in UTC.
func DayOf(t time.Time) Day { return Day(t.UTC().Format(time.DateOnly)) }

// add gives a day that comes years and days later.
func (d Day) add(years, days int) Day {
	t, _ := time.Parse(time.DateOnly, string(d)) // a Day is a date
	return DayOf(t.AddDate(years, 0, days))
}

// Left is the number of days until the end of another one, today included;
// negative or zero where that one is over.
func (d Day) Left(until Day) int {
	from, _ := time.Parse(time.DateOnly, string(d))
	to, _ := time.Parse(time.DateOnly, string(until))
	return int(to.Sub(from).Hours()/24) + 1
}

// Key says which gate an entry speaks for: all three are names as the suite has
// them, after expansion.
type Key struct{ Suite, Case, Gate string }

func (k Key) compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Suite, other.Suite), cmp.Compare(k.Case, other.Case), cmp.Compare(k.Gate, other.Gate))
}

// Entry is one accepted failure.
type Entry struct {
	Key
	Until  Day        // last day
	Reason string     // at least three words
	At     string     // when it was accepted, and by whom; may be empty
	Place  diag.Place // in its file
}

// Expired says that the last day is over.
func (e *Entry) Expired(today Day) bool { return e.Until < today }
