package result

import (
	"encoding/json"
	"math"
)

// Ratio is a quotient that is infinite if only its divisor is 0. JSON has no infinite numbers, so it is
// null there.
type Ratio float64

// infiniteRatio and more is what documents of earlier versions have for infinite: the largest float64, or a
// power of e. It stays as it is, because their digest covers it.
const infiniteRatio = 1e300

// IsInfinite reports whether only the divisor is 0.
func (r Ratio) IsInfinite() bool { return r >= infiniteRatio }

// Same reports whether two ratios are equal, or both infinite.
func (r Ratio) Same(other Ratio) bool { return r == other || r.IsInfinite() && other.IsInfinite() }

// MarshalJSON returns null for an infinite ratio.
func (r Ratio) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(r), 1) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(r))
}

// UnmarshalJSON takes what MarshalJSON returns.
func (r *Ratio) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*r = Ratio(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(r))
}
