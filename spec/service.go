package spec

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// Service is a program that runs during a case, from the end of its setup until its last
// run.
type Service struct {
	Argv    []string   `json:"argv"`
	Env     []string   `json:"env,omitempty"` // NAME=value, added to suite's own: the case's variables, then the service's
	Cwd     string     `json:"cwd"`           // absolute
	Ready   Ready      `json:"ready"`
	Timeout Duration   `json:"timeout"` // until it is ready
	Stop    string     `json:"stop"`    // signal that ends it
	Place   diag.Place `json:"-"`
}

// Ready is the sign that a service can be used. One field is set.
type Ready struct {
	TCP  string `json:"tcp,omitempty"`  // address that accepts connections, host:port
	File string `json:"file,omitempty"` // absolute path of a file that is there
	Line string `json:"line,omitempty"` // regular expression that matches a line of its output
}

// String formats the sign as a suite file has it.
func (r Ready) String() string {
	switch {
	case r.TCP != "":
		return "tcp: " + r.TCP
	case r.File != "":
		return "file: " + r.File
	}
	return "line: " + strconv.Quote(r.Line)
}

func (s *Service) text() string { return words(s.Argv) + " (" + s.Ready.String() + ")" }

// service is a Service before its parameters are expanded.
type service struct {
	argv    []*lang.Template
	env     []variable
	cwd     path
	tcp     *lang.Template
	file    path
	line    *lang.Template
	timeout Duration
	stop    string
	place   diag.Place
}

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

// services expands the services of a case. A service has the folder of the case, unless it
// sets its own, and the environment of the case in addition to its own.
func (p *planner) services(b *benchmark, c *Case) {
	c.Services = nil
	for i := range b.services {
		s := &b.services[i]
		out := Service{Argv: p.words(s.argv), Env: slices.Clone(c.Env), Cwd: c.Cwd, Timeout: s.timeout, Stop: s.stop, Place: s.place}
		if s.cwd.text != nil {
			out.Cwd = p.path(s.cwd)
		}
		for _, v := range s.env {
			out.Env = append(out.Env, v.name+"="+p.text(v.value))
		}
		out.Ready = Ready{TCP: p.address(s.tcp), File: p.path(s.file), Line: p.pattern(s.line)}
		if s.file.text != nil && out.Ready.File == "" {
			p.fail(s.file.text.Text.Place, "", `"file" is empty in case %s`, diag.Quote(c.Name))
		}
		c.Services = append(c.Services, out)
	}
}

// address expands a TCP address. A port alone is a port of this machine.
func (p *planner) address(t *lang.Template) string {
	before := len(p.Found)
	text := p.text(t)
	if t == nil || len(p.Found) > before {
		return ""
	}
	if _, err := strconv.Atoi(text); err == nil {
		text = ":" + text
	}
	name, port, err := net.SplitHostPort(text)
	if number, bad := strconv.Atoi(port); err != nil || bad != nil || number < 1 || number > 65535 {
		p.fail(t.Text.Place, `write it like tcp: "localhost:8080"`, "%s is not the address of a port", diag.Quote(text))
		return ""
	}
	if name == "" {
		name = "localhost"
	}
	return net.JoinHostPort(name, port)
}

// pattern expands a regular expression and checks it.
func (p *planner) pattern(t *lang.Template) string {
	before := len(p.Found)
	text := p.text(t)
	if t != nil && text == "" && len(p.Found) == before {
		p.fail(t.Text.Place, "", `"line" is empty, and matches every line`)
	}
	if _, err := regexp.Compile(text); err != nil {
		message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		p.Add(t.Text.Problem(regexFault(text), "line: "+message, ""))
	}
	return text
}
