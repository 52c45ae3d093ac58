package result

import "fmt"

// Observation is what counts as one observation when a case is compared.
type Observation string

// The addresses of a setup's memory and of a program's code make all pairs of one setup or
// launch faster or slower alike, so such pairs are not independent. Pairs of Go functions
// in one host count once for each block, which has a setup of its own, and pairs of two
// programs, or of two processes that stay, once for each launch. A pair of commands is an observation by itself,
// because it has two new processes, unless the files that they read were placed anew for each block.
const (
	PerPair   Observation = "pair"
	PerBlock  Observation = "block"
	PerLaunch Observation = "launch"
	PerLayout Observation = "layout" // launches that share a layout
)

// Observation returns what counts as one observation of the case's pairs.
func (c *Case) Observation() Observation {
	switch p := c.Pairs; {
	case p != nil && len(p.Layouts) > 0 && len(p.Layouts) < c.Launches:
		return PerLayout
	case p != nil && len(p.Layouts) > 0:
		return PerLaunch
	case c.Kind != KindGo && p != nil && c.Settings.Isolate == IsolateLaunch:
		return PerLaunch
	case c.Kind != KindGo && p != nil && p.Placed > 0:
		return PerBlock
	case c.Kind != KindGo:
		return PerPair
	case p != nil && p.Tree != "":
		return PerLaunch
	}
	return PerBlock
}

// Plural returns the plural of the word: launches.
func (p Observation) Plural() string {
	if p == PerLaunch {
		return "launches"
	}
	return string(p) + "s"
}

// Count prints a number of observations: 1 pair, 12 launches.
func (p Observation) Count(n int) string {
	if n == 1 {
		return "1 " + string(p)
	}
	return fmt.Sprintf("%d %s", n, p.Plural())
}

// IsLook reports whether a table that follows a comparison from its first observation to
// its last has a row for the nth: 10, 20, 30, 50, 100, 200, 300, 500 and so on. A row for
// each would be thousands.
func IsLook(n int) bool {
	if n < 10 {
		return false
	}
	for n%10 == 0 {
		n /= 10
	}
	return n == 1 || n == 2 || n == 3 || n == 5
}
