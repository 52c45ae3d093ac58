package lang

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// unit is a power of ten times a factor. A literal is scaled by the power in decimal, so
// that 2ms is the float nearest to 0.002, without a rounding error.
type unit struct {
	power  int
	factor float64
}

// durationUnits are in the order in which a duration may combine them: 1h30m.
var durationUnits = []struct {
	name string
	unit
}{
	{"h", unit{0, 3600}}, {"m", unit{0, 60}}, {"s", unit{0, 1}}, {"ms", unit{-3, 1}},
	{"us", unit{-6, 1}}, {"µs", unit{-6, 1}}, {"μs", unit{-6, 1}}, {"ns", unit{-9, 1}},
}

// sizeUnits are our own because humanize.ParseBytes accepts KB for kB and drops fractions
// of a byte. Its constants are right.
var sizeUnits = map[string]unit{
	"B": {0, 1}, "kB": {3, 1}, "MB": {6, 1}, "GB": {9, 1}, "TB": {12, 1}, "PB": {15, 1},
	"KiB": {0, humanize.KiByte}, "MiB": {0, humanize.MiByte}, "GiB": {0, humanize.GiByte},
	"TiB": {0, humanize.TiByte}, "PiB": {0, humanize.PiByte},
}

// unitNames lists every unit of a quantity, for hints.
const unitNames = "ns us ms s m h, B kB MB GB TB KiB MiB GiB TiB, %"

// ParseDuration reads a length of time as people write it: 100ms, 1.5s, 2m, 1h30m, 0. It
// returns seconds, not negative. Units are ns, us (µs), ms, s, m and h, directly after
// their number, the longer ones first.
func ParseDuration(s string) (seconds float64, err error) {
	if s == "0" {
		return 0, nil
	}
	if err := unsigned(s, "duration", "100ms"); err != nil {
		return 0, err
	}
	// next is the longest unit that may follow.
	for rest, next := s, 0; rest != "" || next == 0; {
		number, tail := cutNumber(rest)
		name, after := cutUnit(tail)
		i := findDuration(name)
		if number == "" || i < next {
			return 0, fmt.Errorf("%q is not a duration: %s", s, durationAdvice(number, name))
		}
		seconds += scale(number, durationUnits[i].unit)
		rest, next = after, i+1
	}
	return finite(seconds, s)
}

func findDuration(name string) int {
	for i, u := range durationUnits {
		if u.name == name {
			return i
		}
	}
	return -1
}

func durationAdvice(number, name string) string {
	switch {
	case number == "":
		return "write it like 100ms, 1.5s or 2m"
	case name == "":
		return "its unit is missing, write it like 100ms, 1.5s or 2m"
	case findDuration(name) >= 0:
		return "longer units come first, each once: 1h30m"
	case otherUnits[strings.ToLower(name)] != "":
		return fmt.Sprintf("did you mean %q?", number+otherUnits[strings.ToLower(name)])
	}
	return "units are ns, us, ms, s, m and h"
}

// ParseSize reads a number of bytes as people write it: 64KiB (1024 each), 200MB (1000
// each), 512B, 4096. It returns bytes, not negative. KB, k and M are refused, because they
// mean 1000 to some and 1024 to others.
func ParseSize(s string) (bytes float64, err error) {
	if err := unsigned(s, "size", "64KiB"); err != nil {
		return 0, err
	}
	number, name := cutNumber(s)
	u, known := sizeUnits[name]
	switch {
	case number == "":
		return 0, fmt.Errorf("%q is not a size: write it like 64KiB, 200MB or 4096", s)
	case name == "":
		return ParseNumber(s)
	case !known:
		return 0, fmt.Errorf("%q is not a size: %s", s, sizeAdvice(name))
	}
	return finite(scale(number, u), s)
}

func sizeAdvice(name string) string {
	letter, tail := strings.ToUpper(name[:1]), strings.ToUpper(name[1:])
	if strings.Contains("KMGTP", letter) && (tail == "" || tail == "B" || tail == "I" || tail == "IB") {
		decimal := strings.Replace(letter, "K", "k", 1) + "B"
		return fmt.Sprintf("write %s (powers of 1000) or %siB (powers of 1024)", decimal, letter)
	}
	return "units are B, kB, MB, GB, TB and KiB, MiB, GiB, TiB"
}

// ParseRate reads how often something happens as people write it: 1000/s, 90/m, or one in a
// duration, 1/20ms. It returns times per second, more than zero.
func ParseRate(s string) (perSecond float64, err error) {
	const example = "1000/s"
	if err := unsigned(s, "rate", example); err != nil {
		return 0, err
	}
	count, per, ok := strings.Cut(s, "/")
	if !ok {
		return 0, fmt.Errorf("%q is not a rate: write it like %s, 90/m or 1/20ms", s, example)
	}
	times, err := ParseNumber(count)
	if err != nil {
		return 0, fmt.Errorf("%q is not a rate: %w", s, err)
	}
	if per != "" && !isDigit(per[0]) {
		per = "1" + per
	}
	seconds, err := ParseDuration(per)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a rate: %w", s, err)
	case seconds == 0:
		return 0, fmt.Errorf("%q is not a rate: its time is zero", s)
	case times == 0:
		return 0, fmt.Errorf("%q is not more than zero", s)
	}
	return finite(times/seconds, s)
}

