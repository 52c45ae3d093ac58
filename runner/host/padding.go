package host

import "strings"

// PaddingVariable is set in the environment of hosts and commands that are one side of
// a pair, to a text of random length. The environment is above the stack, so its size
// moves the stack and with it what shares a cache set or a page: by its size alone -O3
// was up to 8 % faster or slower than -O2 on a Core 2 (T. Mytkowicz et al., Producing
// wrong data without doing anything obviously wrong, ASPLOS 2009). A length that is
// drawn for each side anew favours neither.
const PaddingVariable = "SUITE_PADDING"

// MostPadding is the length that a draw stays below, bytes: a page, for what is
// placed by the size of the environment repeats from page to page.
const MostPadding = 4096

// Padding returns the variable with a text of n bytes, as NAME=value.
func Padding(n int) string {
	return PaddingVariable + "=" + strings.Repeat("x", min(max(n, 0), MostPadding-1))
}

// padded sets the variable for the next run of a command, and returns what removes it
// again.
func (c *command) padded(n int) (end func()) {
	if n <= 0 {
		return func() {}
	}
	env := c.env
	c.env = append(env[:len(env):len(env)], Padding(n))
	return func() { c.env = env }
}

func padOf(pads []int, batch int) int {
	if batch < len(pads) {
		return pads[batch]
	}
	return 0
}
