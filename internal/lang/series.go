package lang

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// seriesUnits are the units in which the values of a series are written, by kind and from
// small to large: 512KiB..2MiB*2 has the values 512KiB, 1MiB and 2MiB.
var seriesUnits = [][]seriesUnit{
	{{"", rat("1")}},
	{{"%", rat("1")}},
	{{"B", rat("1")}, {"KiB", rat("1024")}, {"MiB", rat("1048576")}, {"GiB", rat("1073741824")},
		{"TiB", rat("1099511627776")}},
	{{"B", rat("1")}, {"kB", rat("1e3")}, {"MB", rat("1e6")}, {"GB", rat("1e9")}, {"TB", rat("1e12")}},
	{{"ns", rat("1e-9")}, {"us", rat("1e-6")}, {"ms", rat("1e-3")}, {"s", rat("1")}},
}

type seriesUnit struct {
	name string
	size *big.Rat
}

func rat(text string) *big.Rat {
	x, _ := new(big.Rat).SetString(text)
	return x
}

// IsSeries reports whether text looks like a series of numbers, such as 1..5.
func IsSeries(text string) bool {
	from, rest, found := strings.Cut(text, "..")
	number, _ := cutNumber(strings.TrimPrefix(from, "-"))
	end, _ := cutNumber(strings.TrimPrefix(rest, "-"))
	return found && number != "" && end != ""
}

// IsHalfSeries reports whether text begins like a series and is none, as 1.., ..5 and 1..x.
// The paths .. and ../x and the revisions a..b begin otherwise.
func IsHalfSeries(text string) bool {
	from, rest, found := strings.Cut(text, "..")
	number, _ := cutNumber(strings.TrimPrefix(from, "-"))
	end, _ := cutNumber(strings.TrimPrefix(rest, "-"))
	return found && !IsSeries(text) && (number != "" || from == "" && end != "")
}

// Series returns the values of a series, in order and as they would be written one by one:
// 1..5 (steps of 1), 0..1+0.25 (steps of 0.25), 1..1000*10 (each ten times the one before),
// 1KiB..1MiB*4. The last number is one of the values if the steps reach it. Numbers are
// exact: 0..1+0.1 has eleven values.
//
// The error is that the text is not a series, or that it has more than limit values.
func Series(text string, limit int) (values []string, err error) {
	from, rest, _ := strings.Cut(text, "..")
	multiply := strings.Contains(rest, "*")
	operator := "+"
	if multiply {
		operator = "*"
	}
	to, step, hasStep := strings.Cut(rest, operator)
	units, begin, end, err := seriesEnds(from, to)
	if err != nil {
		return nil, err
	}
	by := new(big.Rat).Set(units[slices.IndexFunc(units, func(u seriesUnit) bool {
		return u.name == unitOf(from)
	})].size)
	if hasStep {
		by, err = seriesStep(step, units, multiply)
		if err != nil {
			return nil, err
		}
	}
	switch {
	case begin.Cmp(end) > 0:
		return nil, fmt.Errorf("%s is larger than %s: write the smaller number first", from, to)
	case multiply && begin.Sign() <= 0:
		return nil, errors.New("a series of products begins above 0")
	}
	for x := begin; x.Cmp(end) <= 0; {
		if len(values) == limit {
			return nil, fmt.Errorf("the series has more than %d values", limit)
		}
		values = append(values, seriesText(x, units))
		if next := new(big.Rat); multiply {
			x = next.Mul(x, by)
		} else {
			x = next.Add(x, by)
		}
	}
	return values, nil
}

func unitOf(text string) string {
	_, unit := cutNumber(strings.TrimPrefix(text, "-"))
	return unit
}

// seriesEnds finds the first and the last number, and the units in which values are
// written, beginning with the smaller unit of the two.
func seriesEnds(from, to string) (units []seriesUnit, begin, end *big.Rat, err error) {
	for _, kind := range seriesUnits {
		begin, first := seriesNumber(from, kind)
		end, last := seriesNumber(to, kind)
		if begin != nil && end != nil {
			return kind[min(first, last):], begin, end, nil
		}
	}
	if unitOf(from) != unitOf(to) {
		return nil, nil, nil, fmt.Errorf("%s and %s have no units of one kind: write both with a unit, as in "+
			"1KiB..64KiB*4", from, to)
	}
	return nil, nil, nil, fmt.Errorf("%s and %s are not the ends of a series: write 1..5, 0..1+0.25 or 1KiB..1MiB*4",
		from, to)
}

// A step is added to a value or multiplies it.
func seriesStep(step string, units []seriesUnit, multiply bool) (*big.Rat, error) {
	kind := units
	if multiply {
		kind = seriesUnits[0]
	}
	by, _ := seriesNumber(step, kind)
	switch {
	case by == nil && multiply:
		return nil, fmt.Errorf("%q is not a factor: write a number above 1, as in 1..1000*10", step)
	case by == nil:
		return nil, fmt.Errorf("%q is not a step in the unit of the series: write it as in 0..1+0.25 or "+
			"64KiB..1MiB+64KiB", step)
	case multiply && by.Cmp(rat("1")) <= 0:
		return nil, fmt.Errorf("the factor %s is not above 1", step)
	case by.Sign() <= 0:
		return nil, fmt.Errorf("the step %s is not above 0", step)
	}
	return by, nil
}

// seriesNumber reads a number with its unit multiplied in, and the index of the unit;
// nil if the text is not a number with one of these units.
func seriesNumber(text string, units []seriesUnit) (*big.Rat, int) {
	number, name := cutNumber(strings.TrimPrefix(text, "-"))
	i := slices.IndexFunc(units, func(u seriesUnit) bool { return u.name == name })
	if number == "" || i < 0 {
		return nil, 0
	}
	x := rat(strings.ReplaceAll(number, "_", ""))
	if strings.HasPrefix(text, "-") {
		x.Neg(x)
	}
	return x.Mul(x, units[i].size), i
}

// seriesText writes a value in the largest unit in which it is a whole number, otherwise in
// the smallest unit, with as many decimals as it has and at most twelve.
func seriesText(x *big.Rat, units []seriesUnit) string {
	chosen := units[0]
	for _, u := range units {
		if x.Sign() != 0 && new(big.Rat).Quo(x, u.size).IsInt() {
			chosen = u
		}
	}
	digits := new(big.Rat).Quo(x, chosen.size).FloatString(12)
	return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".") + chosen.name
}
