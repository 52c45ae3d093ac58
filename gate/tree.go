package gate

// node is a part of a rule with a truth value: a leaf or an operator.
type node interface{ isNode() }

type (
	and    struct{ left, right node }
	or     struct{ left, right node }
	not    struct{ part node }
	choice struct{ condition, yes, no node }
)

func (and) isNode()    {}
func (or) isNode()     {}
func (not) isNode()    {}
func (choice) isNode() {}
func (*leaf) isNode()  {}
