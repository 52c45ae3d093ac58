package result

import (
	"fmt"
	"strings"
)

// against counts what became of the cases that have a base, by the comparison of
// their time: "; against their bases 1 worse, 2 same, 1 unclear". Empty where
// none has one.
func (d *Document) against() string {
	number, some := map[Change]int{}, false
	for i := range d.Cases {
		if o := d.Cases[i].Comparison("time"); o != nil {
			number[o.Change]++
			some = true
		}
	}
	if !some {
		return ""
	}
	var parts []string
	for _, c := range []Change{Worse, Better, Same, Unclear} {
		if n := number[c]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, c))
		}
	}
	return "; against their bases " + strings.Join(parts, ", ")
}
