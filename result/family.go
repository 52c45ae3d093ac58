package result

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Family is one benchmark at several sizes: cases that differ only in one numeric
// parameter.
type Family struct {
	Suite, Param string
	Name         string  // of its cases, without the size
	Cases        []*Case // by size, ascending; all sizes differ
}

// Sizes lists the parameter of each case, ascending.
func (f *Family) Sizes() (sizes []float64) {
	for _, c := range f.Cases {
		sizes = append(sizes, *c.param(f.Param).Number)
	}
	return sizes
}

func (c *Case) param(name string) *Param {
	for i := range c.Params {
		if c.Params[i].Name == name {
			return &c.Params[i]
		}
	}
	return nil
}

// Families returns the families with at least least cases, in the order of their
// first cases. A case with two numeric parameters can be in two families. Cases that
// several machines have measured are no family.
func Families(cases []Case, least int) []Family {
	var found []*Family
	by := map[string]*Family{}
	for i := range cases {
		c := &cases[i]
		for j := range c.Params {
			p := &c.Params[j]
			if p.Number == nil || c.IsVanished() {
				continue
			}
			key := familyKey(c, p.Name)
			if by[key] == nil {
				by[key] = &Family{Suite: c.Suite, Param: p.Name, Name: Variant(c, p)}
				found = append(found, by[key])
			}
			by[key].Cases = append(by[key].Cases, c)
		}
	}
	var out []Family
	for _, f := range found {
		if f.tidy(); len(f.Cases) >= least && f.onOneMachine() {
			out = append(out, *f)
		}
	}
	return out
}

// onOneMachine reports whether the times of the cases can be compared.
func (f *Family) onOneMachine() bool {
	return !slices.ContainsFunc(f.Cases, func(c *Case) bool { return c.Shard != f.Cases[0].Shard })
}

// tidy sorts by size and keeps the first case of each size.
func (f *Family) tidy() {
	slices.SortStableFunc(f.Cases, func(a, b *Case) int { return cmp.Compare(*a.param(f.Param).Number, *b.param(f.Param).Number) })
	f.Cases = slices.CompactFunc(f.Cases, func(a, b *Case) bool { return *a.param(f.Param).Number == *b.param(f.Param).Number })
}

// familyKey is equal for cases of one benchmark, declared at one place of a suite
// file, with the same other parameters.
func familyKey(c *Case, param string) string {
	key := fmt.Sprintf("%q %v %q %q %q %q", c.Suite, c.Place, c.Kind, c.Unit, c.Identity.Function, param)
	for _, p := range c.Params {
		if p.Name != param {
			key += fmt.Sprintf(" %q=%q", p.Name, p.Text)
		}
	}
	return key
}

// Variant removes a parameter's value and name from the name of a case:
// sha256/size=64/asm becomes sha256/asm. It returns the whole name if the name does
// not contain the value, and "" if it contains nothing else.
func Variant(c *Case, p *Param) string {
	re, err := regexp.Compile(`(^|[^0-9A-Za-z])(?:` + regexp.QuoteMeta(p.Name) + `[=: ]+)?` + regexp.QuoteMeta(p.Text) + `($|[^0-9A-Za-z])`)
	if err != nil { // the text is not UTF-8
		return c.Name
	}
	at := re.FindAllStringSubmatchIndex(c.Name, -1)
	if len(at) == 0 {
		return c.Name
	}
	m := at[len(at)-1] // sizes are usually last
	left, right := c.Name[:m[0]], c.Name[m[5]:]
	if left != "" && right != "" {
		left += c.Name[m[2]:m[3]]
	}
	return strings.Trim(left+right, " /,:-_")
}
