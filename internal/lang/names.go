package lang

import "github.com/expr-lang/expr/parser/lexer"

// Identifier is a name in an expression.
type Identifier struct {
	Name string
	At   int // in characters of the text
}

// Identifiers lists the names that an expression speaks of, in order, those
// behind a dot left out: time of time.median. It needs no types, so that it sees
// names that are not known; of text that is no expression it gives none.
func Identifiers(text Text) (names []Identifier) {
	c := &compilation{text: text, whole: text}
	if c.scan() != nil {
		return nil
	}
	for i, t := range c.tokens {
		if t.Kind == lexer.Identifier && (i == 0 || c.tokens[i-1].Value != ".") {
			names = append(names, Identifier{t.Value, t.From})
		}
	}
	return names
}
