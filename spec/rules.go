package spec

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/extract"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// checkRule is nil if the text of a rule is right.
func checkRule(how string, text lang.Text) *diag.Problem {
	problem := func(at int, message, hint string) *diag.Problem {
		p := text.Problem(at, message, hint)
		return &p
	}
	if strings.TrimSpace(text.Value) == "" {
		return &diag.Problem{Place: text.Place, Message: diag.Quote(how) + " is empty"}
	}
	switch how {
	case "regex":
		if _, err := extract.Regex(text.Value); err != nil {
			return problem(regexFault(text.Value), "regex: "+err.Error(), regexHint)
		}
	case "json":
		if err := extract.Path(text.Value); err != nil {
			return problem(0, "json: "+err.Error(), "")
		}
	case "bench":
		if strings.ContainsAny(text.Value, " \t\n") {
			return problem(0, fmt.Sprintf("bench: %s is not a unit of the Go benchmark format", diag.Quote(text.Value)),
				"bench: ns/op")
		}
	}
	return nil
}

const regexHint = "one group ( ) is the number; a group that is not writes (?: )"

// regexFault locates the fault in a regular expression, in characters from its start.
func regexFault(text string) int {
	_, err := syntax.Parse(text, syntax.Perl)
	var fault *syntax.Error
	if !errors.As(err, &fault) {
		return 0
	}
	if at := strings.LastIndex(text, fault.Expr); at > 0 {
		return utf8.RuneCountInString(text[:at])
	}
	return 0
}

// The kernel writes branch-misses, gates write branch_misses.
func metricOf(name string) string { return strings.ReplaceAll(name, "-", "_") }

// MetricNameProblem returns why a metric of the user's own cannot have a name, and what to do.
// Both are empty if it can.
func MetricNameProblem(name string) (message, hint string) {
	_, known := result.FindMetric(name)
	switch {
	case !result.DeclaredName.MatchString(name):
		return diag.Quote(name) + " is not a name for a metric", "gates name it: write letters, digits and _, a " +
			"letter first"
	case known:
		return diag.Quote(name) + " is a metric of suite itself", "choose another name"
	case lang.IsReserved(name), slices.Contains(reservedNames, name):
		return fmt.Sprintf("a metric cannot be called %s: gates use the word themselves",
			diag.Quote(name)), "choose another name"
	}
	return "", ""
}

// reservedNames are the words that expressions use themselves.
var reservedNames = append([]string{"env", "suite"}, lang.Grammar...)
