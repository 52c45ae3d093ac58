package prepare

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/executable"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/shellword"
	"example.com/suite/internal/tree"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// listed is the answer to a query of a harness: the benchmarks, or the problems.
type listed struct {
	spec.Listing
	problems diag.Problems
}

// Harness asks a program for its benchmarks, after the suite's build command, which may make the
// program. Each tree is built once, and each query answered once.
func (h *Hosts) Harness(q spec.HarnessQuery) (spec.Listing, diag.Problems) {
	if slices.ContainsFunc(q.Requires, func(name string) bool { return !paths.IsProgram(name) }) {
		return spec.Listing{Names: []string{""}}, nil // the case is skipped
	}
	if problems := h.buildFirst(&q); len(problems) > 0 {
		return spec.Listing{}, problems
	}
	text, _ := json.Marshal([]any{q.Harness, q.Argv, q.Env, q.Dir, q.Limit}) // words and numbers always can be
	answer, done := h.listed[string(text)]
	if !done {
		answer = h.list(&q)
		h.listed[string(text)] = answer
	}
	return answer.Listing, answer.problems
}

// buildFirst runs the build command in a tree.
func (h *Hosts) buildFirst(q *spec.HarnessQuery) diag.Problems {
	if q.Build == nil {
		return nil
	}
	key := fmt.Sprintf("%q %q", q.BuildDir, q.Build.Argv)
	problems, done := h.made[key]
	if done {
		return problems
	}
	slow := time.AfterFunc(slowBuild, func() { h.Say("build: %s in %s", shellword.Join(q.Build.Argv), q.BuildDir) })
	defer slow.Stop()
	began := time.Now()
	_, failure := runner.Build(h.ctx, &spec.Plan{Build: q.Build, Dir: q.BuildDir}, nil)
	h.spans = append(h.spans, tree.Span{From: began, To: time.Now()})
	if failure != nil {
		problems = diag.Problems{{Code: diag.Build, Place: q.Build.Place,
			Message: withDetail(failure.Message, failure.Detail), Hint: failure.Hint}}
	}
	h.made[key] = problems
	return problems
}

// list runs the program once.
func (h *Hosts) list(q *spec.HarnessQuery) listed {
	row, _ := harness.Find(q.Harness) // the reader knows that it is there
	found := spec.Listing{}
	problem := func(message, detail string) listed {
		return listed{problems: diag.Problems{{Place: q.Place, Message: withDetail(message, detail),
			Hint: h.byHand(row.Load(row.List(), found.Module, nil), q)}}}
	}
	program := shellword.Join(q.Argv)
	if fault := executable.Check(q.Argv[0], q.Dir); fault != nil {
		return listed{problems: diag.Problems{{Place: q.Place, Message: fault.Message, Hint: fault.Hint}}}
	}
	if tool, ok := row.Harness.(harness.Built); ok {
		var fault *diag.Problem
		found.Program, fault = h.locate(tool, q)
		if fault != nil {
			return listed{problems: diag.Problems{*fault}}
		}
	}
	if extended, ok := row.Harness.(harness.Extended); ok {
		var err error
		if found.Module, err = extended.Module().Install(h.Cache); err != nil {
			return listed{problems: diag.Problems{{Place: q.Place,
				Message: fmt.Sprintf("the module for %s cannot be written: %v", row.Name, err),
				Hint:    "SUITE_CACHE=FOLDER in the environment names another folder for it"}}}
		}
	}
	argv := q.Argv
	if found.Program != nil {
		argv = found.Program
	}
	listing := h.explore(row.Load(row.List(), found.Module, slices.Concat(os.Environ(), q.Env)), row, argv, q)
	out, last := listing.out, listing.out.Last()
	switch {
	case listing.err != nil:
		return problem(fmt.Sprintf("%s: %v", program, listing.err), "")
	case errors.Is(out.Err, fs.ErrNotExist), errors.Is(out.Err, exec.ErrNotFound):
		return listed{problems: diag.Problems{{Place: q.Place,
			Message: fmt.Sprintf("program %s is not there", diag.Quote(q.Argv[0])),
			Hint: "build: [make] at the top of the file makes it before its benchmarks are listed; or requires: " +
				"if it may be missing"}}}
	case errors.Is(out.Err, build.ErrSlow):
		return problem(fmt.Sprintf("%s does not list its benchmarks within %v", program, time.Duration(q.Limit)), last)
	case out.Err != nil:
		return problem(fmt.Sprintf("%s does not list its benchmarks: %v", program, out.Err), last)
	case listing.fault != nil:
		return problem(fmt.Sprintf("%s does not list its benchmarks: %v", program, listing.fault), last)
	case len(listing.names) == 0:
		return problem(program+" lists no benchmark", last)
	}
	found.Names = h.once(program, listing.names)
	return listed{Listing: found}
}

// listing is what a program was found to contain.
type listing struct {
	out   build.Output // of the last process
	names []string
	fault error // what is wrong with its output
	err   error // it could not be asked
}

// explore lets a program list its benchmarks. If it does so by running them and ends early, it is asked for the rest.
func (h *Hosts) explore(
	request harness.Request, row harness.Row, argv []string, q *spec.HarnessQuery,
) (all listing) {
	explored, isExplored := row.Harness.(harness.Explored)
	var tests []string
	for {
		l, seen := h.query(request, row, argv, q)
		l.names = slices.Concat(all.names, l.names)
		if l.err != nil || l.fault != nil || l.out.Err != nil || !isExplored || seen.isWhole {
			return l
		}
		if len(seen.tests) == 0 || slices.Contains(tests, seen.tests[0]) {
			l.fault = errors.New("its output ends before the test that it runs")
			return l
		}
		all, tests = l, append(tests, seen.tests...)
		request = explored.ListWithout(tests)
	}
}

