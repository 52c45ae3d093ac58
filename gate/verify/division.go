package verify

import (
	"fmt"
	"strings"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// division checks that each case was measured where the division has it, and that the base of
// each pair is a case of its suite.
func (c *checker) division() {
	type key struct{ suite, name string }
	there, planned := map[key]bool{}, map[key]int{}
	for i := range c.doc.Cases {
		there[key{c.doc.Cases[i].Suite, c.doc.Cases[i].Name}] = true
	}
	if d := c.doc.Division; d != nil {
		for _, p := range d.Cases {
			planned[key{p.Suite, p.Name}] = p.Shard
			if here := !c.doc.IsShard() || p.Shard == d.Index; here && !there[key{p.Suite, p.Name}] {
				c.label = ""
				c.differ(fmt.Sprintf("case %q of shard %d", p.Name, p.Shard), "in the division", "not there")
			}
		}
	}
	for i := range c.doc.Cases {
		k := &c.doc.Cases[i]
		c.label = c.doc.Label(k)
		if p := k.Pairs; p != nil && p.Tree == "" && !there[key{k.Suite, p.Base}] {
			c.differ("the base of its pairs", p.Base, "no case of the suite")
		}
		if p := k.Pairs; p != nil && p.Tree != "" {
			c.differ("the base of its pairs", p.Base, counterpartName(k))
		}
		if c.doc.Division != nil && !k.IsVanished() {
			c.differ("its shard", fmt.Sprint(shardOf(c.doc, k)), fmt.Sprint(planned[key{k.Suite, k.Name}]))
		}
	}
}

// counterpartName is the name that a case has in the other tree.
func counterpartName(k *result.Case) string {
	if k.Counterpart != nil && k.Counterpart.Name != "" {
		return k.Counterpart.Name
	}
	return strings.TrimSuffix(k.Name, spec.AgainstSuffix)
}

// shardOf is the shard that claims to have measured a case.
func shardOf(d *result.Document, k *result.Case) int {
	if d.IsShard() {
		return d.Division.Index
	}
	return k.Shard
}
