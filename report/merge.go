package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/lazy"
)

// Messages of one kind differ in their numbers alone more often than not. They are
// told once, with the range of each number: "7% to 12% of samples were disturbed".

// varying matches what may differ: a number of how many, and a number with its unit.
// It stands behind a space or a sign, so that no digit of a name is taken for one.
var varying = lazy.Regexp(`(^|[\s(≤<≥÷])(?:(\d+) of (\d+)\b|([+−-]?\d+(?:\.\d+)?)( ?(?:%|(?:ns|µs|ms|s|min|h|B|KiB|MiB|GiB|TiB)\b))?)`)

// What stands for a number in a pattern. A message that holds one is left as it is.
const (
	hole      = "\x00"
	shareHole = "\x01" // behind the hole of a share
)

// reading is one number of a message.
type reading struct {
	text, number, unit string
	x                  float64 // in the base of its unit; of a share the share
	share              bool
}

// readings gives the pattern of a message and the numbers that it has.
func readings(message string) (pattern string, rs []reading) {
	if strings.ContainsAny(message, hole+shareHole) {
		return hole + hole + message, nil // no pattern has two together
	}
	var b strings.Builder
	end := 0
	for _, m := range varying().FindAllStringSubmatchIndex(message, -1) {
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return message[m[2*i]:m[2*i+1]]
		}
		r := reading{text: message[m[3]:m[1]], number: part(4), unit: part(5)}
		if r.share = part(2) != ""; r.share {
			n, of := number(part(2)), number(part(3))
			r.x = n / max(1, of)
		} else {
			r.x = number(strings.Replace(r.number, "−", "-", 1)) * factorOf(strings.TrimSpace(r.unit))
		}
		if b.WriteString(message[end:m[3]] + hole); r.share {
			b.WriteString(shareHole)
		}
		end, rs = m[1], append(rs, r)
	}
	b.WriteString(message[end:])
	return b.String(), rs
}

func number(s string) float64 {
	x, _ := strconv.ParseFloat(s, 64)
	return x
}

// factorOf is what a unit is in the base of its kind, 1 for none.
func factorOf(unit string) float64 {
	for _, s := range []scale{timeScale, byteScale} {
		for _, step := range s {
			if step.name == unit {
				return step.factor
			}
		}
	}
	return 1
}

// merged tells messages of one pattern in one: each number that varies as its range.
func merged(messages []string) string {
	pattern, first := readings(messages[0])
	if len(first) == 0 {
		return messages[0]
	}
	columns := make([][]reading, len(first))
	for _, m := range messages {
		_, rs := readings(m)
		for i := range columns {
			columns[i] = append(columns[i], rs[i])
		}
	}
	var b strings.Builder
	pieces := strings.Split(pattern, hole)
	for i, piece := range pieces {
		if i > 0 {
			b.WriteString(between(columns[i-1]))
			piece = strings.TrimPrefix(piece, shareHole)
		}
		b.WriteString(piece)
	}
	return b.String()
}

// between is the range of readings, or what they all are.
func between(rs []reading) string {
	low := slices.MinFunc(rs, func(a, b reading) int { return cmp.Compare(a.x, b.x) })
	high := slices.MaxFunc(rs, func(a, b reading) int { return cmp.Compare(a.x, b.x) })
	same := !slices.ContainsFunc(rs, func(r reading) bool { return r.text != rs[0].text })
	switch {
	case same:
		return rs[0].text
	case low.share:
		return shareRange(low.x, high.x) + " of"
	case low.text == high.text:
		return low.text
	case low.unit == high.unit && low.unit != "%":
		return fmt.Sprintf("%s to %s", low.number, high.text)
	}
	return fmt.Sprintf("%s to %s", low.text, high.text)
}

func shareRange(low, high float64) string {
	switch from, to := whole(low), whole(high); {
	case high < 0.005:
		return "under 1%"
	case from == to:
		return "about " + to
	case low < 0.005:
		return "up to " + to
	default:
		return from + " to " + to
	}
}
