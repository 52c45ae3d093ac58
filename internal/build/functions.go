package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/orphan"
	"example.com/suite/internal/paths"
	"example.com/suite/runner/host/wire"
)

// patience is how long a program may take to start and list its functions. Its init
// functions may read data.
const patience = 30 * time.Second

// Functions starts the program once and returns what its packages have registered, in
// alphabetical order. The error is an *Error if the program registers nothing, if it
// registers a name twice, or if its init functions fail.
func (p *Program) Functions(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errSlow)
	defer cancel()
	names, text, err := p.ask(ctx)
	switch {
	case errors.Is(context.Cause(ctx), errSlow):
		return nil, fault("", fmt.Sprintf("the host program does not answer within %v", patience),
			"an init function that hangs?")
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, p.explain(text, err)
	case len(names) == 0:
		return nil, fault("", "no function is registered by "+strings.Join(p.Packages, ", "), hintRegister)
	}
	return names, nil
}

var errSlow = errors.New("the host program is slow")

// ask starts the host and asks for its functions. text is what the host wrote to standard
// error.
func (p *Program) ask(ctx context.Context) (names []string, text string, err error) {
	requests, send, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	defer send.Close()
	receive, answers, err := os.Pipe()
	if err != nil {
		requests.Close()
		return nil, "", err
	}
	defer receive.Close()
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, p.Path, hostArgument)
	cmd.Stderr = &errs
	cmd.WaitDelay = time.Second
	cmd.Env = append(wire.WithoutPegs(os.Environ()), orphan.Environ()...)
	grouped(cmd)
	var reaped func()
	err = wire.Inherit(cmd, requests, answers)
	if err == nil {
		reaped, err = orphan.Start(cmd)
	}
	requests.Close()
	answers.Close()
	if err != nil {
		return nil, "", err
	}
	var response wire.Response
	err = wire.WriteMessage(send, wire.Request{Op: "list"})
	if err == nil {
		err = wire.ReadMessage(receive, &response)
	}
	send.Close() // the host then ends by itself
	if ended := cmd.Wait(); err != nil && ended != nil {
		err = ended
	}
	reaped()
	sweep(cmd)
	orphan.Kill()
	return response.Names, errs.String(), err
}

var (
	panicked = lazy.Regexp(`(?m)^(?:panic|fatal error): (.*?)(?: \[recovered.*\])?$`)
	frame    = lazy.Regexp(`(?m)^\t(\S.*\.go):(\d+)(?: \+0x[0-9a-f]+)?$`)
	twice    = lazy.Regexp(`^bench: ("(?:[^"\\]|\\.)*") is registered twice$`)
)

// explain turns the last output of a host into a problem, at the line of the user's code
// that caused it.
func (p *Program) explain(text string, err error) error {
	m := panicked().FindStringSubmatch(text)
	if m == nil {
		text = strings.TrimSpace(text)
		if text != "" {
			text = ": " + text
		}
		return fault("", fmt.Sprintf("the host program ends before it has listed its functions: %v%s", err, text),
			"init functions must not end the program")
	}
	found := Problem{Problem: diag.Problem{Code: diag.Build, Place: p.blame(text), Message: "init: panic: " + m[1],
		Hint: "the packages are imported by the host, which runs their init functions"}}
	if name := twice().FindStringSubmatch(m[1]); name != nil {
		p.second(&found, name[1])
	}
	return &Error{[]Problem{found}}
}

// blame finds the first line of a stack that is in a package of the program or, if
// there is none, in its module.
func (p *Program) blame(text string) diag.Place {
	b := p.request
	for _, m := range frame().FindAllStringSubmatch(text, -1) {
		file := filepath.FromSlash(m[1])
		if rest, ok := strings.CutPrefix(m[1], b.path+"/"); ok { // of a build with -trimpath
			file = filepath.Join(b.tree.root, filepath.FromSlash(rest))
		}
		_, inside := paths.Within(b.tree.root, file)
		for _, k := range b.packages {
			inside = inside || filepath.Dir(file) == k.Dir
		}
		if inside {
			return b.tree.placeOf([]string{"", file, m[2], ""})
		}
	}
	return diag.Place{}
}

// second adds the other places that register a name, if the source has it as a literal.
func (p *Program) second(found *Problem, quoted string) {
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return
	}
	var others []string
	for _, at := range p.registrations(name) {
		if at.File == found.File && at.Line == found.Line {
			found.Place = at // with its column
		} else {
			others = append(others, at.String())
		}
	}
	found.Message = quoted + " is registered twice"
	if len(others) > 0 {
		found.Message += ", also at " + strings.Join(others, ", ")
	}
	found.Hint = "results are stored under the name: rename one of them"
}

// registrations finds calls of Register with a name.
func (p *Program) registrations(name string) (all []diag.Place) {
	b, set := p.request, token.NewFileSet()
	for _, k := range b.packages {
		for _, file := range k.sourceFiles() {
			tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil { // changed since it was compiled
				continue
			}
			ast.Inspect(tree, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && registers(call, name) {
					at := set.Position(call.Pos())
					all = append(all, diag.Place{File: b.tree.place(at.Filename), Line: at.Line, Col: at.Column})
				}
				return true
			})
		}
	}
	return all
}

func registers(call *ast.CallExpr, name string) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || fun.Sel.Name != "Register" || len(call.Args) == 0 {
		return false
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return false
	}
	value, err := strconv.Unquote(text.Value)
	return err == nil && value == name
}
