package lang

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// scan masks the literals, splits the text into tokens and refuses tokens that the language
// leaves out. It comes first because it is not recursive: nested brackets cannot exhaust
// the stack.
func (c *compilation) scan() error {
	if utf8.RuneCountInString(c.text.Value) > maxCharacters {
		return c.problem(0, fmt.Sprintf("the expression is longer than %d characters", maxCharacters), "")
	}
	var flaw *flaw
	c.masked, flaw = mask(c.text.Value)
	if flaw != nil {
		return c.problem(flaw.at, flaw.message, flaw.hint)
	}
	var err error
	c.tokens, err = lexer.Lex(file.NewSource(c.masked.text))
	if err != nil {
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

// refused are tokens without a meaning here, and what to write instead.
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

// nesting is 1 for an opening bracket, −1 for a closing bracket, and 0 for other
// tokens.
func nesting(t lexer.Token) int {
	switch {
	case t.Kind != lexer.Bracket:
		return 0
	case strings.Contains("([{", t.Value):
		return 1
	}
	return -1
}

// syntaxProblem translates an error of expr-lang's lexer or parser.
func (c *compilation) syntaxProblem(err error) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return c.problem(0, err.Error(), "")
	}
	switch m := e.Message; {
	case strings.HasPrefix(m, "unexpected token EOF"):
		return c.fault(utf8.RuneCountInString(c.text.Value), Fault{Kind: EndsTooEarly},
			"the expression ends too early", c.endHint())
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

func (c *compilation) tokenHint(at int) string {
	for i, t := range c.tokens {
		if t.From != at || i == 0 {
			continue
		}
		before := c.words(c.tokens[i-1].From, c.tokens[i-1].To)
		word := c.words(t.From, t.To)
		if _, ok := parseQuantity(before + word); ok && c.tokens[i-1].Kind == lexer.Number {
			return fmt.Sprintf("write %q without the space", before+word)
		}
		if lower := strings.ToLower(word); lower == "and" || lower == "or" || lower == "not" {
			return fmt.Sprintf("write %q", lower)
		}
		if lower := strings.ToLower(word); lower == "than" || lower == "is" || lower == "below" || lower == "under" {
			return "a gate is written time.median < 2ms, or not worse(time, 3%)"
		}
		if word == "," {
			return `write "and", or several gates as a list`
		}
		if c.tokens[i-1].Value == "%" {
			return "a percentage before an operand is written in brackets: (3%)"
		}
	}
	return ""
}

// masked is source text in which every decimal literal, with its unit, is replaced by a
// plain number of the same length. expr-lang can read it, and every column is the original
// one.
type masked struct {
	text   string
	values map[int]float64 // by offset in characters
}

// mask finds the literals 2ms, 64KiB, 3% and 1_000 and leaves strings,
// comments and identifiers (x2ms, a.b2s) alone. N% is a percentage exactly when
// % touches the number and the next token cannot start an operand.
func mask(text string) (masked, *flaw) {
	s := &scanner{in: []rune(text), values: map[int]float64{}}
	s.out = append(s.out, s.in...)
	for s.at < len(s.in) && s.flaw == nil {
		s.step()
	}
	return masked{string(s.out), s.values}, s.flaw
}

// flaw is a problem that has an offset but no place yet.
type flaw struct {
	at            int
	message, hint string
}

type scanner struct {
	in, out []rune
	at      int
	values  map[int]float64
	flaw    *flaw
}

func (s *scanner) step() {
	switch r := s.in[s.at]; {
	case r == '"' || r == '\'' || r == '`':
		s.at = stringEnd(s.in, s.at)
	case s.comment():
		s.at = commentEnd(s.in, s.at)
	case isLetter(r):
		s.at = s.while(s.at, isWord)
	case r == '.' && s.peek(s.at+1) == '.':
		s.at += 2
	case isDecimal(r) || r == '.' && isDecimal(s.peek(s.at+1)):
		s.number()
	default:
		s.at++
	}
}

func (s *scanner) peek(i int) rune {
	if i < len(s.in) {
		return s.in[i]
	}
	return -1
}

func (s *scanner) comment() bool {
	return s.in[s.at] == '/' && (s.peek(s.at+1) == '/' || s.peek(s.at+1) == '*')
}

// stringEnd is the offset after the string that opens at i.
func stringEnd(rs []rune, i int) int {
	quote := rs[i]
	for i++; i < len(rs) && rs[i] != quote; i++ {
		if rs[i] == '\\' && quote != '`' {
			i++
		}
	}
	return min(i+1, len(rs))
}

// commentEnd is the offset after the comment that opens at i.
func commentEnd(rs []rune, i int) int {
	if rs[i+1] == '/' {
		for i < len(rs) && rs[i] != '\n' {
			i++
		}
		return i
	}
	for i += 2; i < len(rs); i++ {
		if rs[i] == '*' && i+1 < len(rs) && rs[i+1] == '/' {
			return i + 2
		}
	}
	return len(rs)
}

func (s *scanner) while(i int, ok func(rune) bool) int {
	for i < len(s.in) && ok(s.in[i]) {
		i++
	}
	return i
}

// number reads a literal from its first digit to the last character that touches it,
// including a percent sign that belongs to it.
func (s *scanner) number() {
	from, to := s.at, s.literalEnd(s.at)
	if s.peek(to) == '%' && !s.operandAt(to+1) {
		to++
	}
	s.at = to
	word := string(s.in[from:to])
	x, ok := parseQuantity(word)
	if !ok {
		s.flaw = &flaw{from, fmt.Sprintf("%q is not a number", word), literalHint(word)}
		return
	}
	s.values[from] = x
	copy(s.out[from:to], maskOf(to-from, s.in[from] == '.'))
}

// maskOf makes a number of n characters that begins with a digit or a point.
func maskOf(n int, point bool) []rune {
	switch zeros := strings.Repeat("0", n); {
	case point:
		return []rune("." + zeros)
	case n <= 2:
		return []rune("1" + zeros)
	default:
		return []rune("1." + zeros)
	}
}

// literalEnd is the offset after digits, letters, points followed by a digit, and the
// sign of an exponent.
func (s *scanner) literalEnd(i int) int {
	for i < len(s.in) {
		r := s.in[i]
		exponent := (r == '+' || r == '-') && i > s.at && unicode.ToLower(s.in[i-1]) == 'e' &&
			isDecimal(s.peek(i+1)) && !strings.HasPrefix(string(s.in[s.at:i]), "0x")
		if !isWord(r) && !exponent && (r != '.' || !isDecimal(s.peek(i+1))) {
			break
		}
		i++
	}
	return i
}

func literalHint(word string) string {
	number, name := cutNumber(word)
	if _, err := ParseSize(word); err != nil && number != "" && strings.Contains(err.Error(), "powers of") {
		return strings.SplitN(err.Error(), ": ", 2)[1]
	}
	if unit := otherUnits[strings.ToLower(name)]; unit != "" && number != "" {
		return fmt.Sprintf("did you mean %q?", number+unit)
	}
	if near, ok := diag.Nearest(name, strings.FieldsFunc(unitNames, func(r rune) bool {
		return r == ' ' || r == ','
	})); ok && number != "" {
		return fmt.Sprintf("did you mean %q?", number+near)
	}
	return "units are " + unitNames
}

// otherUnits are other names of units of time.
var otherUnits = map[string]string{
	"nsec": "ns", "nanos": "ns", "nanosecond": "ns", "nanoseconds": "ns",
	"usec": "us", "µsec": "us", "micros": "us", "microsecond": "us", "microseconds": "us",
	"msec": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"sec": "s", "secs": "s", "second": "s", "seconds": "s",
	"min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h",
}

// infix are the words that connect two operands.
var infix = map[string]bool{"and": true, "or": true, "in": true, "matches": true,
	"contains": true, "startsWith": true, "endsWith": true}

// operandAt reports whether the token at or after i can begin an operand.
func (s *scanner) operandAt(i int) bool {
	rest := *s
	for rest.at = s.while(i, unicode.IsSpace); rest.at < len(rest.in) && rest.comment(); {
		rest.at = rest.while(commentEnd(rest.in, rest.at), unicode.IsSpace)
	}
	i = rest.at
	r := s.peek(i)
	switch {
	case r == '!':
		return s.peek(i+1) != '='
	case r == '.':
		return isDecimal(s.peek(i + 1))
	case isLetter(r):
		return s.operandWord(i)
	}
	return isDecimal(r) || r > 0 && strings.ContainsRune("\"'`([{-+#$", r)
}

func (s *scanner) operandWord(i int) bool {
	end := s.while(i, isWord)
	word := string(s.in[i:end])
	if word == "not" { // 3% not in xs
		next := s.while(end, unicode.IsSpace)
		word = string(s.in[next:s.while(next, isWord)])
	}
	return !infix[word]
}

func isLetter(r rune) bool  { return r == '_' || r == '$' || r > 0 && unicode.IsLetter(r) }
func isDecimal(r rune) bool { return '0' <= r && r <= '9' }
func isWord(r rune) bool    { return isLetter(r) || r > 0 && unicode.IsDigit(r) }
