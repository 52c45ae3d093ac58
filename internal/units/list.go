package units

import (
	"fmt"
	"slices"
	"strings"
)

// Plural writes a number of things: 1 case, 3 cases, 3 launches.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "ch") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// PluralIs is Plural with a verb: 1 case is, 3 cases are.
func PluralIs(n int, what string) string {
	if n == 1 {
		return Plural(n, what) + " is"
	}
	return Plural(n, what) + " are"
}

// List joins texts by commas and counts what is beyond the first few: a, b and 3 more.
func List(texts []string, few int) string {
	rest := len(texts) - few
	if rest <= 0 {
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:few], ", "), rest)
}

// Distinct drops repeats and keeps the order.
func Distinct(texts []string) (once []string) {
	for _, text := range texts {
		if !slices.Contains(once, text) {
			once = append(once, text)
		}
	}
	return once
}

// Thousands puts commas into the number at the start of a text if it has five digits or
// more: 41,200 iterations, but 3200.
func Thousands(text string) string {
	if len(text)-len(strings.TrimLeft(text, "0123456789")) < 5 {
		return text
	}
	return Grouped(text)
}

// Grouped puts commas into the number at the start of a text: 1,024.50.
func Grouped(text string) string {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	for at := end - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
