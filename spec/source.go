package spec

import "example.com/suite/result"

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
