// Package observed finds out by a short run under a tracer what a case looks at in its tree, and
// whether that is the same in another tree. What the run does not show is not known, so a case
// with any doubt has to be measured.
package observed

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/observe"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/usercache"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
	"golang.org/x/mod/modfile"
)

// Observer runs cases under a tracer.
type Observer struct {
	Host      []string // argv of suite itself, which starts commands
	HostHash  string   // see runner.Options
	HostOf    func(*spec.Plan) []string
	Processes *process.Set
	Binaries  *binary.Hashes // of programs that hosts are
	Cache     string         // folder for records; empty: suite in os.UserCacheDir

	differs  func(c *spec.Case) bool       // see Differing; nil: no program differs
	builds   builds                        // of this run and of earlier ones
	stale    string                        // see Stale
	refused  *observe.Error                // why nothing can be traced here; nil: it is not known yet
	spent    time.Duration                 // by all runs so far
	allowed  time.Duration                 // for all runs
	sizes    map[string]map[int64][]string // of files of trees, see sized
	around   string                        // see surroundings; "": not asked yet
	groups   map[*spec.Case]*group         // by each of its cases; nil: it is observed alone
	failed   []*spec.Case                  // those for which compare could not observe its cases
	kept     map[*spec.Case]*keptCase      // nil: no record of it alone shows anything
	judged   map[string]*result.Evidence   // by judgeAll, of records by their content
	contents map[string]content            // by path, see stateOf
	records  usercache.Records             // in Cache
}

const (
	limit     = 10 * time.Second // of a run under a tracer; a case that takes longer is measured
	limitAll  = 2 * time.Minute  // of all runs together, or limitCase for each case if that is more
	limitCase = time.Second      // cases after that are measured, each of which takes longer
)

// limitOfAll is how long the runs of so many cases may take together.
func limitOfAll(cases int) time.Duration { return max(limitAll, limitCase*time.Duration(cases)) }

func tooSlow() *result.Evidence {
	return &result.Evidence{Cause: result.EvidenceSlow, Subject: limit.String()}
}

// fds is how many descriptors a host inherits: its requests and its answers.
const fds = 2

// Differing sets what reports whether the program in which suite runs a case of the base is another one in the tree that
// is compared. That program is no file of a tree, so a case that reads it shows nothing then.
func (o *Observer) Differing(differs func(c *spec.Case) bool) { o.differs = differs }

// Compare runs a case of a plan, which belongs to the tree in the folder base, twice, and
// compares what it looked at with the tree in the folder here. It runs a third time if the second
// run did something else with what the first one had left, as make and go do. why is nil if nothing
// differs and nothing is in doubt, else the reason why the case has to be measured. reads are the files
// below base that were read or executed in the last run, relative to base, by name.
//
// asked are the cases of the plan that are asked about. Those that take turns in one process when they are measured are
// run together first, which takes a fifth of the time; if all that they look at is the same, so is what each of them
// looks at. If not, the two halves of them are run, and so on, unless that takes too long; functions that fail are run
// without others. Those known by themselves are not run, see Adopt.
func (o *Observer) Compare(
	ctx context.Context, plan *spec.Plan, c *spec.Case, asked []*spec.Case, base, here string,
) (reads []string, why *result.Evidence) {
	if why := unseen(plan, c); why != nil {
		return nil, why
	}
	o.allowed = max(o.allowed, limitOfAll(len(asked)))
	if k := o.keptOf(ctx, plan, c, base, here); k != nil {
		return k.reads, k.why
	}
	for _, one := range asked {
		o.keptOf(ctx, plan, one, base, here)
	}
	for g := o.groupOf(c, asked); ; g = o.groups[c] {
		switch {
		case g != nil && g.shows:
			return g.reads, nil
		case g != nil && g.why != nil:
			return nil, g.why
		case o.refused != nil:
			return nil, &result.Evidence{Cause: result.EvidenceUntraced, Subject: o.refused.Error()}
		case o.spent > o.allowed:
			return nil, &result.Evidence{Cause: result.EvidenceSlow,
				Subject: o.allowed.String() + ", with those of the cases before"}
		case g == nil:
			return o.compare(ctx, plan, []*spec.Case{c}, base, here)
		}
		o.observe(ctx, g, plan, base, here)
	}
}

