package profiles

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"example.com/suite/result"
)

// node is a call with all that it calls.
type node struct {
	cost  float64 // of all launches
	calls map[string]*node
}

func (n *node) call(name string) *node {
	if n.calls == nil {
		n.calls = map[string]*node{}
	}
	if n.calls[name] == nil {
		n.calls[name] = &node{}
	}
	return n.calls[name]
}

// grow adds a stack to the tree. It begins at the outermost function of the module.
func (s *side) grow(stack callStack, cost float64, _ int) {
	if len(stack.own) == 0 {
		s.root.call(stack.rest).cost += cost
		return
	}
	at := &s.root
	begun := 0
	for i := len(stack.all) - 1; i >= 0; i-- {
		begun += isOwn(stack.all[i])
		if begun == 0 {
			continue
		}
		at = at.call(stack.all[i].name)
		at.cost += cost
	}
}

func isOwn(f frame) int {
	if f.from == own {
		return 1
	}
	return 0
}

// Limits of the tree in a document. A call below leastStack of the whole is a hairline in a
// drawing.
const (
	leastStack = 0.004
	mostStacks = 400
	mostDeep   = 48
)

// stacks makes one tree of both sides, per iteration. Each node comes after its caller; the
// calls of a caller are in alphabetical order, so that both sides are drawn alike.
func stacks(here, base *side) []result.ProfileStack {
	whole := math.Max(mean(here.root.sum(), here.launches), mean(base.root.sum(), base.launches))
	var all []result.ProfileStack
	type pair struct {
		here, base *node
		parent     int
		depth      int
	}
	queue := []pair{{&here.root, &base.root, -1, 0}}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		var next []pair
		for _, name := range slices.Sorted(maps.Keys(unionOf(p.here, p.base))) {
			c := pair{here: p.here.called(name), base: p.base.called(name), depth: p.depth + 1}
			one := result.ProfileStack{Name: name, Parent: p.parent, Here: mean(c.here.costOf(), here.launches),
				Base: mean(c.base.costOf(), base.launches)}
			if math.Max(one.Here, one.Base) < leastStack*whole || c.depth > mostDeep || len(all) >= mostStacks {
				continue
			}
			c.parent = len(all)
			all = append(all, one)
			next = append(next, c)
		}
		slices.SortStableFunc(next, func(a, b pair) int {
			return cmp.Compare(b.here.costOf()+b.base.costOf(), a.here.costOf()+a.base.costOf())
		})
		queue = append(queue, next...)
	}
	return all
}

func mean(sum float64, launches int) float64 { return sum / float64(max(1, launches)) }

func (n *node) called(name string) *node {
	if n == nil {
		return nil
	}
	return n.calls[name]
}

func (n *node) costOf() float64 {
	if n == nil {
		return 0
	}
	return n.cost
}

// sum of the calls of a node.
func (n *node) sum() (sum float64) {
	for _, c := range n.calls {
		sum += c.cost
	}
	return sum
}

func unionOf(a, b *node) map[string]bool {
	names := map[string]bool{}
	for _, n := range []*node{a, b} {
		if n == nil {
			continue
		}
		for name := range n.calls {
			names[name] = true
		}
	}
	return names
}
