package flow

import (
	"errors"
	"fmt"

	"example.com/suite/result/arcs"
)

// Outermost is the source of spans that no other span contains.
const Outermost = "(outermost)"

// PathSums adds up a path in each case; the sum is nil if the case lacks the path. If
// all lack it, the error is the first case's, with its label if there are several.
func PathSums(cases []Pegged, path []string) ([]*arcs.Sum, error) {
	sums := make([]*arcs.Sum, len(cases))
	found := false
	first := error(nil)
	for i, c := range cases {
		s, err := arcs.Path(c.Case.Pegs, path...)
		if err == nil {
			sums[i], found = &s, true
		} else if first == nil {
			first = ofCase(err, c.Label, len(cases))
		}
	}
	if found {
		return sums, nil
	}
	return nil, first
}

func ofCase(err error, label string, n int) error {
	var missing *arcs.Missing
	if errors.As(err, &missing) && n > 1 {
		return &arcs.Missing{Message: fmt.Sprintf("case %q: %s", label, missing.Message), Hint: missing.Hint}
	}
	return err
}
