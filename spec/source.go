package spec

import (
	"strings"

	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// keep notes the text of a file for the result: in the order in which files are read,
// as long as all of them are small enough together.
func (s *Suite) keep(name string, text []byte) {
	one := result.Source{File: name, Text: string(text)}
	if s.kept+len(text) > result.MostSource {
		one.Text, one.Left = "", int64(len(text))
	} else {
		s.kept += len(text)
	}
	s.sources = append(s.sources, one)
}

// give notes a variable whose value the file says itself. One that is all an expression
// holds nothing yet.
func (r *reader) give(p yaml.Pair) {
	if p.Value.Kind != yaml.Scalar || strings.HasPrefix(p.Value.Value, "${") && strings.LastIndex(p.Value.Value, "${") == 0 && strings.HasSuffix(p.Value.Value, "}") {
		return
	}
	r.given = append(r.given, p.Name+"="+p.Value.Value)
}
