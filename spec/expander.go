package spec

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// expander replaces ${…} in texts and collects the problems.
type expander struct {
	diag.Collector
	scope lang.Scope
}

func (e *expander) fail(at diag.Place, hint, format string, args ...any) {
	e.failAs(diag.Invalid, at, hint, format, args...)
}

func (e *expander) failAs(code diag.Code, at diag.Place, hint, format string, args ...any) {
	e.Add(diag.Problem{Code: code, Place: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// with makes ${…} refer to these parameters.
func (e *expander) with(params []Param) {
	e.scope.Params = make(map[string]lang.Value, len(params))
	for _, param := range params {
		e.scope.Params[param.Name] = param.Value
	}
}

// text expands a template. It returns "" for nil.
func (e *expander) text(t *lang.Template) string {
	if t == nil {
		return ""
	}
	text, err := t.Expand(e.scope)
	if e.Check(err) && strings.ContainsRune(text.Value, 0) {
		e.fail(t.Text.Place, "", "text with a NUL character, %s", diag.Quote(text.Value))
	}
	return text.Value
}

func (e *expander) words(templates []*lang.Template) (words []string) {
	before := len(e.Found)
	for _, t := range templates {
		words = append(words, e.text(t))
	}
	if len(e.Found) == before && len(words) > 0 && words[0] == "" && templates[0] != nil && !templates[0].Literal() {
		e.fail(templates[0].Text.Place, "", "the command names no program once ${…} is expanded")
	}
	return words
}

func (e *expander) hook(h *hook) *Hook {
	if h == nil {
		return nil
	}
	return &Hook{Argv: e.words(h.argv), Place: h.place}
}

func (e *expander) path(f path) string {
	text := e.text(f.text)
	if text == "" || filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(f.dir, text)
}

// variables returns NAME=value of each variable.
func (e *expander) variables(list []variable) (env []string) {
	for _, v := range list {
		env = append(env, v.name+"="+e.text(v.value))
	}
	return env
}
