package pegs

import (
	"fmt"
	"strconv"
)

// token is an operator or a bracket, or a number if kind is 'n'.
type token struct {
	kind  byte
	value float64
}

// tokenise cuts a formula into numbers, operators and brackets.
func tokenise(source string) ([]token, error) {
	var tokens []token
	for at := 0; at < len(source); {
		switch b := source[at]; b {
		case ' ':
			at++
		case '+', '-', '*', '/', '(', ')':
			tokens = append(tokens, token{kind: b})
			at++
		default:
			end := at + digits(source[at:])
			value, err := strconv.ParseFloat(source[at:end], 64)
			if err != nil {
				return nil, fmt.Errorf("column %d: no number, operator or bracket", at+1)
			}
			tokens = append(tokens, token{'n', value})
			at = end
		}
	}
	return tokens, nil
}

// digits counts those that a text begins with, points included.
func digits(text string) int {
	n := 0
	for n < len(text) && (text[n] == '.' || '0' <= text[n] && text[n] <= '9') {
		n++
	}
	return n
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
