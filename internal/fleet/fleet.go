// Package fleet writes the job with which an engine that the user has, such as Slurm or
// Kubernetes, measures a suite in shards: each on a machine of its own, each with a result
// of its own. It starts nothing.
package fleet

import (
	"cmp"
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/shellword"
)

// Job is what a job measures, and with which means.
type Job struct {
	Name    string        // a label of DNS, see NameOf
	Suites  []string      // suite files, as suite run takes them
	Flags   []string      // further flags of suite run
	Shards  int           // at least 1
	Results string        // folder of the results; empty: the engine's default
	Limit   time.Duration // after which a shard is stopped, rounded up to minutes
	CPUs    int           // of one shard; 0: the engine's default
	Memory  int           // of one shard, in MiB; 0: the engine's default
	Image   string        // of the containers
	Claim   string        // PersistentVolumeClaim of Kubernetes for the results; empty: the default
	Hosts   string        // machines, as GNU parallel takes them; empty: this one
}

// Engine is a program that starts jobs on several machines.
type Engine struct {
	Name    string
	Flags   []string // of suite fleet that have a meaning for this engine, apart from those that all have
	OneShot bool     // a job is run once, so each needs a name of its own

	template   string
	containers bool                // that see nothing but the files of their image
	escape     func(string) string // keeps the engine from changing a command line
	defaults   Job
}

// Engines lists the engines.
func Engines() []Engine {
	return []Engine{
		{Name: "slurm", Flags: []string{"results", "cpus", "memory"}, template: "slurm.sh",
			escape: func(command string) string { return command }, defaults: Job{Results: "results"}},
		{Name: "kubernetes", Flags: []string{"results", "cpus", "memory", "image", "claim"},
			template: "kubernetes.yaml", OneShot: true, containers: true,
			escape: escapeKubernetes, defaults: Job{Results: "/results", CPUs: 2, Memory: 2048,
				Claim: "suite-results"}},
		{Name: "nomad", Flags: []string{"results", "cpus", "memory", "image"}, template: "nomad.hcl",
			OneShot: true, containers: true,
			escape: escapeHCL, defaults: Job{Results: "results", CPUs: 2, Memory: 2048}},
		{Name: "parallel", Flags: []string{"results", "hosts"}, template: "parallel.sh", OneShot: true,
			escape: escapeParallel, defaults: Job{Results: "results"}},
	}
}

// Names lists the names of the engines.
func Names() (names []string) {
	for _, e := range Engines() {
		names = append(names, e.Name)
	}
	return names
}

// Find finds the engine that the first argument names. The others must be suite files: isFile reports whether an
// argument names some, and hint is where they are.
func Find(args []string, isFile func(string) bool, hint func() string) (Engine, error) {
	names := Names()
	if len(args) == 0 {
		return Engine{}, diag.Hinted("suite fleet needs an engine: "+diag.OrList(names),
			"suite fleet slurm suite.yaml -n 4")
	}
	at := slices.Index(names, args[0])
	switch {
	case at < 0 && isFile(args[0]):
		return Engine{}, diag.Hinted(fmt.Sprintf("suite fleet needs the engine first: %s", diag.OrList(names)),
			"suite fleet slurm "+args[0]+" -n 4")
	case at < 0:
		return Engine{}, diag.Unknown("engine", args[0], names)
	case len(args) == 1:
		return Engine{}, diag.Hinted("suite fleet "+args[0]+" needs a suite file", hint())
	}
	return Engines()[at], nil
}

// Takers lists the engines for which a flag has a meaning, none if it has one for all.
func Takers(flag string) (names []string) {
	for _, e := range Engines() {
		if slices.Contains(e.Flags, flag) {
			names = append(names, e.Name)
		}
	}
	return names
}

// NotPassedOn is what to do in place of a flag of suite run that the job sets itself, or that has
// a meaning for all shards together only. It is empty for every other flag.
func NotPassedOn(flag string) (hint string) {
	return map[string]string{
		"shard":   "-n divides the suite, and the job numbers the shards",
		"out":     "suite merge --out writes reports of all shards",
		"format":  "suite merge --format prints the report of all shards",
		"ci":      "suite merge --ci reports all shards",
		"save":    "suite merge --save adds the whole run",
		"history": "suite merge --save --history FOLDER adds the whole run",
		"resume":  "start the job again",
		"journal": "every shard has one of its own",
	}[flag]
}

// NameOf is the name of a job that measures a suite file: the file's, with the time if a
// job can be run only once.
func (e Engine) NameOf(suiteFile string, now time.Time) string {
	base := filepath.Base(suiteFile)
	name := NameOf(strings.TrimSuffix(strings.TrimSuffix(base, filepath.Ext(base)), ".suite"))
	if e.OneShot {
		name += now.UTC().Format("-20060102-150405")
	}
	return name
}

// Limit returns the time after which a shard that is measured for at most this long is
// stopped: twice as long, for what happens between samples, and ten minutes to build and
// start. A limit that is too long costs no more than a later start on a busy cluster.
func Limit(most time.Duration) time.Duration { return 2*most + 10*time.Minute }

// KillMinutes is the limit in whole minutes, and one more in which suite can finish.
func (j *Job) KillMinutes() int { return j.Seconds()/60 + 1 }

// Seconds is the limit in seconds, a multiple of a minute.
func (j *Job) Seconds() int { return 60 * int((j.Limit+time.Minute-1)/time.Minute) }

//go:embed templates
var templates embed.FS

// Write returns the text of a job that Check has accepted.
func (e Engine) Write(j Job) (string, error) {
	j.Results = cmp.Or(j.Results, e.defaults.Results)
	j.CPUs = cmp.Or(j.CPUs, e.defaults.CPUs)
	j.Memory = cmp.Or(j.Memory, e.defaults.Memory)
	j.Claim = cmp.Or(j.Claim, e.defaults.Claim)
	t := template.New("")
	_, err := t.Funcs(template.FuncMap{
		"part": func(indent int, name string) (string, error) {
			var b strings.Builder
			err := t.ExecuteTemplate(&b, name, &j)
			return strings.ReplaceAll(b.String(), "\n", "\n"+strings.Repeat(" ", indent)), err
		},
		"quote":  shellword.Quote,
		"quoted": doubleQuoted,
		"path":   func(names ...string) string { return e.escape(shellword.Quote(join(names))) },
		"words":  func() string { return e.escape(shellword.Join(slices.Concat(j.Suites, j.Flags))) },
		"suites": func() string { return shellword.Join(j.Suites) },
	}).ParseFS(templates, "templates/*")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.ExecuteTemplate(&b, e.template, &j)
	return b.String(), err
}
