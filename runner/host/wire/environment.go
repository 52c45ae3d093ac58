package wire

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/peg/pegfile"
)

// DebugVariable is the environment variable whose words turn traces on:
// SUITE_DEBUG=timer.
const DebugVariable = "SUITE_DEBUG"

// DebugTimer asks for every point of the calibrations and every batch of the
// searches for the number of iterations.
const DebugTimer = "timer"

// Debug reads the words of DebugVariable, between blanks or commas. An unknown word is
// an error.
func Debug(words string) (timer bool, err error) {
	list := strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune(" \t\r\n,", r) })
	for _, word := range list {
		if word != DebugTimer {
			return false, fmt.Errorf("%s: unknown word %q; known is %s", DebugVariable, word, DebugTimer)
		}
	}
	return slices.Contains(list, DebugTimer), nil
}

// PaddingVariable is set in the environment of hosts and commands that are one side of
// a pair, and of commands in which instructions are counted, to a text of random length. The environment is above the stack, so its size
// moves the stack and with it what shares a cache set or a page: by its size alone -O3
// was up to 8 % faster or slower than -O2 on a Core 2 (T. Mytkowicz et al., Producing
// wrong data without doing anything obviously wrong, ASPLOS 2009). A length that is
// drawn separately for each side favours neither.
const PaddingVariable = "SUITE_PADDING"

// MostPadding is the limit of a drawn length, bytes. It is a page, because the effects of
// the size of the environment repeat from page to page.
const MostPadding = 4096

// Padding makes the variable with a text of n bytes, as NAME=value.
func Padding(n int) string {
	return PaddingVariable + "=" + strings.Repeat("x", min(max(n, 0), MostPadding-1))
}

// RoundVariable contains the number of the run for hooks, from 1.
const RoundVariable = "SUITE_ROUND"

// WithoutPegs removes the variables that switch the pegs of a program on: only the pass with
// pegs needs them. In a sample a hit would cost time, and if suite itself was started for its
// pegs, the programs that it starts must not write into the same file. env is changed.
func WithoutPegs(env []string) []string {
	return slices.DeleteFunc(env, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return name == pegfile.Variable || name == pegfile.PointsVariable
	})
}
