package shard

import (
	"time"

	"example.com/suite/internal/history"
	"example.com/suite/result"
)

// Recorded returns the durations in a history: of each case its newest one. Runs of single
// shards are left out, because they can become part of the history while other shards of the
// same division have not begun.
func Recorded(entries []history.Entry) Durations {
	d := Durations{From: "history", Of: map[[2]string]time.Duration{}}
	for _, e := range entries {
		for _, c := range e.Cases {
			if c.Seconds > 0 && !e.Shard {
				d.Of[key(c.Suite, c.Name)] = seconds(c.Seconds)
			}
		}
	}
	return d
}

// Measured returns the durations in a result.
func Measured(doc *result.Document) Durations {
	d := Durations{From: "result", Of: map[[2]string]time.Duration{}}
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Status == result.Measured && c.Seconds > 0 {
			d.Of[key(c.Suite, c.Name)] = seconds(c.Seconds)
		}
	}
	return d
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