// ParsePercent reads a share: 3% and 0.03 are the same. The result is not negative and may
// be above 1.
func ParsePercent(s string) (share float64, err error) {
	if err := unsigned(s, "percentage", "3%"); err != nil {
		return 0, err
	}
	number, rest := cutNumber(s)
	switch {
	case number != "" && rest == "%":
		return finite(scale(number, unit{-2, 1}), s)
	case rest == "":
		return ParseNumber(s)
	}
	return 0, fmt.Errorf("%q is not a percentage: write it like 3%% or 0.03", s)
}

// ParseNumber reads a number without a unit: 42, -1.5, 1e6, 1_000, 0x10. A leading zero
// (010) is refused, because it means eight to some and ten to others.
func ParseNumber(s string) (float64, error) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 {
		return 0, notNumber(s)
	}
	if hex, ok := strings.CutPrefix(digits, "0x"); ok {
		x, err := strconv.ParseUint(strings.ReplaceAll(hex, "_", ""), 16, 53)
		if err != nil || !underscored(digits) {
			return 0, notNumber(s)
		}
		return math.Copysign(float64(x), sign(s)), nil
	}
	if !underscored(digits) || !decimal(digits) {
		return 0, notNumber(s)
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is too large", s)
	} else if err != nil {
		return 0, notNumber(s)
	}
	return x, nil
}

// parseQuantity reads a number with or without a unit, as expressions and parameters have
// it: 2ms 1h30m 64KiB 200MB 3% 1_000 1.5e6 0x10, with or without a sign. ok is false for
// all other text.
func parseQuantity(s string) (x float64, ok bool) {
	if x, err := ParseNumber(s); err == nil {
		return x, true
	}
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 {
		return 0, false
	}
	for _, parse := range []func(string) (float64, error){ParseDuration, ParseSize, ParsePercent} {
		if x, err := parse(body); err == nil {
			return math.Copysign(x, sign(s)), true
		}
	}
	return 0, false
}

func notNumber(s string) error { return fmt.Errorf("%q is not a number", s) }

func sign(s string) float64 {
	if strings.HasPrefix(s, "-") {
		return -1
	}
	return 1
}

// unsigned refuses what every quantity refuses: a sign, and spaces.
func unsigned(s, what, example string) error {
	switch {
	case strings.HasPrefix(s, "-"):
		return fmt.Errorf("%q is negative", s)
	case strings.ContainsAny(s, " \t\n") && strings.Trim(s, " \t\n") != "":
		return fmt.Errorf("%q is not a %s: write it without spaces, like %s", s, what, example)
	}
	return nil
}

// finite refuses numbers that float64 cannot represent.
func finite(x float64, s string) (float64, error) {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, fmt.Errorf("%q is too large", s)
	}
	return x, nil
}

// scale returns a number that cutNumber has cut from its unit, in the base unit.
func scale(number string, u unit) float64 {
	x, _ := strconv.ParseFloat(strings.ReplaceAll(number, "_", "")+"e"+strconv.Itoa(u.power), 64)
	return x * u.factor
}

// cutNumber cuts off the longest decimal number without an exponent: digits, single
// underscores between them, a fraction. number is empty if there is none.
func cutNumber(s string) (number, rest string) {
	i := digitsEnd(s, 0)
	if i+1 < len(s) && s[i] == '.' && i > 0 && isDigit(s[i+1]) {
		i = digitsEnd(s, i+1)
	}
	if !underscored(s[:i]) || !decimal(s[:i]) {
		return "", s
	}
	return s[:i], s[i:]
}

// cutUnit cuts off everything up to the next digit.
func cutUnit(s string) (name, rest string) {
	if i := strings.IndexAny(s, "0123456789"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func digitsEnd(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || s[i] == '_') {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// underscored reports whether every underscore is between two digits.
func underscored(s string) bool {
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i+1 == len(s) || !isHex(s[i-1]) || !isHex(s[i+1])) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// decimal reports whether s consists of the characters of a decimal number, begins with a
// digit or a point, and has no leading zero.
func decimal(s string) bool {
	if s == "" || strings.Trim(s, "0123456789._eE+-") != "" || !isDigit(s[0]) && s[0] != '.' {
		return false
	}
	return len(s) == 1 || s[0] != '0' || !isDigit(s[1]) && s[1] != '_'
}
