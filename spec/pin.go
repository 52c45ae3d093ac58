package spec

import (
	"slices"

	"example.com/suite/result"
)

// pinKey is the setting that keeps runs on one CPU. It is the only one that
// speaks of commands alone.
const pinKey = "pin"

// concerns says whether a setting has a meaning for a kind of body.
func (s *setting) concerns(kind result.Kind) bool {
	if kind == result.KindGoTest || slices.Contains(onlyGoTest, s.key) {
		return kind == result.KindGoTest && s.forGoTests()
	}
	if kind == result.KindGo {
		return s.key != pinKey
	}
	return !s.goOnly
}
