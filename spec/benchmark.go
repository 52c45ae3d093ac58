package spec

import (
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// nameHint explains what match: is for them.
const nameHint = "an expression for a part of the whole name: ^parse/"

// benchmark is one item of benchmarks, merged with its defaults and checked, before its
// parameters are expanded.
type benchmark struct {
	place       diag.Place
	dir         string // absolute folder of its file
	kind        result.Kind
	name        *lang.Template // nil: the name is made of the body
	description *lang.Template
	tags        []string
	function    *lang.Template   // kind go
	argv        []*lang.Template // kind command
	shell       *lang.Template   // kind shell
	gotest      *lang.Template   // kind gotest
	harness     string           // of the command; empty: none
	match       *lang.Template   // nil: all
	procs       []int            // nil: GOMAXPROCS of suite itself

	parameters

	unit      string
	unitSet   bool
	work      *lang.Template // nil: 1
	settings  Settings
	late      []lateSetting // settings with ${…} in their values
	origins   map[string]Origin
	places    map[string]diag.Place // of the settings in the file
	timer     *preference           // nil: none given
	counters  counters
	pegs      bool
	points    []*lang.Template // of pegs; nil: all
	env       []variable
	cwd       path
	stdin     path
	input     *lang.Template // text for standard input; nil: a file, or nothing
	stdout    path
	requires  []*lang.Template // names of programs
	exitCodes []int
	anyExit   bool // every exit status means success
	reject    []int
	setup     *hook
	prepare   *hook
	conclude  *hook
	cleanup   *hook
	services  []service
	gates     []gate
	metrics   []metric

	base       *lang.Template // nil: none
	baseOrigin Origin
	wasNames   []*lang.Template // earlier names
	inputs     []path           // patterns of the files that it depends on; nil: unknown

	wrong []string // keys that could not be read; their problems are reported

	sameOutput bool
	outputName *lang.Template // name of the output that several cases share; nil: the case shares none
}

// variable is an environment variable of a case.
type variable struct {
	name  string
	value *lang.Template
}

// path is a file or folder, relative to the folder of the file that names it.
type path struct {
	text *lang.Template // nil: not given
	dir  string
}

func newBenchmark(n yaml.Node) *benchmark {
	return &benchmark{place: n.Place(), dir: n.Dir(), settings: Defaults(), unit: defaultUnit, exitCodes: []int{0}}
}

// hook is a command that is run and not measured, before its parameters are expanded.
type hook struct {
	argv  []*lang.Template
	place diag.Place
}

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
}

// gate is one item of expect, before its parameters are expanded.
type gate struct {
	name           *lang.Template // nil: the expression is the name
	expr           *lang.Template
	severity       string
	onInconclusive string // empty: as the suite sets it
}

// metric is one item of metrics, before its parameters are expanded.
type metric struct {
	name   string
	from   string
	file   path // set if from is empty
	how    string
	rule   *lang.Template // nil after a problem
	unit   string
	better result.Direction
	exact  bool
}

// lateSetting is a setting whose text has parameters in it: parallel: ${workers}.
type lateSetting struct {
	setting
	text *lang.Template
}

// bodyKeys are the keys that define what a benchmark runs. A benchmark has exactly one.
var bodyKeys = []string{"go", "command", "shell", "gotest"}

// expanded names the parameters that change a Go case although its function does not
// read them.
func (b *benchmark) expanded() (names []string) {
	templates := append(b.timer.templates(), b.function, b.work)
	for _, s := range b.late {
		templates = append(templates, s.text)
	}
	for _, t := range templates {
		if t != nil {
			names = append(names, t.Uses()...)
		}
	}
	return names
}

// processors lists the values of GOMAXPROCS to measure with. 0 means the value that
// suite itself runs with.
func (b *benchmark) processors() []int {
	if len(b.procs) == 0 {
		return []int{0}
	}
	return b.procs
}

func (b *benchmark) isLate(key string) bool {
	return slices.ContainsFunc(b.late, func(s lateSetting) bool { return s.key == key })
}

func (b *benchmark) at(key string, c *Case) diag.Place {
	if c.Origins[key] == FromFlag {
		return commandLine
	}
	if at, ok := b.places[key]; ok {
		return at
	}
	return b.place
}
