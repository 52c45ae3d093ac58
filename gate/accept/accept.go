// Package accept contains the failures that people accept for a while, and the changes
// over commits that they acknowledge. They are listed in accept.yaml, in the same folder
// as the suite files. The package parses and prints that file, and marks the accepted
// gates in a result document. It changes no verdict, knows no clock and touches no file.
package accept

import (
	"cmp"
	"strings"
	"time"

	"example.com/suite/internal/diag"
)

// FileName is the name of the file, one per folder of suite files.
const FileName = "accept.yaml"

// OnlyAgainst reports whether a gate of this name exists only in a run that compares with
// another tree: the gate of the tolerance, and gates of the base.
func OnlyAgainst(gate string) bool {
	return strings.HasSuffix(gate, "@against") || strings.HasSuffix(gate, "@base")
}

// Day is a date such as 2026-12-31. It ends at midnight UTC, and days compare as
// text does.
type Day string

// DayOf is the day of a moment, in UTC.
func DayOf(t time.Time) Day { return Day(t.UTC().Format(time.DateOnly)) }

// add returns the day that is years and days later.
func (d Day) add(years, days int) Day {
	t, _ := time.Parse(time.DateOnly, string(d)) // a Day is a date
	return DayOf(t.AddDate(years, 0, days))
}

// Left returns the number of days from d to until, both included; zero or negative if
// until is over.
func (d Day) Left(until Day) int {
	from, _ := time.Parse(time.DateOnly, string(d))
	to, _ := time.Parse(time.DateOnly, string(until))
	return int(to.Sub(from).Hours()/24) + 1
}

// Key identifies what an entry is about: a gate that may fail, or the change of a case at a
// commit. The other of the two is empty. The names are the suite's, after expansion.
type Key struct {
	Suite, Case, Gate string
	Commit            string // a hash, or its first digits: at least leastDigits
}

func (k Key) compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Suite, other.Suite), cmp.Compare(k.Case, other.Case), cmp.Compare(k.Gate, other.Gate),
		cmp.Compare(k.Commit, other.Commit))
}

// IsChange reports whether the key is one of a change over commits.
func (k Key) IsChange() bool { return k.Commit != "" }

// Entry is one accepted failure, or one acknowledged change.
type Entry struct {
	Key
	Until  Day        // last day; empty for a change, which stays acknowledged
	Reason string     // at least three words
	At     string     // when it was accepted, and by whom; may be empty
	Place  diag.Place // in its file
}

// Expired reports whether the entry's last day is over.
func (e *Entry) Expired(today Day) bool { return !e.IsChange() && e.Until < today }