// seen is how far a program came that lists its benchmarks by running them.
type seen struct {
	tests   []string
	isWhole bool
}

// query starts a program with a request for its benchmarks. If it is explored, its end does not matter as long as it
// leaves results.
func (h *Hosts) query(
	request harness.Request, row harness.Row, argv []string, q *spec.HarnessQuery,
) (l listing, s seen) {
	output := harness.Output{}
	if request.Results != "" {
		folder, err := os.MkdirTemp("", "suite-list-*")
		if err != nil {
			return listing{err: err}, s
		}
		defer os.RemoveAll(folder)
		output.Results = filepath.Join(folder, "results")
	}
	request.Args, request.Variables = request.With(output.Results)
	l.out, l.err = build.Run(h.ctx, time.Duration(q.Limit), start(argv, request, q))
	output.Text = []byte(l.out.Stdout)
	var exit *exec.ExitError
	explored, isExplored := row.Harness.(harness.Explored)
	hasEnded := errors.As(l.out.Err, &exit) || errors.Is(l.out.Err, build.ErrSlow)
	if l.err != nil || l.out.Err != nil && !(isExplored && hasEnded) {
		return l, s
	}
	l.names, l.fault = row.Names(output)
	if isExplored && l.fault == nil {
		l.out.Err = nil
		s.tests, s.isWhole = explored.Seen(output)
	}
	return l, s
}

// start is how a program is started in the folder of a query.
func start(argv []string, r harness.Request, q *spec.HarnessQuery) build.Start {
	path := argv[0]
	if strings.ContainsRune(path, filepath.Separator) && !filepath.IsAbs(path) {
		path = filepath.Join(q.Dir, path)
	}
	return build.Start{Path: path, Args: slices.Concat(argv[1:], r.Args), Dir: q.Dir,
		Env: slices.Concat(q.Env, r.Variables), Input: r.Input}
}

// longestMake is how long a tool may build a program.
const longestMake = time.Hour

// locate lets a tool build the program that a command starts; the result is nil if the command starts it itself.
func (h *Hosts) locate(tool harness.Built, q *spec.HarnessQuery) (program []string, fault *diag.Problem) {
	argv := tool.Locate(q.Argv)
	if argv == nil {
		return nil, nil
	}
	line := shellword.Join(argv)
	slow := time.AfterFunc(slowBuild, func() { h.Say("build: %s in %s", line, q.Dir) })
	defer slow.Stop()
	fail := func(message, detail, hint string) *diag.Problem {
		return &diag.Problem{Code: diag.Build, Place: q.Place, Message: withDetail(message, detail), Hint: hint}
	}
	byHand := "run it by hand: cd " + shellword.Join([]string{q.Dir}) + " && " + line
	began := time.Now()
	out, err := build.Run(h.ctx, longestMake, start(argv, harness.Request{}, q))
	h.spans = append(h.spans, tree.Span{From: began, To: time.Now()})
	if err == nil {
		err = out.Err
	}
	if err != nil {
		return nil, fail(fmt.Sprintf("%s: %v", line, err), build.Output{Stderr: out.Stderr}.Last(), byHand)
	}
	program, dir, err := tool.Program(q.Argv, []byte(out.Stdout))
	switch here, known := h.makers[strings.Join(program, "\x00")]; {
	case err != nil:
		return nil, fail(fmt.Sprintf("%s: %v", line, err), "", byHand)
	case paths.Real(dir) != paths.Real(q.Dir):
		return nil, fail(fmt.Sprintf("%s starts the program in %s, and the working folder of the case is %s",
			argv[0], dir, q.Dir), "",
			"cwd: says in which folder a benchmark runs")
	case known && here != q.Dir:
		return nil, fail(fmt.Sprintf("%s builds %s in %s and in %s: the second has replaced the first", argv[0],
			program[0], here, q.Dir), "",
			"let each tree have a target folder of its own: unset CARGO_TARGET_DIR, or a relative path")
	}
	h.makers[strings.Join(program, "\x00")] = q.Dir
	return program, nil
}

// once leaves out names that come again.
func (h *Hosts) once(program string, names []string) (all []string) {
	count := map[string]int{}
	for _, name := range names {
		count[name]++
		if count[name] == 1 {
			all = append(all, name)
		}
	}
	for _, name := range all {
		switch n := count[name]; {
		case n == 2:
			h.Say("%s lists %s twice: it is measured as one case", program, diag.Quote(name))
		case n > 2:
			h.Say("%s lists %s %d times: it is measured as one case", program, diag.Quote(name), n)
		}
	}
	return all
}

// byHand is the command that lists the benchmarks without suite.
func (h *Hosts) byHand(r harness.Request, q *spec.HarnessQuery) string {
	line := "run it by hand: cd " + shellword.Join([]string{q.Dir}) + " && "
	if r.Input != "" {
		line += "echo " + strings.TrimSpace(r.Input) + " | "
	}
	args, variables := r.With("results")
	if len(variables) > 0 {
		line += "env " + shellword.Join(variables) + " "
	}
	return line + shellword.Join(slices.Concat(q.Argv, args))
}

// withDetail adds what a program has printed to a message, indented.
func withDetail(message, detail string) string {
	for line := range strings.Lines(detail) {
		message += "\n\t" + strings.TrimRight(line, "\n")
	}
	return message
}