// compare compares what some cases of a plan look at in one run of all of them.
func (o *Observer) compare(
	ctx context.Context, plan *spec.Plan, cases []*spec.Case, base, here string,
) (reads []string, why *result.Evidence) {
	since, of := time.Now(), o.nameOf(base)
	place := o.place(plan, of, cases...)
	o.failed = nil
	defer func() { o.spent += time.Since(since) }()
	programs := o.programs(plan, cases[0])
	if r := o.known(place, of); r != nil && !r.Shared { // see keptOf
		return contents(accesses(r.Record, base)), o.judgeAll(ctx, r, plan, cases[0], programs, base, here)
	}
	if d := knownDoubt(place); d != nil {
		return d.Reads, &d.Why
	}
	defer func() {
		if why != nil && ctx.Err() == nil && (isNamedByContent(cases[0]) || why.Cause == result.EvidenceSlow) {
			o.keepDoubt(place, why, reads)
		}
	}()
	var last []observe.Access
	var made []string
	leaves := false
	defer func() { o.remove(made, base) }()
	for try := 1; ; try++ {
		record, why := o.run(ctx, plan, cases)
		if why != nil {
			return reads, why
		}
		if try == 1 {
			made = left(record, base, here)
			leaves = len(made) > 0 || leavesOutside(record, base, here)
		} else {
			record = asMade(record, made)
		}
		seen := accesses(record, base)
		reads = contents(seen)
		known := &recorded{Record: record, Itself: readsItself(record, programs)}
		if why := o.judgeAll(ctx, known, plan, cases[0], programs, base, here); why != nil {
			return reads, why
		}
		path := unsteady(last, seen)
		switch {
		case try == 1:
			seen = accesses(asMade(record, made), base)
		case path == "":
			o.keep(place, of, record, programs, since)
			return reads, nil
		case try > 2 || !leaves:
			return reads, &result.Evidence{Cause: result.EvidenceUnsteady, Subject: path}
		}
		last = seen
	}
}

// judgeAll returns the first reason why the record of a run does not prove that its cases are the same
// in the tree here, nil if there is none. c is one of the cases, and own are the programs in which suite runs them.
func (o *Observer) judgeAll(
	ctx context.Context, of *recorded, plan *spec.Plan, c *spec.Case, own []string, base, here string,
) *result.Evidence {
	r := of.Record
	if of.Itself && o.differs != nil && o.differs(c) {
		return &result.Evidence{Cause: result.EvidenceReads, Subject: "its own program", Change: string(observe.Changed)}
	}
	if why := judge(ctx, r, base, here, own); why != nil {
		return why
	}
	if plan.Build != nil {
		why, stale := o.builds.touched(r, base, here, own)
		o.stale = cmp.Or(o.stale, stale)
		if why != nil {
			return why
		}
	}
	if program := cmp.Or(installed(r, base, here, own), o.copied(r, base, here, own)); program != "" {
		return &result.Evidence{Cause: result.EvidenceExecutesInstalled, Subject: program}
	}
	return nil
}

// readsItself reports whether a run has read one of the programs in which suite runs its cases, or has started it again, as
// tests do to run another of their functions in a process. The first, suite itself, is the same in both trees. A program
// that only suite starts is not read.
func readsItself(r *observe.Record, own []string) bool {
	return slices.ContainsFunc(r.Files, func(a observe.Access) bool {
		path := real(a.Path)
		return a.Use&(observe.Read|observe.Again) != 0 && slices.Index(own, path) > 0
	})
}

// contents are the paths of files whose content was used and not changed.
func contents(accesses []observe.Access) (paths []string) {
	for _, a := range accesses {
		if a.Use&(observe.Read|observe.Exec) != 0 && a.Use&observe.Written == 0 {
			paths = append(paths, filepath.FromSlash(a.Path))
		}
	}
	return slices.Compact(paths)
}

