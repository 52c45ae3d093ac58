package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// Limits say which runs a history keeps. A zero limit keeps all.
type Limits struct {
	Runs int           // the newest of each machine
	Age  time.Duration // since the commit, or the start of a run without one
	Size int64         // bytes of all files together
}

// ParseLimits reads the flags of suite history prune: a number of runs, an age such as 365d, and
// a size such as 50MB. Zero and empty texts are no limits; at least one is needed.
func ParseLimits(runs int, age, size string) (Limits, error) {
	limits := Limits{Runs: runs}
	var err error
	if age != "" {
		limits.Age, err = parseAge(age)
	}
	if size != "" {
		bytes, wrong := lang.ParseSize(size)
		limits.Size = int64(bytes)
		if wrong != nil {
			err = diag.Hinted("--size: "+wrong.Error(), "for example 50MB")
		}
	}
	switch {
	case err != nil:
		return Limits{}, err
	case limits == Limits{}:
		return Limits{}, diag.Hinted("suite history prune needs --keep, --older or --size", "for example: suite history prune --keep 500")
	case runs < 0:
		return Limits{}, diag.Hinted(fmt.Sprintf("--keep %d: want a number above 0", runs), "")
	}
	return limits, nil
}

// parseAge reads a number of days or weeks, or a duration.
func parseAge(text string) (time.Duration, error) {
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		var n int
		if _, err := fmt.Sscanf(text, "%d"+unit, &n); err == nil && n > 0 && fmt.Sprint(n)+unit == text {
			return time.Duration(n*days) * 24 * time.Hour, nil
		}
	}
	age, err := time.ParseDuration(text)
	if err != nil || age <= 0 {
		return 0, diag.Hinted(fmt.Sprintf("--older %q is not an age", text), "for example 365d, 52w or 48h")
	}
	return age, nil
}

// Beyond returns the entries that exceed the limits at a time, the oldest first. entries are
// in the order of time, as List returns them.
func (l Limits) Beyond(entries []Entry, now time.Time) (over []Entry) {
	runs := map[string]int{}
	size := int64(0)
	for _, e := range slices.Backward(entries) {
		machine := e.MachineName()
		runs[machine]++
		size += e.Size
		if l.Runs > 0 && runs[machine] > l.Runs || l.Age > 0 && now.Sub(e.When()) > l.Age || l.Size > 0 && size > l.Size {
			over = append(over, e)
		}
	}
	slices.Reverse(over)
	return over
}

// Remove removes a file of the history. That another process has removed it is no error.
func (s Store) Remove(e Entry) error {
	err := os.Remove(e.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
