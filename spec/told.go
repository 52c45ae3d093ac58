package spec

import (
	"strings"

	"example.com/suite/internal/diag"
)

// ParamVariable is the environment variable that tells hooks a parameter:
// SUITE_PARAM_SIZE for size.
func ParamVariable(name string) string {
	letter := func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}
	return "SUITE_PARAM_" + strings.Map(letter, strings.ToUpper(name))
}

// told refuses parameters that hooks could not tell apart.
func (p *planner) told(b *benchmark, c *Case) {
	if c.Setup == nil && c.Prepare == nil && c.Conclude == nil && c.Cleanup == nil {
		return
	}
	first := map[string]string{}
	for _, param := range c.Params {
		variable := ParamVariable(param.Name)
		if strings.ContainsRune(param.Value.Text, 0) {
			p.fail(b.place, "", "parameter %s has a NUL character, and hooks could not be told", diag.Quote(param.Name))
		}
		if other, twice := first[variable]; twice {
			p.fail(b.place, "give one of them another name", "parameters %s and %s are both %s in the environment of hooks", diag.Quote(other), diag.Quote(param.Name), variable)
		}
		first[variable] = param.Name
	}
}
