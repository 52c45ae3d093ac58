package spec

import (
	"strings"

	"example.com/suite/result"
	"gopkg.in/yaml.v3"
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
func (r *reader) give(p pair) {
	if p.value.Kind != yaml.ScalarNode || strings.HasPrefix(p.value.Value, "${") && strings.LastIndex(p.value.Value, "${") == 0 && strings.HasSuffix(p.value.Value, "}") {
		return
	}
	r.given = append(r.given, p.name+"="+p.value.Value)
}
