package spec

import (
	gopath "path"
	"path/filepath"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec/internal/yaml"
	"github.com/bmatcuk/doublestar/v4"
)

// inputs reads patterns of the files that a case depends on: one, or a list.
func (r *benchReader) inputs(n yaml.Node) {
	r.b.inputs = nil
	items := []yaml.Node{n}
	if n.Kind != yaml.Scalar {
		items = r.List(n, `"inputs"`, "a pattern or a list of patterns")
	}
	for _, item := range items {
		if t := r.template(item, "a pattern of inputs"); t != nil {
			r.b.inputs = append(r.b.inputs, path{t, n.Dir()})
		}
	}
}

// inputs fills in the patterns of a case, absolute and with slashes.
func (p *planner) inputs(b *benchmark, c *Case) {
	for _, one := range b.inputs {
		text, err := one.text.Expand(p.scope)
		switch pattern := filepath.ToSlash(text.Value); {
		case !p.check(err):
		case strings.TrimSpace(pattern) == "":
			p.fail(one.text.Text.Place, "inputs: [src/**, data/*.json], relative to the suite file", "a pattern of inputs is empty in case %s", diag.Quote(c.Name))
		case !doublestar.ValidatePattern(pattern):
			p.fail(one.text.Text.Place, "* is any text in a name, ** any folders, {a,b} one of several, [ab] one letter", "%s is not a pattern", diag.Quote(text.Value))
		case filepath.IsAbs(text.Value):
			c.Inputs = append(c.Inputs, pattern)
		default:
			c.Inputs = append(c.Inputs, literal.Replace(filepath.ToSlash(resolvedFolder(one.dir)))+"/"+strings.TrimPrefix(pattern, "./"))
		}
	}
}

// resolvedFolder follows the links of a folder, as the paths of changed files do.
func resolvedFolder(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// literal makes a folder a pattern of itself.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`)

// IsInput reports whether a file, by its absolute path, is one of those that a case says
// it depends on.
func (c *Case) IsInput(file string) bool {
	file = filepath.ToSlash(file)
	for _, pattern := range c.Inputs {
		if ok, err := doublestar.Match(gopath.Clean(pattern), file); ok && err == nil {
			return true
		}
	}
	return false
}
