package spec

import (
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec/internal/yaml"
)

// switches are words that are true or false in YAML 1.1, and texts here.
var switches = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

// sameOutput reads whether all runs of a case have to print the same, or, with a
// name, those of all cases that give the same name.
func (r *benchReader) sameOutput(n yaml.Node) {
	r.b.sameOutput, r.b.outputName = false, nil
	if !r.IsA(n, yaml.Scalar, `"same_output"`, "true, false or a name") {
		return
	}
	switch {
	case n.ShortTag() == "!!bool":
		r.b.sameOutput = strings.EqualFold(n.Value, "true")
	case n.Value == "true" || n.Value == "false":
		r.Fail(n, "leave out the quotes", "same_output: %s is text, and here it would be a name", diag.Quote(n.Value))
	case switches[strings.ToLower(n.Value)] != "":
		r.Fail(n, "write "+switches[strings.ToLower(n.Value)], "same_output: %s would be a name", n.Value)
	default:
		r.b.sameOutput, r.b.outputName = true, r.template(n, `"same_output"`)
	}
}

// output fills in what has to be printed alike.
func (p *planner) output(b *benchmark, c *Case) {
	c.SameOutput = b.sameOutput
	if c.OutputName = p.text(b.outputName); b.outputName != nil && strings.TrimSpace(c.OutputName) == "" {
		p.fail(b.outputName.Text.Place, "", "same_output is empty in case %s", diag.Quote(c.Name))
	}
}
