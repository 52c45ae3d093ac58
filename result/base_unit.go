package result

import "strings"

// scaledUnits are the units that are converted to SI base units, with their size.
var scaledUnits = map[string]struct {
	base string
	size float64
}{
	"ns": {"s", 1e-9}, "us": {"s", 1e-6}, "µs": {"s", 1e-6}, "μs": {"s", 1e-6}, "ms": {"s", 1e-3}, "s": {"s", 1},
	"sec": {"s", 1},
	"min": {"s", 60}, "h": {"s", 3600},
	"B": {"B", 1}, "kB": {"B", 1e3}, "MB": {"B", 1e6}, "GB": {"B", 1e9}, "TB": {"B", 1e12},
	"KiB": {"B", 1 << 10}, "MiB": {"B", 1 << 20}, "GiB": {"B", 1 << 30}, "TiB": {"B", 1 << 40},
	Percent: {Percent, 0.01},
}

// BaseUnit returns the unit in which numbers of a unit are stored, and the factor to
// it: s and 1e-3 for ms, B/s and 1e6 for MB/s. Per operation there is no unit of its
// own: s and 1e-9 for ns/op, allocs and 1 for allocs/op. Any other unit is kept, with
// factor 1.
func BaseUnit(unit string) (base string, scale float64) {
	of, per, rate := strings.Cut(unit, "/")
	u, known := scaledUnits[of]
	switch {
	case known && rate && per != "op":
		return u.base + "/" + per, u.size
	case known:
		return u.base, u.size
	case per == "op":
		return of, 1
	}
	return unit, 1
}