// programs are those in which suite runs a case, and what it adds to the user's, by their real paths.
func (o *Observer) programs(plan *spec.Plan, c *spec.Case) (all []string) {
	own := []string{o.Host[0]}
	if argv := o.HostOf(plan); argv != nil {
		own = append(own, argv[0])
	}
	if c.GoTest != nil {
		own = append(own, c.GoTest.Program)
	}
	if c.Harness != nil && c.Harness.Module != "" { // its folder is named after its content
		own = append(own, c.Harness.Module, filepath.Dir(c.Harness.Module))
	}
	for _, path := range own {
		all = append(all, real(path))
	}
	return all
}

// installed returns a Go program outside of both trees that was executed, and that was built from
// the module of the tree base: go install has made it from one of the trees, or from a third
// one. It is "" if there is none. known are programs of suite.
func installed(r *observe.Record, base, here string, known []string) string {
	text, err := paths.ReadRegular(filepath.Join(base, "go.mod"))
	module := modfile.ModulePath(text)
	if err != nil || module == "" {
		return ""
	}
	trees := []string{real(base), real(here)}
	for _, a := range r.Files {
		if a.Use&observe.Exec == 0 || !isOutside(a.Path, trees, known) {
			continue
		}
		if info, err := buildinfo.ReadFile(a.Path); err == nil && info.Main.Path == module {
			return a.Path
		}
	}
	return ""
}

// ofGoRun is the name of a folder in which go run keeps a program, in the build cache: a hash of all that it is
// built from.
var ofGoRun = lazy.Regexp(`^[0-9a-f]{64}-d$`)

// isOutside reports whether a file is in none of some folders, no program of suite, and none that go run has
// kept: go run has looked at the sources before, so they show whether both sides have one program.
func isOutside(path string, folders, known []string) bool {
	return !isAmong(path, folders) && !ofGoRun().MatchString(filepath.Base(filepath.Dir(path))) &&
		!slices.Contains(known, real(path))
}

// unseen is the reason why a run of a case cannot show what it depends on, nil if it can.
func unseen(plan *spec.Plan, c *spec.Case) *result.Evidence {
	because := func(subject string) *result.Evidence {
		return &result.Evidence{Cause: result.EvidenceUnseen, Subject: subject}
	}
	switch {
	case plan.Build != nil && !plan.Built:
		return because("build")
	case len(c.Services) > 0:
		return because("service")
	}
	return nil
}

// run measures two samples of some cases in a host under a tracer, of a single one with its hooks. Nothing of the
// result is used: it has to exist.
func (o *Observer) run(ctx context.Context, plan *spec.Plan, cases []*spec.Case) (*observe.Record, *result.Evidence) {
	failed := func(err error) *result.Evidence {
		return &result.Evidence{Cause: result.EvidenceUntraced, Subject: err.Error()}
	}
	dir, err := os.MkdirTemp("", "suite-observed-")
	if err != nil {
		return nil, failed(err)
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, o.limitOf(len(cases)))
	defer cancel()
	short := shortened(plan, cases...)
	one := &short.Cases[0]
	one.Setup, one.Cleanup = o.traced(one.Setup, filepath.Join(dir, before)), o.traced(one.Cleanup,
		filepath.Join(dir, after))
	for _, name := range []string{before, during, after} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, failed(err)
		}
	}
	wrap := func(argv []string) []string {
		if argv == nil {
			return nil
		}
		return observe.Wrap(o.Host[0], filepath.Join(dir, during), fds, argv)
	}
	_, failures, notMeasured := o.measure(ctx, short, wrap(o.Host), wrap(o.HostOf(plan)), nil)
	if ctx.Err() != nil {
		return nil, tooSlow()
	}
	for _, i := range failures {
		o.failed = append(o.failed, cases[i])
	}
	record, err := o.record(dir, one)
	if err := cmp.Or(notMeasured, err); err != nil {
		return nil, failed(err)
	}
	return record, nil
}

// sampledLife is the part of a long life that samples of 1 ms fill: a minute and a half if that is ten minutes.
const sampledLife = 6

// mostSamples are taken of a function to find out what it executes, unless they take longer than build.Youth.
const mostSamples = 20

