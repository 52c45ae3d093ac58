package fleet

import (
	"encoding/json"
	"path"
	"strings"
)

// escapeKubernetes keeps Kubernetes from replacing $(NAME), and $$ by $, in the arguments of
// a container.
func escapeKubernetes(command string) string {
	return strings.NewReplacer("$$", "$$$$", "$(", "$$(").Replace(command)
}

// escapeHCL keeps Nomad from replacing ${NAME} and %{ if … } in a text.
func escapeHCL(command string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(command)
}

// escapeParallel keeps GNU parallel from replacing {}, {.}, {1} and so on in words that were
// quoted for a shell. Quotes that end and begin again after a brace change nothing for the
// shell.
func escapeParallel(command string) string { return strings.ReplaceAll(command, "{", "{''") }

// doubleQuoted is a string of YAML and of HCL. HCL replaces ${ in it, which Check refuses.
func doubleQuoted(text string) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(text)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// join joins the parts of a path, which may be in another system.
func join(names []string) string { return path.Join(names...) }
