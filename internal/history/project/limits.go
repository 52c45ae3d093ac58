package project

import (
	"fmt"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/lang"
)

// ParseLimits reads the flags of suite history prune: a number of runs, an age such as 365d, and
// a size such as 50MB. Zero and empty texts are no limits; at least one is needed.
func ParseLimits(runs int, age, size string) (history.Limits, error) {
	limits := history.Limits{Runs: runs}
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
		return history.Limits{}, err
	case limits == history.Limits{}:
		return history.Limits{}, diag.Hinted("suite history prune needs --keep, --older or --size",
			"for example: suite history prune --keep 500")
	case runs < 0:
		return history.Limits{}, diag.Hinted(fmt.Sprintf("--keep %d: want a number above 0", runs), "")
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