// Measure takes samples of a registered function in a host that a command starts, without a tracer, and returns how
// many iterations a sample had: n, or as many as the case asks for if n is 0. If it has to live for some time, it does so
// after the first sample, and then has more.
func (o *Observer) Measure(
	ctx context.Context, plan *spec.Plan, c *spec.Case, argv []string, n int64, life time.Duration,
) (iterations int64, err error) {
	short := shortened(plan, c)
	set := &short.Cases[0].Settings
	if n > 0 {
		set.Batch, set.SamplesMax, set.TargetTime = n, mostSamples, spec.Duration(build.Youth)
	}
	if life > 0 {
		samples := int(life / sampledLife / time.Millisecond)
		set.SamplesMin, set.SamplesMax = samples, samples
	}
	iterations, _, err = o.measure(ctx, short, o.Host, argv, func(p runner.Progress) {
		if p.Phase != "measure" { // after a sample
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(life):
		}
		life = 0
	})
	return iterations, err
}

// measure returns the iterations of the first case, which cases failed, and why the first of those did.
func (o *Observer) measure(
	ctx context.Context, short *spec.Plan, own, argv []string, watch func(runner.Progress),
) (iterations int64, failed []int, err error) {
	doc := runner.Run(ctx, []*spec.Plan{short}, runner.Options{Host: own, HostHash: o.HostHash, Seed: draw.NewSeed(),
		Processes: o.Processes, Binaries: o.Binaries,
		HostOf: func(*spec.Plan) []string { return argv }, Observe: watch})
	for i := range doc.Cases {
		done := &doc.Cases[i]
		if done.Failure == nil && done.Status == result.Measured {
			continue
		}
		failed = append(failed, i)
		if err == nil {
			err = errors.New(string(done.Status))
			if done.Failure != nil {
				err = errors.New(done.Failure.Message)
			}
		}
	}
	if err != nil {
		return 0, failed, err
	}
	return doc.Cases[0].Iterations, nil, nil
}

// Folders for the records of the setup hook, the host and the cleanup hook.
const (
	before = "before"
	during = "during"
	after  = "after"
)

// traced is a hook under a tracer, which leaves its record in a folder. A hook that cannot be found
// fails as it does without a tracer.
func (o *Observer) traced(h *spec.Hook, dir string) *spec.Hook {
	if h == nil {
		return nil
	}
	argv := slices.Clone(h.Argv)
	if filepath.Base(argv[0]) == argv[0] {
		path, err := exec.LookPath(argv[0])
		if err != nil {
			return h
		}
		argv[0] = path
	}
	return &spec.Hook{Argv: observe.Wrap(o.Host[0], dir, 0, argv), Place: h.Place}
}

