package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
	"mvdan.cc/sh/v3/syntax"
)

// split reads a command that is written as text: words with the quotes and
// backslashes of a shell, and nothing else of it. ${…} is expanded behind that,
// so a value with spaces stays in its word.
func (r *benchReader) split(n yaml.Node, key string) []*lang.Template {
	if _, ok := r.Str(n, diag.Quote(key)); !ok {
		return nil
	}
	text := n.Text()
	template := r.compile(text)
	if template == nil && !r.loose {
		return nil
	}
	l := newSplitter(key, text)
	words := l.words()
	if l.problem != nil {
		r.Add(*l.problem)
		return nil
	}
	if r.loose {
		return make([]*lang.Template, len(words))
	}
	return template.Pick(words)
}

// splitter cuts the text of a command into words.
type splitter struct {
	key     string // that it stands under
	text    lang.Text
	source  string // that the parser sees
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

// words gives the characters of each word, of none where there is a problem. The
// language is that of sh, which is what reads shell: as well.
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

// only gives the one command of a line, nil where there is more, or less.
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
		l.fail(file.Stmts[1].Pos(), l.hint(), "%q is one command, and here begins another", l.key)
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

// word gives the characters of a word without its quotes and backslashes.
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

// unescape leaves out backslashes in front of those characters that they take
// the meaning from: any, where special is empty.
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
			i++ // both stand for themselves
			continue
		}
		spans = append(spans, lang.Span{From: start, To: i})
		if start = i + 1; next == '\n' {
			start++ // a line goes on
		}
		i++
	}
	return append(spans, lang.Span{From: start, To: end})
}

// at is the character at a position of the parser, which counts bytes.
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
