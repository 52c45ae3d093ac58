package host

import "example.com/suite/runner/host/wire"

// padded sets the variable for the next run of a command, and returns what removes it
// again.
func (c *command) padded(n int) (end func()) {
	if n <= 0 {
		return func() {}
	}
	env := c.env
	c.env = append(env[:len(env):len(env)], wire.Padding(n))
	return func() { c.env = env }
}

func padOf(pads []int, batch int) int {
	if batch < len(pads) {
		return pads[batch]
	}
	return 0
}
