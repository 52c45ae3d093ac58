package lang

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// scan masks the literals, splits the text into tokens and refuses those that
// the language leaves out, before anything recursive looks at it.
func (c *compilation) scan() error {
	if utf8.RuneCountInString(c.text.Value) > maxCharacters {
		return c.problem(0, fmt.Sprintf("the expression is longer than %d characters", maxCharacters), "")
	}
	var flaw *flaw
	if c.masked, flaw = mask(c.text.Value); flaw != nil {
		return c.problem(flaw.at, flaw.message, flaw.hint)
	}
	var err error
	if c.tokens, err = lexer.Lex(file.NewSource(c.masked.text)); err != nil {
		return c.syntaxProblem(err)
	}
	if len(c.tokens) > maxTokens {
		return c.problem(0, fmt.Sprintf("the expression has more than %d words", maxTokens), "")
	}
	if len(c.tokens) <= 1 {
		return c.problem(0, "the expression is empty", "")
	}
	return c.refuse()
}

// refused are tokens with no meaning here, and what to write instead.
var refused = map[string]struct{ message, hint string }{
	"=":   {`"=" does not compare`, `write "=="`},
	"#":   {`"#" is not part of the language`, "a comment begins with //"},
	"?.":  {`"?." would hide what is missing`, `write "."`},
	"??":  {`"??" would hide what is missing`, ""},
	"|":   {`"|" is not part of the language`, `write "or"`},
	"&":   {`"&" is not part of the language`, `write "and"`},
	"..":  {`".." is not part of the language`, ""},
	";":   {`";" is not part of the language`, "write several gates as a list"},
	"::":  {`"::" is not part of the language`, ""},
	"{":   {`"{" is not part of the language`, ""},
	"let": {`"let" is not part of the language`, ""},
	"if":  {`"if" is not part of the language`, "write condition ? a : b"},
}

func (c *compilation) refuse() error {
	depth := 0
	for _, t := range c.tokens {
		if r, ok := refused[t.Value]; ok && (t.Kind == lexer.Operator || t.Kind == lexer.Bracket) {
			return c.problem(t.From, r.message, r.hint)
		}
		if t.Kind == lexer.Identifier && strings.HasPrefix(t.Value, "$") {
			return c.problem(t.From, fmt.Sprintf("%q is not part of the language", t.Value), "names have no $ here")
		}
		depth += nesting(t)
		if depth > maxNesting {
			return c.problem(t.From, fmt.Sprintf("brackets are nested more than %d deep", maxNesting), "")
		}
	}
	return nil
}

// nesting is 1 for an opening bracket, −1 for a closing one, 0 otherwise.
func nesting(t lexer.Token) int {
	switch {
	case t.Kind != lexer.Bracket:
		return 0
	case strings.Contains("([{", t.Value):
		return 1
	}
	return -1
}

// syntaxProblem words what the lexer or the parser of expr-lang has to say.
func (c *compilation) syntaxProblem(err error) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return c.problem(0, err.Error(), "")
	}
	switch m := e.Message; {
	case strings.HasPrefix(m, "unexpected token EOF"):
		return c.fault(utf8.RuneCountInString(c.text.Value), Fault{Kind: EndsTooEarly}, "the expression ends too early", c.endHint())
	case strings.HasPrefix(m, "unexpected token"):
		return c.problem(e.From, fmt.Sprintf("unexpected %q", c.words(e.From, e.To)), c.tokenHint(e.From))
	case strings.HasPrefix(m, "unrecognized character"):
		return c.problem(e.From, fmt.Sprintf("unexpected %q", c.words(e.From, e.From+1)), "")
	case strings.HasPrefix(m, "literal not terminated"):
		return c.problem(e.From, "a text has no closing quote", "")
	case strings.HasPrefix(m, "invalid operation"), strings.HasPrefix(m, "compilation failed"):
		return c.problem(e.From, "the expression is too complex", "")
	default:
		return c.problem(e.From, m, "")
	}
}

// words is the text between two offsets, as written.
func (c *compilation) words(from, to int) string {
	rs := []rune(c.text.Value)
	from = max(0, min(from, len(rs)))
	return string(rs[from:max(from, min(to, len(rs)))])
}

func (c *compilation) endHint() string {
	if n := len(c.tokens); n >= 2 && c.tokens[n-2].Value == "%" {
		return `a percentage touches its number: 3%`
	}
	return ""
}

// tokenHint answers a token that stands where none may.
func (c *compilation) tokenHint(at int) string {
	for i, t := range c.tokens {
		if t.From != at || i == 0 {
			continue
		}
		before := c.words(c.tokens[i-1].From, c.tokens[i-1].To)
		word := c.words(t.From, t.To)
		if _, ok := ParseQuantity(before + word); ok && c.tokens[i-1].Kind == lexer.Number {
			return fmt.Sprintf("write %q without the space", before+word)
		}
		if lower := strings.ToLower(word); lower == "and" || lower == "or" || lower == "not" {
			return fmt.Sprintf("write %q", lower)
		}
		if c.tokens[i-1].Value == "%" {
			return "a percentage before an operand is written in brackets: (3%)"
		}
	}
	return ""
}
