package spec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"mvdan.cc/sh/v3/syntax"
)

// splitter cuts the text of a command into words.
type splitter struct {
	key     string // of the command in the suite file
	text    lang.Text
	source  string // as the parser sees it: without ${…}
	runes   []rune
	starts  []int         // of its characters, in bytes
	problem *diag.Problem // the first
}

func newSplitter(key string, text lang.Text) *splitter {
	l := &splitter{key: key, text: text, source: text.Mask()}
	for at, c := range l.source {
		l.runes, l.starts = append(l.runes, c), append(l.starts, at)
	}
	return l
}

// words splits a command line into words of characters, nil after a problem. The
// language is the one of sh, which runs shell: as well.
func (l *splitter) words() (words [][]lang.Span) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangPOSIX), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(l.source), "")
	if err != nil {
		l.unreadable(err)
		return nil
	}
	call := l.only(file)
	if call == nil {
		return nil
	}
	for _, word := range call.Args {
		words = append(words, l.word(word))
	}
	if l.problem == nil && length(words[0]) == 0 {
		l.fail(call.Args[0].Pos(), "", "%q names no program", l.key)
	}
	if l.problem != nil {
		return nil
	}
	return words
}

func length(spans []lang.Span) (n int) {
	for _, s := range spans {
		n += s.To - s.From
	}
	return n
}

// only is nil if the line is not exactly one command.
func (l *splitter) only(file *syntax.File) *syntax.CallExpr {
	if len(file.Last) > 0 || len(file.Stmts) > 0 && len(file.Stmts[0].Comments) > 0 {
		l.shellOnly(l.comment(file), "#")
		return nil
	}
	if len(file.Stmts) == 0 {
		l.failAt(0, "", "%q names no program", l.key)
		return nil
	}
	first := file.Stmts[0]
	l.statement(first)
	call, ok := first.Cmd.(*syntax.CallExpr)
	switch {
	case len(file.Stmts) > 1 && first.Semicolon.IsValid():
		l.shellOnly(first.Semicolon, ";")
	case len(file.Stmts) > 1:
		l.needShell(file.Stmts[1].Pos(), l.hint(), "%q is one command, and here begins another", l.key)
	case first.Semicolon.IsValid() && !first.Background:
		l.shellOnly(first.Semicolon, ";")
	case ok && len(call.Assigns) > 0:
		l.assigned(call.Assigns[0])
	}
	if l.problem != nil {
		return nil
	}
	return call
}

// word drops the quotes and backslashes of a word.
func (l *splitter) word(w *syntax.Word) (spans []lang.Span) {
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			l.patterns(p, i == 0)
			l.dollar(p, i+1 < len(w.Parts))
			spans = append(spans, l.unescape(p.Pos(), p.End(), "")...)
		case *syntax.SglQuoted:
			spans = append(spans, lang.Span{From: l.at(p.Left) + 1, To: l.at(p.Right)})
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					l.expansion(inner)
					return nil
				}
				spans = append(spans, l.unescape(lit.Pos(), lit.End(), "$`\"\\\n")...)
			}
		default:
			l.expansion(p)
			return nil
		}
	}
	return spans
}

// unescape leaves out backslashes that remove the meaning of the next character. special
// lists the characters that have a meaning; if it is empty, all have.
func (l *splitter) unescape(from, to syntax.Pos, special string) (spans []lang.Span) {
	start, end := l.at(from), l.at(to)
	for i := start; i+1 < end; i++ {
		next := l.runes[i+1]
		switch {
		case l.runes[i] != '\\':
			continue
		case lang.IsOpaque(next):
			l.failAt(i, "for a literal ${ write $${", `a backslash does not keep "${" from being replaced`)
			return nil
		case special != "" && !strings.ContainsRune(special, next):
			i++ // both are literal
			continue
		}
		spans = append(spans, lang.Span{From: start, To: i})
		start = i + 1
		if next == '\n' {
			start++ // the line continues
		}
		i++
	}
	return append(spans, lang.Span{From: start, To: end})
}

// at converts a position of the parser, which counts bytes, into the index of a
// character.
func (l *splitter) at(p syntax.Pos) int {
	at, _ := slices.BinarySearch(l.starts, int(p.Offset()))
	return at
}

func (l *splitter) fail(at syntax.Pos, hint, format string, args ...any) {
	l.failAt(l.at(at), hint, format, args...)
}

func (l *splitter) failAt(at int, hint, format string, args ...any) {
	if l.problem == nil {
		p := l.text.Problem(at, fmt.Sprintf(format, args...), hint)
		l.problem = &p
	}
}

// needShell is fail for a text that a shell would understand.
func (l *splitter) needShell(at syntax.Pos, hint, format string, args ...any) {
	l.needShellAt(l.at(at), hint, format, args...)
}

func (l *splitter) needShellAt(at int, hint, format string, args ...any) {
	first := l.problem == nil
	l.failAt(at, hint, format, args...)
	if first {
		l.problem.Shell = true
	}
}

func (l *splitter) comment(file *syntax.File) syntax.Pos {
	if len(file.Last) > 0 {
		return file.Last[0].Pos()
	}
	return file.Stmts[0].Comments[0].Pos()
}

