package lang

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
)

// Expand replaces every expression by its value: a parameter by its spelling,
// a calculated number by its shortest form. The characters of a value stand
// where the ${ stood. The error is a diag.Problem.
func (t *Template) Expand(s Scope) (Text, error) {
	if len(t.parts) == 1 && t.parts[0].literal == t.Text.Value {
		return t.Text, nil
	}
	out := Text{Place: t.Text.Place}
	var b strings.Builder
	for _, p := range t.parts {
		at := utf8.RuneCountInString(b.String())
		if p.literal != "" {
			out.Marks = append(out.Marks, t.literalMarks(p, at)...)
			b.WriteString(p.literal)
			continue
		}
		v, err := t.value(p, s)
		if err != nil {
			return Text{}, err
		}
		out.Marks = append(out.Marks, Mark{at, t.Text.At(p.offset), true})
		b.WriteString(v.Text)
	}
	out.Value = b.String()
	return out, nil
}

// literalMarks are those of the template within a literal part, moved to where
// it stands in the result.
func (t *Template) literalMarks(p part, at int) []Mark {
	marks := []Mark{{Offset: at, Place: t.Text.At(p.offset)}}
	end := p.offset + utf8.RuneCountInString(p.literal)
	for _, m := range t.Text.Marks {
		if m.Offset > p.offset && m.Offset < end {
			m.Offset += at - p.offset
			marks = append(marks, m)
		}
	}
	return marks
}

// value of one expression.
func (t *Template) value(p part, s Scope) (Value, error) {
	if p.name != "" {
		return s.Params[p.name], nil
	}
	if p.program == nil {
		return StringValue(p.literal), nil
	}
	variables := map[string]string{}
	for _, r := range p.env {
		v, ok := s.lookup(r.name)
		if !ok {
			return Value{}, t.Text.Problem(r.offset, fmt.Sprintf("the environment variable %q is not set", r.name), "")
		}
		variables[r.name] = v
	}
	out, err := p.program.Run(s.env(variables))
	if err != nil {
		var problem diag.Problem
		errors.As(err, &problem)
		return Value{}, problem
	}
	return t.result(p, out)
}

func (s Scope) lookup(name string) (string, bool) {
	if s.Env == nil {
		return "", false
	}
	return s.Env(name)
}

// env is what the expressions of a template read.
func (s Scope) env(variables map[string]string) map[string]any {
	env := map[string]any{"env": variables, "suite": map[string]any{"name": s.Suite, "dir": s.Dir}}
	for name, v := range s.Params {
		switch v.Kind {
		case Number:
			env[name] = v.Number
		case Bool:
			env[name] = v.Bool
		default:
			env[name] = v.Text
		}
	}
	return env
}

func (t *Template) result(p part, out any) (Value, error) {
	switch x := out.(type) {
	case float64:
		return NumberValue(x), nil
	case int: // len
		return NumberValue(float64(x)), nil
	case string:
		return StringValue(x), nil
	case bool:
		return Value{Kind: Bool, Text: fmt.Sprint(x), Bool: x}, nil
	}
	return Value{}, t.Text.Problem(p.offset, "the expression is neither text nor a number", "")
}
