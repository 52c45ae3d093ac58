package spec

import (
	"errors"
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"mvdan.cc/sh/v3/syntax"
)

func (l *splitter) comment(file *syntax.File) syntax.Pos {
	if len(file.Last) > 0 {
		return file.Last[0].Pos()
	}
	return file.Stmts[0].Comments[0].Pos()
}

// statement refuses what stands around a command.
func (l *splitter) statement(s *syntax.Stmt) {
	switch c := s.Cmd.(type) {
	case *syntax.BinaryCmd:
		l.statement(c.X) // what comes first is said
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
	l.fail(a.Pos(), fmt.Sprintf("env: {%s: …} sets it", a.Name.Value), "the variable %s in %q is for a shell to set", diag.Quote(a.Name.Value), l.key)
}

// patterns refuses what a shell would replace by names of files.
func (l *splitter) patterns(lit *syntax.Lit, first bool) {
	from, to := l.at(lit.Pos()), l.at(lit.End())
	if first && l.runes[from] == '~' {
		l.failAt(from, "write ${env.HOME}, or '~' in quotes for the character", `"~" in %q is for a shell to replace`, l.key)
	}
	open := -1 // a bracket or brace that may be closed
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

// dollar refuses $'…' and $"…", which some shells read otherwise than others.
func (l *splitter) dollar(lit *syntax.Lit, goesOn bool) {
	if last := l.at(lit.End()) - 1; goesOn && last >= 0 && l.runes[last] == '$' && !(last > 0 && l.runes[last-1] == '\\') && last+1 < len(l.runes) {
		if sign := l.runes[last+1]; sign == '\'' || sign == '"' {
			l.failAt(last, "'$' in quotes stands for itself; "+l.shellHint(), "%s in %q is for a shell to read", diag.Quote("$"+string(sign)), l.key)
		}
	}
}

func (l *splitter) pattern(at int, sign string) {
	l.failAt(at, "put it in quotes where it stands for itself; "+l.shellHint(), "%q in %q is a pattern that a shell would replace", sign, l.key)
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
	hint := fmt.Sprintf("'$%s' in single quotes stands for itself; %s", name, l.shellHint())
	if syntax.ValidName(name) {
		hint = fmt.Sprintf("write ${env.%s} for its value; %s", name, hint)
	}
	l.fail(p.Pos(), hint, "%s in %q is for a shell to replace", diag.Quote("$"+name), l.key)
}

// shellOnly refuses a sign of the shell's language.
func (l *splitter) shellOnly(at syntax.Pos, sign string) {
	l.fail(at, l.hint(), "%s in %q is for a shell", diag.Quote(sign), l.key)
}

// hint says how to have a shell, and how to do without.
func (l *splitter) hint() string {
	return l.shellHint() + "; in quotes it stands for itself"
}

func (l *splitter) shellHint() string {
	if l.key == "command" {
		return "write shell: in place of command:, with the same text"
	}
	key := l.key
	if key == "service" {
		key = "command"
	}
	return key + `: [sh, -c, "…"] gives the text to a shell`
}

// unreadable says why the text cannot be split.
func (l *splitter) unreadable(err error) {
	var text syntax.ParseError
	var other syntax.LangError
	switch {
	case errors.As(err, &text):
		l.fail(text.Pos, l.shellHint(), "%q is no command: %s", l.key, strings.Map(unmask, text.Text))
	case errors.As(err, &other):
		l.fail(other.Pos, l.shellHint(), "%q is no command: %s", l.key, other.Feature)
	default:
		l.failAt(0, l.shellHint(), "%q is no command: %v", l.key, err)
	}
}

func unmask(r rune) rune {
	if lang.IsOpaque(r) {
		return '…'
	}
	return r
}
