package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// stops are the signals that can end a service.
var stops = []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL"}

var serviceKeys = yaml.KeySet{
	Known: []string{"command", "ready", "timeout", "stop", "cwd", "env"},
	Moved: map[string]string{
		"shell": `command: [sh, -c, "…"] passes a line to a shell`,
		"tcp":   "ready: {tcp: …}",
		"file":  "ready: {file: …}",
		"line":  "ready: {line: …}",
		"port":  "ready: {tcp: …}",
	},
}

var readyKeys = yaml.KeySet{
	Known: []string{"tcp", "file", "line"},
	Moved: map[string]string{
		"port":  "write tcp: PORT",
		"http":  "write tcp: PORT",
		"regex": "write line: REGEX",
	},
}

// readServices reads one service, or a list of services.
func readServices(r *textReader, n yaml.Node) (services []service) {
	items := []yaml.Node{n}
	if n.Kind != yaml.Mapping {
		items = r.List(n, `"service"`, "a mapping, or a list of them")
	}
	for _, item := range items {
		if s := readService(r, item); s != nil {
			services = append(services, *s)
		}
	}
	return services
}

func readService(r *textReader, n yaml.Node) *service {
	s := &service{timeout: defaultServiceTimeout, stop: defaultStop}
	given := map[string]bool{}
	if !r.IsA(n, yaml.Mapping, "a service", "a mapping") {
		return nil
	}
	before := len(r.Found)
	for _, p := range r.Mapping(n, "a service", `in "service"`, serviceKeys) {
		given[p.Name] = true
		readServiceKey(r, s, p)
	}
	switch {
	case len(r.Found) > before: // the missing key may be a misspelt one
	case !given["command"]:
		r.Fail(n, "service: {command: [./server], ready: {tcp: \"localhost:8080\"}}", "a service without a command")
	case !given["ready"]:
		r.Fail(n, `ready: {tcp: "localhost:8080"}, {file: PATH} or {line: REGEX} says when it can be used`,
			`a service without "ready"`)
	}
	return s
}

func readServiceKey(r *textReader, s *service, p yaml.Pair) {
	switch p.Name {
	case "command":
		s.argv = r.argv(p.Value, "service")
	case "env":
		s.env = r.variables(p.Value)
	case "cwd":
		s.cwd = r.path(p)
	case "timeout":
		s.timeout = readServiceTimeout(r.Reader, p.Value)
	case "stop":
		s.stop = r.Choice(p.Value, `"stop"`, stops...)
	case "ready":
		readReady(r, s, p.Value)
	}
}

func readServiceTimeout(r *yaml.Reader, n yaml.Node) Duration {
	if !r.IsA(n, yaml.Scalar, `"timeout"`, "a duration") {
		return 0
	}
	d, err := ParseDuration(n.Value)
	if err == nil && d == 0 {
		err = fmt.Errorf("%q is not more than zero", n.Value)
	}
	if err != nil {
		r.Fail(n, "", "timeout: %s", diag.Clip(err.Error()))
	}
	return d
}

// readReady reads the sign that a service can be used: one of three keys.
func readReady(r *textReader, s *service, n yaml.Node) {
	pairs := r.Mapping(n, `"ready"`, `in "ready"`, readyKeys)
	if n.Kind == yaml.Mapping && (len(n.Content) == 0 || len(pairs) > 1) {
		r.Fail(n, "", `"ready" is one of tcp, file and line`)
	}
	for _, p := range pairs {
		switch p.Name {
		case "tcp":
			s.tcp = r.word(p.Value, `"tcp"`)
		case "file":
			s.file = r.path(p)
		case "line":
			s.line = r.template(p.Value, `"line"`)
		}
	}
}

// argv reads a command: a list of words, or a line that is split into words.
func (r *textReader) argv(n yaml.Node, key string) (argv []*lang.Template) {
	if n.Kind == yaml.Scalar && !n.IsNull() {
		return r.split(n, key)
	}
	for i, item := range r.List(n, diag.Quote(key), "a line or a list of words") {
		if i == 0 && item.Kind == yaml.Scalar && strings.TrimSpace(item.Value) == "" && !item.IsNull() {
			r.Fail(item, "", "%q names no program", key)
		}
		argv = append(argv, r.word(item, "a word of "+diag.Quote(key)))
	}
	return argv
}

