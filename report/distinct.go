package report

import "fmt"

// distinct gives out names of which no two are the same, and leaves them as they
// are otherwise.
type distinct map[string]bool

func (d distinct) name(s string) string {
	name := s
	for i := 2; d[name]; i++ {
		name = numberedName(s, i)
	}
	d[name] = true
	return name
}

func numberedName(s string, i int) string { return fmt.Sprintf("%s (%d)", s, i) }
