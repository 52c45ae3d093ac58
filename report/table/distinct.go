package table

import "fmt"

// Distinct is the set of names in use. Name numbers a name that is taken: sort (2).
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
