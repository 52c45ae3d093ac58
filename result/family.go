package result

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
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
				by[key] = &Family{Suite: c.Suite, Param: p.Name}
				found = append(found, by[key])
			}
			by[key].Cases = append(by[key].Cases, c)
		}
	}
	var out []Family
	for _, f := range found {
		f.Name = variantOf(f.Cases, f.Param)
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
	slices.SortStableFunc(f.Cases,
		func(a, b *Case) int { return cmp.Compare(*a.param(f.Param).Number, *b.param(f.Param).Number) })
	f.Cases = slices.CompactFunc(f.Cases,
		func(a, b *Case) bool { return *a.param(f.Param).Number == *b.param(f.Param).Number })
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

// Variants returns the name of each case without the value of a parameter: cases that
// differ only in this parameter have the same. A case without the parameter has its name.
func Variants(cases []*Case, param string) []string {
	alike := map[string][]*Case{}
	for _, c := range cases {
		if c.param(param) != nil {
			key := familyKey(c, param)
			alike[key] = append(alike[key], c)
		}
	}
	names := make([]string, len(cases))
	for i, c := range cases {
		names[i] = c.Name
		if c.param(param) != nil {
			names[i] = variantOf(alike[familyKey(c, param)], param)
		}
	}
	return names
}

// variantOf is the name of cases that differ only in a parameter, without its value. If a
// name contains the value's text twice, as xs5 batch 5 does, the other names show which
// of them is the value.
func variantOf(cases []*Case, param string) string {
	first := cases[0]
	value := first.param(param).Text
	for at := len(first.Name) - len(value); at >= 0 && len(cases) > 1; at-- {
		if !strings.HasPrefix(first.Name[at:], value) {
			continue
		}
		left, right := first.Name[:at], first.Name[at+len(value):]
		if !slices.ContainsFunc(cases, func(c *Case) bool { return c.Name != left+c.param(param).Text+right }) {
			return joined(left, right, param)
		}
	}
	return variant(first, first.param(param))
}

const notAlphanumeric = `[^0-9A-Za-z]`

// variant removes a parameter's value and name from the name of one case:
// sha256/size=64/asm becomes sha256/asm. It returns the whole name if the name does
// not contain the value, and "" if it contains nothing else.
func variant(c *Case, p *Param) string {
	re, err := regexp.Compile(`(?:^|` + notAlphanumeric + `)(` + regexp.QuoteMeta(p.Text) + `)(?:$|` + notAlphanumeric +
		`)`)
	if err != nil { // the text is not UTF-8
		return c.Name
	}
	at := re.FindAllStringSubmatchIndex(c.Name, -1)
	if len(at) == 0 {
		return c.Name
	}
	value := at[len(at)-1][2:] // sizes are usually last
	return joined(c.Name[:value[0]], c.Name[value[1]:], p.Name)
}

// joined joins what is left and right of a parameter's value in a name, without the
// parameter's name and one of the separators.
func joined(left, right, param string) string {
	re, err := regexp.Compile(`(^|` + notAlphanumeric + `)(?:` + regexp.QuoteMeta(param) + `[=: ]+)?$`)
	if err != nil { // the name is not UTF-8
		return left + right
	}
	if m := re.FindStringSubmatchIndex(left); m != nil {
		separator := left[m[2]:m[3]]
		left = left[:m[0]]
		right = separatorAt().ReplaceAllString(right, "")
		if left != "" && right != "" {
			left += separator
		}
	}
	return strings.Trim(left+right, " /,:-_")
}

var separatorAt = lazy.Regexp(`^` + notAlphanumeric)
