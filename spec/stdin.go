package spec

import "gopkg.in/yaml.v3"

const fileHint = "a file is given by its path: stdin: input.txt"

// stdin reads what a command reads: a file, or a text.
func (r *benchReader) stdin(n node) {
	if n.Kind != yaml.MappingNode {
		r.b.stdin = path{r.template(n, `"stdin"`), n.src.dir}
		return
	}
	pairs := r.mapping(n, `"stdin"`, `in "stdin"`, stdinKeys)
	if len(n.Content) == 0 {
		r.fail(n, `stdin: {text: "…"}, or the path of a file`, `"stdin" is empty`)
	}
	for _, p := range pairs {
		if r.isA(p.value, scalar, `"text"`, "text") && p.value.Value == "" {
			r.fail(p.value, "without stdin: there is nothing to read", `"text" is empty`)
			continue
		}
		r.b.input = r.word(p.value, `"text"`)
	}
}
