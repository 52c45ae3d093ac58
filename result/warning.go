package result

import (
	"fmt"
	"strings"

	"example.com/suite/internal/units"
)

// Warning is a doubt about a result. Reports print it as a footnote.
type Warning struct {
	Code    WarningCode `json:"code"`
	Message string      `json:"message"` // with the numbers that caused it
	Hint    string      `json:"hint,omitempty"`
	// Values are the numbers of the message, in its order, and Pattern is the message with
	// {} in place of each, so that cases with the same doubt can be reported together.
	Values  []Quantity `json:"values,omitempty"`
	Pattern string     `json:"pattern,omitempty"`
	Metrics []string   `json:"metrics,omitempty"` // that are missing or incomplete because of it
}

// Quantity is a number in a sentence.
type Quantity struct {
	Text  string  `json:"text"` // as printed in the sentence, with its unit
	Value float64 `json:"value"`
	Of    float64 `json:"of,omitempty"`   // the total, if the value counts some of it
	Unit  string  `json:"unit,omitempty"` // s, B, ratio (a share of the whole), or empty for counts
}

// Some is a count out of a total: 3 of 40.
func Some[T, U int | int64](n T, all U) Quantity {
	return Quantity{Text: fmt.Sprintf("%d of %d", n, all), Value: float64(n), Of: float64(all)}
}

func Number[T int | int64](n T) Quantity { return Quantity{Text: fmt.Sprint(n), Value: float64(n)} }

// Amount is a number with its unit, printed by units.Format.
func Amount(x float64, unit string) Quantity {
	return Quantity{Text: units.Format(x, unit), Value: x, Unit: unit}
}

// Printed is a number with a text of the caller's.
func Printed(text string, x float64, unit string) Quantity {
	return Quantity{Text: text, Value: x, Unit: unit}
}

// hole replaces a quantity in a pattern.
const hole = "{}"

// Sentence is a text for a reader, with the numbers in it.
type Sentence struct {
	Text    string
	Pattern string // Text with {} in place of each value; empty if there are none, or if Text contains {} itself
	Values  []Quantity
}

// Say formats a sentence. Its values are the arguments of type Quantity, in the order
// of the format; the verb for them is %s. An argument of type Sentence adds its own
// values.
func Say(format string, args ...any) Sentence {
	printed, holes := make([]any, len(args)), make([]any, len(args))
	var s Sentence
	for i, a := range args {
		printed[i], holes[i] = a, a
		switch a := a.(type) {
		case Quantity:
			printed[i], holes[i] = a.Text, hole
			s.Values = append(s.Values, a)
		case Sentence:
			printed[i], holes[i] = a.Text, a.Text
			if a.Pieces() != nil {
				holes[i] = a.Pattern
				s.Values = append(s.Values, a.Values...)
			}
		}
	}
	s.Text = fmt.Sprintf(format, printed...)
	if len(s.Values) > 0 && !strings.Contains(s.Text, hole) {
		s.Pattern = fmt.Sprintf(format, holes...)
	}
	return s
}

// Warning makes a warning with this message.
func (s Sentence) Warning(code WarningCode, hint string) Warning {
	return Warning{Code: code, Message: s.Text, Hint: hint, Values: s.Values, Pattern: s.Pattern}
}

func (w *Warning) Sentence() Sentence {
	return Sentence{Text: w.Message, Pattern: w.Pattern, Values: w.Values}
}

// Pieces are the texts between the values, one more than there are values. They are
// nil without a pattern, as in documents of earlier versions.
func (s Sentence) Pieces() []string {
	if s.Pattern == "" {
		return nil
	}
	pieces := strings.Split(s.Pattern, hole)
	if len(pieces) != len(s.Values)+1 {
		return nil
	}
	return pieces
}
