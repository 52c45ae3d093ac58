package table

import (
	"errors"
	"fmt"

	"example.com/suite/result/arcs"
)

// Outermost is where spans begin that lie in no other.
const Outermost = "(outermost)"

// PathSums adds up a path in each of some cases; nil stands for those that do not have it.
// The error is that of the first case where none has, which it names where there are several.
func PathSums(cases []Pegged, path []string) ([]*arcs.Sum, error) {
	sums, found, first := make([]*arcs.Sum, len(cases)), false, error(nil)
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
