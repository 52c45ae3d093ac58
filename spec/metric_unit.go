package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec/internal/yaml"
)

// misspeltUnits are what people write for a unit that they spell otherwise here.
var misspeltUnits = map[string]string{"msec": "ms", "millis": "ms", "milliseconds": "ms", "usec": "us", "micros": "us", "microseconds": "us",
	"nsec": "ns", "nanos": "ns", "nanoseconds": "ns", "secs": "s", "seconds": "s", "second": "s", "minutes": "min", "m": "min", "hours": "h",
	"bytes": "B", "byte": "B", "b": "B", "kb": "kB", "KB": "kB", "mb": "MB", "Mb": "MB", "gb": "GB", "Gb": "GB",
	"kib": "KiB", "Kib": "KiB", "KIB": "KiB", "mib": "MiB", "Mib": "MiB", "MIB": "MiB", "gib": "GiB", "Gib": "GiB", "percent": "%", "S": "s", "MS": "ms", "Ms": "ms", "NS": "ns"}

// unit reads what the numbers are of. Without it they are plain counts, and what
// the Go benchmark format prints has the unit that stands there.
func (r *benchReader) unit(given map[string]yaml.Node, m *metric) {
	at, ok := given["unit"]
	if !ok {
		return
	}
	unit, ok := r.Str(at, `"unit"`)
	of, _, _ := strings.Cut(unit, "/")
	right, wrong := misspeltUnits[of]
	switch {
	case !ok:
	case wrong:
		r.Fail(at, fmt.Sprintf("did you mean %q?", right+strings.TrimPrefix(unit, of)), "unknown unit %s of a metric", diag.Quote(unit))
	case !metricUnit().MatchString(unit):
		r.Fail(at, "units are ns us ms s min h, B kB MB GB KiB MiB GiB, %, or a word of your own: lines, req/s", "%s is not a unit", diag.Quote(unit))
	default:
		m.unit = unit
	}
}