// record joins what the hooks and the host of a run have left in a folder.
func (o *Observer) record(dir string, c *spec.Case) (*observe.Record, error) {
	var all []*observe.Record
	for _, part := range []struct {
		name string
		runs bool
	}{{before, c.Setup != nil}, {during, true}, {after, c.Cleanup != nil}} {
		if !part.runs {
			continue
		}
		records, err := observe.Records(filepath.Join(dir, part.name))
		if refused := (*observe.Error)(nil); errors.As(err, &refused) && refused.Cause != observe.Tracer &&
			refused.Cause != observe.Start {
			o.refused = refused
		}
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return observe.Join(all...), nil
}

// shortened is a plan of some cases without gates, which takes two samples of each and nothing else. Several cases
// share a process.
func shortened(plan *spec.Plan, cases ...*spec.Case) *spec.Plan {
	p := *plan
	p.Against, p.Other, p.Sentinel, p.Budget, p.Traced = nil, nil, nil, 0, true
	p.Together, p.Cases = len(cases) > 1, nil
	for _, c := range cases {
		p.Cases = append(p.Cases, short(c))
	}
	return &p
}

func short(c *spec.Case) spec.Case {
	one := *c
	one.Base, one.Other, one.Counterpart, one.Gates = "", nil, nil, nil
	one.Pegs, one.PegPoints, one.Callgrind, one.NoWitness, one.Counters = false, nil, false, true, nil
	s := &one.Settings
	s.Warmup, s.WarmupBatches, s.Precision, s.Latency, s.Arrivals = 0, 0, 0, false, 0
	s.SamplesMin, s.SamplesMax, s.TargetTime, s.MaxTime = 2, 2, 1, spec.Duration(limit)
	if c.Kind != result.KindGo {
		// a command has been run once before, and a test binary finds the iterations of a sample itself
		s.SamplesMin, s.SamplesMax = 1, 1
	}
	s.Sampling, s.Keep = "many", "samples"
	s.Judge = result.JudgeTime // valgrind makes a run slow, and reads files of its own
	return one
}

// judge returns why a record does not prove that a run in the tree here is the same as the one in
// the tree base, nil if it does. known are programs of suite.
func judge(ctx context.Context, r *observe.Record, base, here string, known []string) *result.Evidence {
	if len(r.Doubts) > 0 {
		d := r.Doubts[0]
		return &result.Evidence{Cause: result.EvidenceDoubt, Subject: cmp.Or(d.Detail, string(d.Cause))}
	}
	if len(r.Connections) > 0 {
		return &result.Evidence{Cause: result.EvidenceConnection, Subject: r.Connections[0]}
	}
	if len(r.Sockets) > 0 {
		return &result.Evidence{Cause: result.EvidenceConnection, Subject: r.Sockets[0]}
	}
	if shared := ofOther(r, base, here, known, mounts()); shared != nil {
		return shared
	}
	if d := above(ctx, r, base, here); d != nil {
		return &result.Evidence{Cause: result.EvidenceReads, Subject: d.Path, Change: string(d.Kind)}
	}
	differences, err := observe.Compare(ctx, r, base, here)
	if err != nil {
		return &result.Evidence{Cause: result.EvidenceUntraced, Subject: err.Error()}
	}
	if len(differences) > 0 {
		d := differences[0]
		return &result.Evidence{Cause: result.EvidenceReads, Subject: d.Path, Change: string(d.Kind)}
	}
	return nil
}

// objects is the folder of git from which a tree of suite borrows. The objects are named after their contents; what
// leads to them, such as HEAD, is in each tree.
const objects = ".git/objects"

// ofOther returns the first file of the tree here that a run in the tree base has executed, or else
// read. base and programs of suite, which are known, may be in a folder within here.
func ofOther(r *observe.Record, base, here string, known []string, all mountTable) *result.Evidence {
	own, err := r.Below(here)
	if err != nil {
		return nil
	}
	inside, err := filepath.Rel(real(here), real(base))
	if err != nil {
		return nil
	}
	cause := result.EvidenceCause("")
	path := ""
	for _, a := range own {
		local := filepath.FromSlash(a.Path)
		if filepath.IsLocal(inside) && (local == inside || isBelow(local, inside)) || isBelow(inside, local) ||
			local == "." || isBelow(local, objects) || slices.Contains(known, filepath.Join(real(here), local)) {
			continue
		}
		switch {
		case a.Use&observe.Exec != 0:
			return &result.Evidence{Cause: result.EvidenceExecutesHere, Subject: a.Path}
		case cause == "" && (a.Use&(observe.Read|observe.List) != 0 ||
			a.Use&observe.Stat != 0 && !paths.IsFolder(filepath.Join(here, local))):
			cause, path = result.EvidenceReadsHere, a.Path
		}
	}
	if cause == "" {
		exec := false
		if path, exec = mounted(r, base, here, all); path == "" {
			return nil
		}
		cause = result.EvidenceReadsHere
		if exec {
			cause = result.EvidenceExecutesHere
		}
	}
	return &result.Evidence{Cause: cause, Subject: path}
}

// isBelow reports whether a relative path lies below a folder.
func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel) && rel != "."
}

func real(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	return path
}

// accesses are those below a folder.
func accesses(r *observe.Record, base string) []observe.Access {
	below, _ := r.Below(base) // Compare reports the error
	return below
}

// unsteady is the first path that only one of two runs has used so, "" if they agree.
func unsteady(a, b []observe.Access) string {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return b[i].Path
		case i >= len(b) || a[i] != b[i]:
			return a[i].Path
		}
	}
	return ""
}
