package table

import (
	"fmt"
	"strings"

	"example.com/suite/report/column"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// versusEvidence is the comparison of the time in one line.
func versusEvidence(c *result.Case) string {
	o := c.Comparison("time")
	if c.Pairs == nil || o == nil {
		return ""
	}
	line := fmt.Sprintf("time %s %s", number.Change(o), o.Change)
	if o.Change == result.Unclear {
		line = "time " + column.UnclearText(o)
	} else if within := number.Range(o); within != "" {
		line += " (" + within + ")"
	}
	line = fmt.Sprintf("%s against %s, %d of %d pairs used", line, c.Pairs.BaseName(), o.Used, o.Pairs)
	if o.Blocks > 0 {
		line += fmt.Sprintf(", of %d blocks", o.Blocks)
	}
	if o.Launches > 0 {
		line += fmt.Sprintf(", of %s", result.PerLaunch.Count(o.Launches))
	}
	return line
}

func JoinEvidence(lines ...string) string { return strings.Join(NotEmpty(lines), "; ") }