// statement refuses operators around a command, such as "|", "&" and ">".
func (l *splitter) statement(s *syntax.Stmt) {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		l.statement(c.X) // the first problem is reported
		l.shellOnly(c.OpPos, c.Op.String())
	case *syntax.CallExpr, nil:
	default:
		l.shellOnly(c.Pos(), firstWord(l.source[c.Pos().Offset():]))
	}
	switch {
	case s.Negated:
		l.shellOnly(s.Pos(), "!")
	case s.Background:
		l.shellOnly(s.Semicolon, "&")
	case len(s.Redirs) > 0:
		l.shellOnly(s.Redirs[0].OpPos, s.Redirs[0].Op.String())
	}
}

func firstWord(s string) string {
	if strings.HasPrefix(s, "(") {
		return "("
	}
	return strings.Fields(s)[0]
}

func (l *splitter) assigned(a *syntax.Assign) {
	l.needShell(a.Pos(), fmt.Sprintf("env: {%s: …} sets it", a.Name.Value),
		"setting %s in %q needs a shell", diag.Quote(a.Name.Value), l.key)
}

// patterns refuses what a shell would replace with file names.
func (l *splitter) patterns(lit *syntax.Lit, first bool) {
	from, to := l.at(lit.Pos()), l.at(lit.End())
	if first && l.runes[from] == '~' {
		l.needShellAt(from, "write ${env.HOME}, or '~' in quotes for the character", `"~" in %q needs a shell`, l.key)
	}
	open := -1 // index of a bracket or brace that may be closed later
	for i := from; i < to; i++ {
		switch c := l.runes[i]; {
		case c == '\\':
			i++
		case c == '*' || c == '?':
			l.pattern(i, string(c))
		case (c == '[' || c == '{') && open < 0:
			open = i
		case c == ']' && open >= 0 && l.runes[open] == '[':
			l.pattern(open, "[")
		case c == '}' && open >= 0 && l.runes[open] == '{':
			if inner := string(l.runes[open:i]); strings.Contains(inner, ",") || strings.Contains(inner, "..") {
				l.pattern(open, "{")
			}
			open = -1
		}
	}
}

// dollar refuses $'…' and $"…", which shells interpret in different ways.
func (l *splitter) dollar(lit *syntax.Lit, goesOn bool) {
	last := l.at(lit.End()) - 1
	if !goesOn || last < 0 || last+1 >= len(l.runes) || l.runes[last] != '$' {
		return
	}
	escaped := last > 0 && l.runes[last-1] == '\\'
	if sign := l.runes[last+1]; !escaped && (sign == '\'' || sign == '"') {
		l.needShellAt(last, "'$' in quotes is plain text; "+l.shellHint(),
			"%s in %q needs a shell", diag.Quote("$"+string(sign)), l.key)
	}
}

func (l *splitter) pattern(at int, sign string) {
	l.needShellAt(at, "put it in quotes if it is plain text; "+l.shellHint(),
		"%q in %q is a pattern that a shell would replace", sign, l.key)
}

// expansion refuses $NAME, $(…) and the like.
func (l *splitter) expansion(part syntax.WordPart) {
	p, ok := part.(*syntax.ParamExp)
	if !ok {
		sign := "$("
		if l.source[part.Pos().Offset()] == '`' {
			sign = "`"
		}
		l.shellOnly(part.Pos(), sign)
		return
	}
	name := p.Param.Value
	hint := fmt.Sprintf("'$%s' in single quotes is plain text; %s", name, l.shellHint())
	if syntax.ValidName(name) {
		hint = fmt.Sprintf("write ${env.%s} for its value; %s", name, hint)
	}
	l.needShell(p.Pos(), hint, "%s in %q needs a shell", diag.Quote("$"+name), l.key)
}

// shellOnly refuses an operator of the shell.
func (l *splitter) shellOnly(at syntax.Pos, sign string) {
	l.needShell(at, l.hint(), "%s in %q needs a shell", diag.Quote(sign), l.key)
}

func (l *splitter) hint() string {
	return l.shellHint() + "; in quotes it is plain text"
}

func (l *splitter) shellHint() string {
	if l.key == "command" {
		return "write shell: in place of command:, with the same text"
	}
	key := l.key
	if key == "service" {
		key = "command"
	}
	return key + `: [sh, -c, "…"] passes the text to a shell`
}

// unreadable reports why the text cannot be split.
func (l *splitter) unreadable(err error) {
	var text syntax.ParseError
	var other syntax.LangError
	at := l.openQuote()
	switch {
	case at >= 0:
		l.failAt(at, fmt.Sprintf(`close it, or write \%c for the character itself`, l.runes[at]),
			"the quote %c is not closed in %q", l.runes[at], l.key)
	case errors.As(err, &text):
		l.needShell(text.Pos, l.shellHint(), "%q is no command: %s", l.key, strings.Map(unmask, text.Text))
	case errors.As(err, &other):
		l.needShell(other.Pos, l.shellHint(), "%q is no command: %s", l.key, other.Feature)
	default:
		l.needShellAt(0, l.shellHint(), "%q is no command: %v", l.key, err)
	}
}

// openQuote returns the index of the quote that is open at the end of the text, -1 if there
// is none.
func (l *splitter) openQuote() int {
	open := -1
	for i := 0; i < len(l.runes); i++ {
		c := l.runes[i]
		switch {
		case c == '\\' && (open < 0 || l.runes[open] == '"'):
			i++
		case open < 0 && (c == '\'' || c == '"'):
			open = i
		case open >= 0 && c == l.runes[open]:
			open = -1
		}
	}
	return open
}

func unmask(r rune) rune {
	if lang.IsOpaque(r) {
		return '…'
	}
	return r
}
