package note

import (
	"fmt"

	"example.com/suite/report/column"
	"example.com/suite/result"
)

// unmatchedCodes are the codes of cases that were not compared with the other tree.
var unmatchedCodes = map[result.CounterpartState]result.WarningCode{
	result.CounterpartNew:     result.WarnCounterpartNew,
	result.CounterpartChanged: result.WarnCounterpartChanged,
	result.CounterpartUnable:  result.WarnCounterpartUnable,
}

// counterpart warns that the other tree lacks the case, or has it in another form or
// under another name.
func (ns *Notes) counterpart(c *result.Case) []result.Warning {
	p, s := c.Counterpart, ns.doc.Suite(c.Suite)
	switch {
	case p == nil || s == nil || s.Against == nil:
		return nil
	case p.Unmatched() != "":
		return []result.Warning{{Code: unmatchedCodes[p.State],
			Message: fmt.Sprintf("%s: %s", column.Uncompared(c), p.Reason)}}
	case p.Name != "":
		return []result.Warning{{Code: result.WarnCounterpartRenamed,
			Message: fmt.Sprintf("called %s in %s", p.Name, s.Against.Asked)}}
	}
	return nil
}
