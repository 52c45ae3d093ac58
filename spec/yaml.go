package spec

import (
	"strings"

	"example.com/suite/internal/diag"
	"gopkg.in/yaml.v3"
)

// Node parses the one document of a YAML file that stands beside suite files, with
// the limits and the problems of a suite file. what is how hints call such a file.
// There is a node or there is a problem; a file without a value is a problem, too.
func Node(name string, text []byte, what string) (*yaml.Node, *diag.Problem) {
	r := &reader{}
	if n := r.document(name, text); n != nil {
		return n.Node, nil
	}
	p := r.found[0]
	p.Hint = strings.ReplaceAll(strings.ReplaceAll(p.Hint, minimalExample, ""), "a suite file", what)
	return nil, &p
}
