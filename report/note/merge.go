package note

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Messages of one kind often differ only in their numbers. They are printed once,
// with the range of each number: "7% to 12% of samples were disturbed".

// patternOf is the key by which messages are merged: the pattern, or the whole text
// if the message has none.
func patternOf(s result.Sentence) string {
	if s.Pieces() == nil {
		return "\x00" + s.Text // no pattern begins so
	}
	return s.Pattern
}

// merged prints messages of one pattern as one. Numbers that differ become ranges.
func merged(messages []result.Sentence) string {
	pieces := messages[0].Pieces()
	if pieces == nil {
		return messages[0].Text
	}
	var b strings.Builder
	b.WriteString(pieces[0])
	for i, piece := range pieces[1:] {
		var column []result.Quantity
		for _, m := range messages {
			column = append(column, m.Values[i])
		}
		b.WriteString(rangeOf(column))
		b.WriteString(piece)
	}
	return b.String()
}

// rangeOf prints the smallest and the largest quantity with one unit, or one of them
// if all are equal.
func rangeOf(qs []result.Quantity) string {
	low := slices.MinFunc(qs, func(a, b result.Quantity) int { return cmp.Compare(share(a), share(b)) })
	high := slices.MaxFunc(qs, func(a, b result.Quantity) int { return cmp.Compare(share(a), share(b)) })
	same := !slices.ContainsFunc(qs, func(q result.Quantity) bool { return q.Text != qs[0].Text })
	switch number, unit := splitUnit(low.Text); {
	case same:
		return qs[0].Text
	case low.Of > 0:
		return shareRange(share(low), share(high)) + " of"
	case low.Text == high.Text:
		return low.Text
	case unit != "" && unit != "%" && unit == unitOfText(high.Text):
		return fmt.Sprintf("%s to %s", number, high.Text)
	}
	return fmt.Sprintf("%s to %s", low.Text, high.Text)
}

// share is the key that quantities are ordered by: the value, or a count as a share
// of its total.
func share(q result.Quantity) float64 {
	if q.Of > 0 {
		return q.Value / q.Of
	}
	return q.Value
}

// splitUnit cuts a printed number from its unit: 1.2 and " ns".
func splitUnit(text string) (number, unit string) {
	end := strings.LastIndexFunc(text, unicode.IsDigit) + 1
	return text[:end], text[end:]
}

func unitOfText(text string) string {
	_, unit := splitUnit(text)
	return unit
}

func shareRange(low, high float64) string {
	switch from, to := units.Whole(low), units.Whole(high); {
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