func (r *textReader) hook(p yaml.Pair) *hook {
	return &hook{r.argv(p.Value, p.Name), p.Value.Place()}
}

// variables reads environment variables.
func (r *textReader) variables(n yaml.Node) (all []variable) {
	if !r.IsA(n, yaml.Mapping, `"env"`, "a mapping") {
		return nil
	}
	for _, p := range r.Pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.Name) {
			r.Fail(p.Key, "write it like env: {LC_ALL: C}", "%s is not the name of a variable", diag.Quote(p.Name))
		}
		refusePegs(r.Reader, p)
		r.given = append(r.given, givenText(p)...)
		all = append(all, variable{p.Name, r.word(p.Value, "variable "+diag.Quote(p.Name))})
	}
	return all
}

// readExitCodes reads which exit statuses mean success.
func readExitCodes(r *yaml.Reader, n yaml.Node) (codes []int, all bool) {
	if n.Kind == yaml.Scalar && n.Value == anyStatus {
		return nil, true
	}
	codes, _ = readStatuses(r, n, `"any" or a list of numbers`)
	return codes, false
}

// readStatuses reads a list of exit statuses and the place of each. want describes the value in
// the problem of another one.
func readStatuses(r *yaml.Reader, n yaml.Node, want string) (codes []int, places []diag.Place) {
	for _, item := range r.List(n, `"exit_codes"`, want) {
		if !r.IsA(item, yaml.Scalar, "an exit status", "a number") {
			continue
		}
		x, err := lang.ParseNumber(item.Value)
		if err != nil || item.ShortTag() == "!!str" || x != float64(int(x)) || x < 0 || x > 255 {
			r.Fail(item, "", "an exit status must be a number from 0 to 255, not %s", diag.Quote(item.Value))
			continue
		}
		codes, places = append(codes, int(x)), append(places, item.Place())
	}
	return codes, places
}

const fileHint = "a file is given by its path: stdin: input.txt"

var stdinKeys = yaml.KeySet{
	Known: []string{"text"},
	Moved: map[string]string{"file": fileHint, "path": fileHint, "from": fileHint},
}

// readStdin reads the standard input of a command: a file, or a text.
func readStdin(r *textReader, p yaml.Pair) (file path, text *lang.Template) {
	n := p.Value
	if n.Kind != yaml.Mapping {
		return r.path(p), nil
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
		text = r.word(p.Value, `"text"`)
	}
	return path{}, text
}

// switches are the words that mean true or false in YAML 1.1 and are text here.
var switches = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

// readSameOutput reads whether all runs of a case must print the same. If the value is a
// name, all cases with that name must print the same.
func readSameOutput(r *textReader, n yaml.Node) (same bool, name *lang.Template) {
	if !r.IsA(n, yaml.Scalar, `"same_output"`, "true, false or a name") {
		return false, nil
	}
	switch {
	case n.ShortTag() == "!!bool":
		same = strings.EqualFold(n.Value, "true")
	case n.Value == "true" || n.Value == "false":
		r.FailAs(diag.WrongType, n, "leave out the quotes",
			"same_output: %s is text, and here it would be a name", diag.Quote(n.Value))
	case switches[strings.ToLower(n.Value)] != "":
		r.Fail(n, "write "+switches[strings.ToLower(n.Value)], "same_output: %s would be a name", n.Value)
	default:
		same, name = true, r.template(n, `"same_output"`)
	}
	return same, name
}

// split splits a command that is written as text into words. It understands the quotes and
// backslashes of a shell, and refuses everything else that a shell would interpret. ${…} is
// expanded after the split, so a value with spaces stays one word.
func (r *textReader) split(n yaml.Node, key string) []*lang.Template {
	if _, ok := r.Str(n, diag.Quote(key)); !ok {
		return nil
	}
	text := n.Text()
	template := r.compile(text)
	if template == nil && !r.loose {
		return nil
	}
	l := newSplitter(key, text)
	words := l.words()
	if l.problem != nil {
		r.Add(*l.problem)
		return nil
	}
	if r.loose {
		return make([]*lang.Template, len(words))
	}
	return template.Pick(words)
}
