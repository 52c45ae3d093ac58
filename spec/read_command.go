package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// stops are the signals that can end a service.
var stops = []string{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL"}

// services reads one service, or a list of services.
func (r *benchReader) services(n yaml.Node) {
	items := []yaml.Node{n}
	if n.Kind != yaml.Mapping {
		items = r.List(n, `"service"`, "a mapping, or a list of them")
	}
	r.b.services = nil
	for _, item := range items {
		if s := r.service(item); s != nil {
			r.b.services = append(r.b.services, *s)
		}
	}
}

func (r *benchReader) service(n yaml.Node) *service {
	s := &service{timeout: defaultServiceTimeout, stop: defaultStop, place: n.Place()}
	given := map[string]bool{}
	if !r.IsA(n, yaml.Mapping, "a service", "a mapping") {
		return nil
	}
	before := len(r.Found)
	for _, p := range r.Mapping(n, "a service", `in "service"`, serviceKeys) {
		given[p.Name] = true
		r.serviceKey(s, p)
	}
	switch {
	case len(r.Found) > before: // the missing key may be a misspelt one
	case !given["command"]:
		r.Fail(n, "service: {command: [./server], ready: {tcp: \"localhost:8080\"}}", "a service without a command")
	case !given["ready"]:
		r.Fail(n, `ready: {tcp: "localhost:8080"}, {file: PATH} or {line: REGEX} says when it can be used`, `a service without "ready"`)
	}
	return s
}

func (r *benchReader) serviceKey(s *service, p yaml.Pair) {
	switch p.Name {
	case "command":
		s.argv = r.argv(p.Value, "service")
	case "env":
		s.env = r.variables(p.Value)
	case "cwd":
		s.cwd = path{r.template(p.Value, `"cwd"`), p.Value.Dir()}
	case "timeout":
		s.timeout = r.serviceTimeout(p.Value)
	case "stop":
		s.stop = r.Choice(p.Value, `"stop"`, stops...)
	case "ready":
		r.readiness(s, p.Value)
	}
}

func (r *benchReader) serviceTimeout(n yaml.Node) Duration {
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

// readiness reads the sign that a service can be used: one of three keys.
func (r *benchReader) readiness(s *service, n yaml.Node) {
	pairs := r.Mapping(n, `"ready"`, `in "ready"`, readyKeys)
	if n.Kind == yaml.Mapping && (len(n.Content) == 0 || len(pairs) > 1) {
		r.Fail(n, "", `"ready" is one of tcp, file and line`)
	}
	for _, p := range pairs {
		switch p.Name {
		case "tcp":
			s.tcp = r.word(p.Value, `"tcp"`)
		case "file":
			s.file = path{r.template(p.Value, `"file"`), p.Value.Dir()}
		case "line":
			s.line = r.template(p.Value, `"line"`)
		}
	}
}

// argv reads a command: a list of words, or a line that is split into words.
func (r *benchReader) argv(n yaml.Node, key string) (argv []*lang.Template) {
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

func (r *benchReader) hook(p yaml.Pair) *hook {
	return &hook{r.argv(p.Value, p.Name), p.Value.Place()}
}

func (r *benchReader) env(n yaml.Node) { r.b.env = r.variables(n) }

// variables reads environment variables.
func (r *benchReader) variables(n yaml.Node) (all []variable) {
	if !r.IsA(n, yaml.Mapping, `"env"`, "a mapping") {
		return nil
	}
	for _, p := range r.Pairs(n, `in "env"`) {
		if !variablePattern().MatchString(p.Name) {
			r.Fail(p.Key, "write it like env: {LC_ALL: C}", "%s is not the name of a variable", diag.Quote(p.Name))
		}
		r.ownVariable(p)
		r.give(p)
		all = append(all, variable{p.Name, r.word(p.Value, "variable "+diag.Quote(p.Name))})
	}
	return all
}

// exitCodes reads which exit statuses mean success.
func (r *benchReader) exitCodes(n yaml.Node) {
	r.b.anyExit = n.Kind == yaml.Scalar && n.Value == anyStatus
	r.b.exitCodes = nil
	if !r.b.anyExit {
		r.b.exitCodes, _ = r.statuses(n, `"exit_codes"`, `"any" or a list of numbers`)
	}
}

// statuses reads a list of exit statuses and the place of each. want describes the value in
// the problem of another one.
func (r *benchReader) statuses(n yaml.Node, what, want string) (codes []int, places []diag.Place) {
	for _, item := range r.List(n, what, want) {
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

// reject reads what makes a run or an iteration void: it is neither measured nor a failure.
func (r *benchReader) reject(e entry) {
	for _, p := range r.Mapping(e.Value, `"reject"`, "in reject", rejectKeys) {
		isGo := r.b.kind == result.KindGo
		switch {
		case p.Name == "quorum":
			r.set(p.Value, "reject.quorum", e.origin)
		case !isGo:
			r.b.reject, r.rejected = r.statuses(p.Value, `"exit_codes"`, "a list of numbers")
		case e.origin == FromBenchmark:
			r.FailAs(diag.UnknownKey, p.Key, "a Go function declares an iteration void itself: c.Try", "key %q has no meaning for a Go function", p.Name)
		}
	}
}

const fileHint = "a file is given by its path: stdin: input.txt"

// stdin reads the standard input of a command: a file, or a text.
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

// switches are the words that mean true or false in YAML 1.1 and are text here.
var switches = map[string]string{"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

// sameOutput reads whether all runs of a case must print the same. If the value is a name,
// all cases with that name must print the same.
func (r *benchReader) sameOutput(n yaml.Node) {
	r.b.sameOutput, r.b.outputName = false, nil
	if !r.IsA(n, yaml.Scalar, `"same_output"`, "true, false or a name") {
		return
	}
	switch {
	case n.ShortTag() == "!!bool":
		r.b.sameOutput = strings.EqualFold(n.Value, "true")
	case n.Value == "true" || n.Value == "false":
		r.FailAs(diag.WrongType, n, "leave out the quotes", "same_output: %s is text, and here it would be a name", diag.Quote(n.Value))
	case switches[strings.ToLower(n.Value)] != "":
		r.Fail(n, "write "+switches[strings.ToLower(n.Value)], "same_output: %s would be a name", n.Value)
	default:
		r.b.sameOutput, r.b.outputName = true, r.template(n, `"same_output"`)
	}
}

// split splits a command that is written as text into words. It understands the quotes and
// backslashes of a shell, and refuses everything else that a shell would interpret. ${…} is
// expanded after the split, so a value with spaces stays one word.
func (r *benchReader) split(n yaml.Node, key string) []*lang.Template {
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
