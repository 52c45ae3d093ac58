package spec

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/suite/internal/lang"
)

// String prints a duration as people write it: 100ms, 1m30s, 2m.
func (d Duration) String() string {
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// MarshalText gives the form that String gives.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// ParseDuration reads 100ms, 1.5s, 2m, 1h30m or 0, to the nanosecond, up to 292
// years.
func ParseDuration(s string) (Duration, error) {
	seconds, err := lang.ParseDuration(s)
	switch {
	case err != nil:
		return 0, err
	case seconds*1e9 > math.MaxInt64/2:
		return 0, fmt.Errorf("%q is too long", s)
	case seconds > 0 && seconds < 0.5e-9:
		return 0, fmt.Errorf("%q is shorter than a nanosecond", s)
	}
	return Duration(math.Round(seconds * 1e9)), nil
}
