package host

import (
	"bytes"
	"encoding/json"
	"math"
)

// Values is a column of numbers, NaN if a row has none. As JSON that is null.
type Values []float64

// MarshalJSON writes NaN as null. Infinite numbers are an error.
func (v Values) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(v))
	for i := range v {
		if !math.IsNaN(v[i]) {
			out[i] = &v[i]
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads null as NaN.
func (v *Values) UnmarshalJSON(data []byte) error {
	var in []*float64
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*v = make(Values, len(in))
	for i, x := range in {
		if (*v)[i] = math.NaN(); x != nil {
			(*v)[i] = *x
		}
	}
	return nil
}

// value adds a number of the last row to a column of values, which earlier rows
// may not have. One above LargestValue is none: infinite ones cannot be sent.
func (out *Readings) value(column string, x float64) {
	if math.Abs(x) > LargestValue {
		return
	}
	if out.Values == nil {
		out.Values = map[string]Values{}
	}
	out.Values[column] = append(out.Values[column].filled(len(out.ID)-1), x)
}

// filled returns a column with so many rows.
func (v Values) filled(rows int) Values {
	for len(v) < rows {
		v = append(v, math.NaN())
	}
	return v
}

// fillValues makes all columns of values as long as the others.
func (out *Readings) fillValues() {
	for name, column := range out.Values {
		out.Values[name] = column.filled(len(out.ID))
	}
}
