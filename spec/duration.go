package spec

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/suite/internal/lang"
)

// Duration is a length of time that prints as people write it: 100ms.
type Duration time.Duration

// String formats the duration as people write it: 100ms, 1m30s, 2m.
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

// MarshalText uses the format of String.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads what ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDuration(string(text))
	return err
}

// ParseDuration reads a duration such as 100ms, 1.5s, 2m, 1h30m or 0. It is exact to the
// nanosecond and at most 146 years.
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

// Benchtime is how long a sample of an existing benchmark is.
type Benchtime struct {
	N    int64    `json:"n,omitempty"`    // iterations; 0: as many as fill Time
	Time Duration `json:"time,omitempty"` // wanted
}

func (b Benchtime) String() string {
	if b.N > 0 {
		return fmt.Sprintf("%dx", b.N)
	}
	return b.Time.String()
}
