package result

import "errors"

// Validate says what of pegs cannot be in a document, joined in one error. Programs
// that suite knows nothing of have measured them.
func (p *Pegs) Validate() error {
	v := &validator{seen: map[string]bool{}}
	v.pegs(&Case{}, "pegs", p)
	return errors.Join(v.problems...)
}
