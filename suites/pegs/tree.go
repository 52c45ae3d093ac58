package pegs

// node is a number, or an operator between two nodes.
type node struct {
	operator    byte // 0: a number
	number      float64
	left, right *node
}

func (n *node) value() float64 {
	if n.operator == 0 {
		return n.number
	}
	l, r := n.left.value(), n.right.value()
	switch n.operator {
	case '+':
		return l + r
	case '-':
		return l - r
	case '*':
		return l * r
	}
	return l / r
}

// String puts a bracket around each operator, so that it shows how the formula was parsed.
func (n *node) String() string { return string(n.append(nil)) }

func (n *node) append(text []byte) []byte {
	if n.operator == 0 {
		return append(text, number(n.number)...)
	}
	text = n.left.append(append(text, '('))
	text = n.right.append(append(text, ' ', n.operator, ' '))
	return append(text, ')')
}
