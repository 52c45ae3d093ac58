package about

import (
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Warnings are what is doubtful about a case, with what to try.
func Warnings(c *result.Case) []page.Block {
	var all page.List
	for _, w := range c.Warnings {
		lines := []page.Line{page.Toned(page.Doubtful, w.Message)}
		if w.Hint != "" {
			lines = append(lines, page.Toned(page.Faint, "hint: "+w.Hint))
		}
		all = append(all, page.Item{Lines: lines})
	}
	return []page.Block{all}
}
