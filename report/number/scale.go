package number

import (
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

func ScaleOf(c *result.Case, s *result.Summary) units.Scale {
	switch {
	case s.Unit == "s":
		return units.Time
	case s.Unit == "B", s.Unit == "1/s" && WorkUnit(c) == "byte":
		return units.Bytes
	case s.Unit == "1/s":
		return units.Rate
	}
	return units.Count
}

// UnitFor follows the prefix of a metric.
func UnitFor(c *result.Case, s *result.Summary) string {
	switch {
	case s.Unit == "B", s.Unit == "s" && s.Extremes == "":
		return ""
	case s.Unit == "s":
		return PerUnit(c)
	case s.Unit == "1/s" && WorkUnit(c) == "byte":
		return "/s"
	case s.Unit == "1/s":
		return WorkUnit(c) + "/s"
	}
	return CountUnit + s.Unit
}
