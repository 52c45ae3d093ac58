package result

import "errors"

// Validate checks pegs that another program wrote. It joins everything that a
// document must not contain in one error.
func (p *Pegs) Validate() error {
	v := &validator{seen: map[string]bool{}}
	v.pegs(&Case{}, "pegs", p)
	return errors.Join(v.problems...)
}
