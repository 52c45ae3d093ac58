package spec

import "example.com/suite/spec/internal/yaml"

const fileHint = "a file is given by its path: stdin: input.txt"

// stdin reads what a command reads: a file, or a text.
func (r *benchReader) stdin(n yaml.Node) {
	if n.Kind != yaml.Mapping {
		r.b.stdin = path{r.template(n, `"stdin"`), n.Dir()}
		return
	}
	pairs := r.Mapping(n, `"stdin"`, `in "stdin"`, stdinKeys)
	if len(n.Content) == 0 {
		r.Fail(n, `stdin: {text: "…"}, or the path of a file`, `"stdin" is empty`)
	}
	for _, p := range pairs {
		if r.IsA(p.Value, yaml.Scalar, `"text"`, "text") && p.Value.Value == "" {
			r.Fail(p.Value, "without stdin: there is nothing to read", `"text" is empty`)
			continue
		}
		r.b.input = r.word(p.Value, `"text"`)
	}
}
