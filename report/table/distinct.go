package table

import "fmt"

// Distinct gives out names of which no two are the same, and leaves them as they
// are otherwise.
type Distinct map[string]bool

func (d Distinct) Name(s string) string {
	name := s
	for i := 2; d[name]; i++ {
		name = NumberedName(s, i)
	}
	d[name] = true
	return name
}

func NumberedName(s string, i int) string { return fmt.Sprintf("%s (%d)", s, i) }
