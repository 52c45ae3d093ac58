package reach

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Source is the Go source of a package of a program.
type Source struct {
	Path  string   // import path
	Dir   string   // absolute
	Files []string // in Dir

	AsTest bool // it is run in a test binary only to be counted
}

// Lookers are the packages of the toolchain that can list the methods of a type, or find one by its name. The runtime
// does so only to compare them with the methods of an interface.
var Lookers = []string{"internal/reflectlite", "reflect"}

// Coverage is what runs of a program have executed, by functions of its source: a closure belongs to the
// function that contains it.
type Coverage struct {
	// Idle lists functions that were counted and not executed, in alphabetical order, by the names of their symbols
	// without the instance of generic code: example.com/parse.lexer.skip. Initialisers are not among them.
	Idle []string
	// Varying lists, in the same way, functions of which the runs have not executed the same parts, and those that have
	// looked at the clock and were executed in part: a process that takes samples lives longer, and may get to what comes
	// then. So may those that wait for a time, unless long runs show what they do.
	Varying []string `json:",omitempty"`
	// Timed lists, in the same way, functions that would be Varying only because they have asked for the time, or because
	// runs with a fast clock have executed other parts of them than the other runs, if long runs show what comes with
	// time. What they call by an address is taken to be what runs have shown.
	Timed []string `json:",omitempty"`
	// Literals lists function literals that were not executed, in functions that were, in variables and in functions
	// init, in alphabetical order: the function that contains one and its line. See literal.
	Literals []string `json:",omitempty"`
	// Recorded reports that all runs have recorded at which types Lookers have looked. Followed lists those that they
	// have got as the types of the elements of others, and Looked those whose methods they may have read, by the ends of
	// hashes, see TypesRecorded. What varies may look at others.
	Recorded bool  `json:",omitempty"`
	Followed []int `json:",omitempty"`
	Looked   []int `json:",omitempty"`
}

// IsIdle reports whether a function was not executed. It is false for what is not counted: code of the toolchain,
// of tests and of assembly, initialisers, and functions that the compiler has made.
func (c *Coverage) IsIdle(symbol string) bool { return lists(c.Idle, symbol) }

// IsVarying reports whether runs have executed different parts of a function.
func (c *Coverage) IsVarying(symbol string) bool { return lists(c.Varying, symbol) }

// lists reports whether a sorted list has the function of a symbol.
func lists(functions []string, symbol string) bool {
	if len(functions) == 0 {
		return false
	}
	pkg, rest := symbolParts(symbol)
	first, second := declared(rest)
	if strings.HasPrefix(rest, "glob..") || strings.HasPrefix(first, UnitPrefix) {
		first, second = initName, ""
	}
	_, found := slices.BinarySearch(functions, pkg+"."+first)
	if !found && second != "" {
		_, found = slices.BinarySearch(functions, pkg+"."+first+"."+second)
	}
	return found
}

// symbolParts splits the name of a symbol into the path of its package and the rest. Type arguments of generic code
// are left out.
func symbolParts(symbol string) (pkg, rest string) {
	var b strings.Builder
	depth := 0
	for _, r := range symbol {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	text := b.String()
	slash := strings.LastIndexByte(text, '/') + 1
	dot := strings.IndexByte(text[slash:], '.')
	if dot < 0 || depth != 0 {
		return "", ""
	}
	return text[:slash+dot], text[slash+dot+1:]
}

// initName is the name of all initialisers of a package.
const initName = "init"

// declared returns the first two names in the symbol of a function: a function and what is within it, or a type and its
// method. A type and a function of one package have different names. If the compiler has names of its own, as in
// glob..func1 or in the names of types within functions, there is none.
func declared(rest string) (first, second string) {
	if pointer, ok := strings.CutPrefix(rest, "(*"); ok {
		first, rest, _ = strings.Cut(pointer, ")")
		if rest == "" || rest[0] != '.' {
			return "", ""
		}
		second, _ = identifier(rest[1:])
		if first == "" || second == "" {
			return "", ""
		}
		return first, second
	}
	first, rest = identifier(rest)
	if rest != "" && rest[0] != '.' && rest[0] != '-' || strings.HasPrefix(rest, "..") {
		return "", ""
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		second, _ = identifier(after)
	}
	return first, second
}

// identifier splits a text after the Go identifier with which it begins.
func identifier(text string) (name, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(".-·()[]{} *,", r) })
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// How often a case runs: its runs seldom differ, and if they do, they show how.
const (
	fewRuns  = 2
	manyRuns = 8
)

// A Run runs a case with coverage and returns the profile, as go test -coverprofile writes it. A long run has fast
// timers, lives longer than a process that takes samples, and has LongMark in its profile if it did.
type Run func(long bool) (io.ReadCloser, error)

// Observe runs a case with coverage, twice, or eight times if the first two have not executed the same, and if something
// has waited for a time, in two long runs. The error explains why the runs do not show what the program executes: because
// the last four have executed a function that the first four have not, for example. Long runs may fail.
func Observe(program *Functions, run Run) (*Coverage, error) {
	o := newObservation()
	for o.runs < fewRuns || o.runs < manyRuns && o.varying() != "" {
		if err := o.add(run, false); err != nil {
			return nil, err
		}
	}
	if o.hasWaited(program) {
		o.addLongRuns(run)
	}
	return o.coverage(program)
}

// observation is what runs of a program have executed so far.
type observation struct {
	runs    int               // every second one has a fast clock
	blocks  map[string]*block // by their place: path/file.go:10.2,12.3
	settled bool              // long runs show what is done by what waits for a time

	long       int                     // runs that have LongMark
	recorded   int                     // runs that have recorded at which types they look
	unrecorded bool                    // a long run has not
	types      map[string]map[int]bool // by FollowedMark and LookedMark: the ends of their hashes
}

// block is a stretch of source that is counted.
type block struct {
	from, to int  // places are line<<16 + column
	runs     int  // in which it was executed, without long ones
	even     int  // of these, runs with a fast clock
	first    int  // of these, from 1; 0: none
	late     bool // a long run has executed it
	unsteady bool // and another one has not
	known    bool // it is in a function
}

func (b *block) executed() bool { return b.runs > 0 || b.late }

// varies reports whether a block was executed in some runs only.
func (b *block) varies(runs int) bool { return 0 < b.runs && b.runs < runs }

// isRandom reports whether a block was executed in some only of the runs with a fast clock, or of the others.
func (b *block) isRandom(runs int) bool {
	fast, odd := runs/2, b.runs-b.even
	return 0 < b.even && b.even < fast || 0 < odd && odd < runs-fast
}

// varying returns the first block, by its place, that was executed in some runs only, "" if there is none.
func (o *observation) varying() (first string) {
	for place, b := range o.blocks {
		if b.varies(o.runs) && (first == "" || place < first) {
			first = place
		}
	}
	return first
}

func newObservation() *observation {
	return &observation{blocks: map[string]*block{}, types: map[string]map[int]bool{FollowedMark: {}, LookedMark: {}}}
}

// add adds a run.
func (o *observation) add(run Run, long bool) error {
	profile, err := run(long)
	if err != nil {
		return err
	}
	defer profile.Close()
	return o.addProfile(profile)
}

// addLongRuns runs a case twice with fast timers, which may make it fail. These runs are compared with each other: to
// execute more than the others is what they are for.
func (o *observation) addLongRuns(run Run) {
	late := newObservation()
	late.types = o.types
	var err error
	for late.runs < fewRuns && err == nil {
		err = late.add(run, true)
	}
	o.settled = err == nil && late.long == late.runs
	o.unrecorded = late.recorded < late.runs
	for place, b := range late.blocks {
		if o.blocks[place] == nil {
			o.blocks[place] = &block{from: b.from, to: b.to}
		}
		o.blocks[place].late, o.blocks[place].unsteady = b.runs > 0, b.varies(late.runs)
	}
}

// hasWaited reports whether runs have executed a part of a function that waits for a time, or may have: code of tests is
// not counted.
func (o *observation) hasWaited(program *Functions) bool {
	files := o.files()
	for _, list := range [][]sourceFunction{program.counted, program.initial} {
		for _, f := range list {
			if f.waits && slices.ContainsFunc(files[f.file], func(b *block) bool { return f.has(b) && b.executed() }) {
				return true
			}
		}
	}
	return program.waitsElsewhere()
}

// waitsElsewhere reports whether what is not counted may wait for a time: code of tests that is not a test itself, or
// what calls a variable.
func (all *Functions) waitsElsewhere() bool {
	return all.waitsByVariable || slices.ContainsFunc(slices.Concat(all.counted, all.initial), func(f sourceFunction) bool {
		return f.waits && strings.HasSuffix(f.file, "_test.go") && !isTest(f.name)
	})
}

// isTest reports whether go test runs a function only as a test, which no sample does.
func isTest(symbol string) bool {
	_, name := symbolParts(symbol)
	return !strings.Contains(name, ".") && slices.ContainsFunc([]string{"Test", "Fuzz", "Example"},
		func(begin string) bool { return strings.HasPrefix(name, begin) && name != "TestMain" })
}

// files returns the blocks by the files that they are in: import path and name.
func (o *observation) files() map[string][]*block {
	files := map[string][]*block{}
	for place, b := range o.blocks {
		name := place[:strings.LastIndexByte(place, ':')]
		files[name] = append(files[name], b)
	}
	return files
}

// addProfile adds the profile of a run.
func (o *observation) addProfile(profile io.Reader) error {
	o.runs++
	counted := map[string]bool{} // a block of generic code has a line for each instance
	lines := bufio.NewScanner(profile)
	for lines.Scan() { // path/file.go:10.2,12.3 2 1
		place, count, ok := strings.Cut(lines.Text(), " ")
		if place == "mode:" {
			continue
		}
		n, err := strconv.Atoi(count[strings.LastIndexByte(count, ' ')+1:])
		if err == nil && o.addMark(place, n) {
			continue
		}
		b := o.blocks[place]
		if b == nil && ok {
			b, ok = newBlock(place)
			o.blocks[place] = b
		}
		if !ok || err != nil {
			return fmt.Errorf("a line of a coverage profile that is not known: %.80q", lines.Text())
		}
		if n > 0 && !counted[place] {
			counted[place] = true
			b.runs++
			b.even += (o.runs + 1) % 2
			b.first = cmp.Or(b.first, o.runs)
		}
	}
	return lines.Err()
}

func newBlock(place string) (*block, bool) {
	colon := strings.LastIndexByte(place, ':')
	if colon < 0 {
		return nil, false
	}
	var numbers [4]int
	_, err := fmt.Sscanf(place[colon+1:], "%d.%d,%d.%d", &numbers[0], &numbers[1], &numbers[2], &numbers[3])
	at := func(line, column int) int { return line<<16 + min(column, 1<<16-1) }
	return &block{from: at(numbers[0], numbers[1]), to: at(numbers[2], numbers[3])}, err == nil
}

// functionRuns is what runs have executed of a function.
type functionRuns struct {
	first    int // run that executed it; 0: none, or a long one
	executed bool
	varies   bool
	timed    bool
}

// Functions are the functions in the source of a program, read once for all its cases.
type Functions struct {
	counted  []sourceFunction
	literals []literal
	initial  []sourceFunction // functions init, and function literals in variables

	waitsByVariable bool // var sleep = time.Sleep
}

// sourceFunction is where a function is. Its name is the name of its symbol, see Coverage.
type sourceFunction struct {
	name     string
	file     string // import path and name
	from, to int    // of its body, as in block
	waits    bool   // it, or a function literal in it, waits for a time
	asks     []int  // where it asks package time for the time, or compares times
	notes    []int  // of these places, those that only assign the time: now := time.Now()
}

// has reports whether a block is in a function.
func (f *sourceFunction) has(b *block) bool { return f.from <= b.from && b.from <= f.to }

// NewFunctions reads the source of a program. The error explains why coverage cannot show what the program executes.
func NewFunctions(sources []Source) (*Functions, error) {
	all := &Functions{}
	for _, s := range sources {
		var ofInitialisers []literal
		moved := false
		for _, name := range s.Files {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			set := token.NewFileSet()
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(s.Dir, name)
			}
			tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return nil, err
			}
			of := s.Path + "/" + filepath.Base(name)
			if what := asksFor(tree, s.AsTest); what != "" {
				return nil, fmt.Errorf("%s asks for %s", filepath.Base(name), what)
			}
			if isMoved(tree) {
				moved = true
				continue
			}
			all.counted = append(all.counted, functionsIn(tree, set, prefix(s.Path), of)...)
			all.initial = append(all.initial, initialIn(tree, set, prefix(s.Path), of)...)
			all.waitsByVariable = all.waitsByVariable || variableWaits(tree)
			for _, one := range literalsIn(tree, set, prefix(s.Path), of) {
				if one.isInitial() {
					ofInitialisers = append(ofInitialisers, one)
				} else {
					all.literals = append(all.literals, one)
				}
			}
		}
		if !moved { // a literal of another file may have any line
			all.literals = append(all.literals, ofInitialisers...)
		}
	}
	return all, nil
}

// coverage returns what the runs show of the functions of a program.
func (o *observation) coverage(program *Functions) (*Coverage, error) {
	files := o.files()
	functions := map[string]functionRuns{}
	for _, f := range program.counted {
		asked := o.asked(&f, files[f.file])
		for _, b := range files[f.file] {
			if !f.has(b) {
				continue
			}
			b.known = true
			c := functions[f.name]
			if b.first > 0 && (c.first == 0 || b.first < c.first) {
				c.first = b.first
			}
			c.executed = c.executed || b.executed()
			// Another part, or what comes after a time, may be executed later.
			timed := b.varies(o.runs) || asked && !b.executed()
			c.timed = c.timed || timed
			c.varies = c.varies || b.isRandom(o.runs) || o.mayGoOn(&f, b) || timed && !o.settled
			functions[f.name] = c
		}
	}
	for place, b := range o.blocks {
		if (b.varies(o.runs) || b.unsteady && !program.isInitial(place, b)) && !b.known {
			return nil, fmt.Errorf("its runs do not execute the same: %s", place[strings.LastIndexByte(place, '/')+1:])
		}
	}
	if !o.settled && program.waitsElsewhere() {
		return nil, errors.New("code of its tests waits, or what a variable has, and its runs with fast timers fail")
	}
	c := &Coverage{}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		switch f := functions[name]; {
		case !f.executed:
			c.Idle = append(c.Idle, name)
		case f.first > manyRuns/2:
			return nil, fmt.Errorf("its runs execute more each time: %s", name[strings.LastIndexByte(name, '/')+1:])
		case f.varies:
			c.Varying = append(c.Varying, name)
		case f.timed:
			c.Timed = append(c.Timed, name)
		}
	}
	for _, f := range program.initial {
		if !slices.Contains(c.Varying, f.name) && o.initialMayGoOn(&f, files[f.file]) {
			c.Varying = append(c.Varying, f.name)
		}
	}
	slices.Sort(c.Varying)
	c.Literals = o.idleLiterals(program.literals, c.Idle)
	if c.Recorded = o.recorded == o.runs && !o.unrecorded; c.Recorded {
		c.Followed = slices.Sorted(maps.Keys(o.types[FollowedMark]))
		c.Looked = slices.Sorted(maps.Keys(o.types[LookedMark]))
	}
	return c, nil
}

// isInitial reports whether a block is in a function init, or in a function literal in a variable.
func (all *Functions) isInitial(place string, b *block) bool {
	return slices.ContainsFunc(all.initial, func(f sourceFunction) bool {
		return strings.HasPrefix(place, f.file+":") && f.has(b)
	})
}

// initialMayGoOn reports whether an initialiser may execute more in a process that lives longer.
func (o *observation) initialMayGoOn(f *sourceFunction, blocks []*block) bool {
	asked := o.asked(f, blocks)
	return slices.ContainsFunc(blocks, func(b *block) bool {
		return f.has(b) && (o.mayGoOn(f, b) || asked && !b.executed())
	})
}

// mayGoOn reports whether a function may execute more in a process that lives longer, because one of its blocks was
// executed in one long run only, or because it waits and there are no long runs.
func (o *observation) mayGoOn(f *sourceFunction, b *block) bool {
	return b.unsteady || f.waits && !o.settled && b.executed()
}

// asked reports whether runs have executed a part of a function that asks for the time, or may have: it is in no block.
// If only long runs have executed it, to note the time is not to ask: where it is compared they have come to, or nothing
// is there to be compared.
func (o *observation) asked(f *sourceFunction, blocks []*block) bool {
	return slices.ContainsFunc(f.asks, func(at int) bool {
		executed, known := false, false
		for _, b := range blocks {
			if b.from <= at && at <= b.to {
				late := b.late && !(o.settled && slices.Contains(f.notes, at))
				known, executed = true, executed || b.runs > 0 || late
			}
		}
		return executed || !known
	})
}

// asking and waiting are functions of package time, ending are those of package context that wait, comparing are methods
// of times.
var (
	asking    = []string{"Now", "Since", "Until"}
	waiting   = []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Sleep", "Tick"}
	ending    = []string{"WithDeadline", "WithDeadlineCause", "WithTimeout", "WithTimeoutCause"}
	comparing = []string{"After", "Before", "Compare", "Sub", "Unix", "UnixMicro", "UnixMilli", "UnixNano"}
)

// waits reports whether a function of a package waits for a time, or is called at one: finalizers are after a collection.
func waits(pkg, name string) bool {
	switch pkg {
	case "time":
		return slices.Contains(waiting, name)
	case "context":
		return slices.Contains(ending, name)
	case "runtime":
		return name == "SetFinalizer" || name == "AddCleanup"
	}
	return false
}

// variableWaits reports whether a variable of a file has a function that waits.
func variableWaits(tree *ast.File) (found bool) {
	names := imports(tree)
	for _, d := range tree.Decls {
		if _, ok := d.(*ast.FuncDecl); ok {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				of, _ := s.X.(*ast.Ident)
				found = found || of != nil && waits(names[of.Name], s.Sel.Name)
			}
			_, isLiteral := n.(*ast.FuncLit)
			return !isLiteral
		})
	}
	return found
}

// imports returns the paths of the packages that waits knows and others that a file imports, by their names in it.
func imports(tree *ast.File) map[string]string {
	names := map[string]string{"context": "context", "runtime": "runtime", "time": "time"}
	for _, i := range tree.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err == nil && i.Name != nil {
			names[i.Name.Name] = path
		}
	}
	return names
}

// addTiming notes what a function has to do with the time. A selector C is the channel of a timer.
func (f *sourceFunction) addTiming(body *ast.BlockStmt, set *token.FileSet, names map[string]string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
			if call, ok := a.Rhs[0].(*ast.CallExpr); ok {
				if s, ok := call.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Now" {
					f.notes = append(f.notes, place(set, s.Sel.Pos()))
				}
			}
		}
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg := ""
		if of, ok := s.X.(*ast.Ident); ok {
			pkg = names[of.Name]
		}
		isTime := pkg == "time"
		switch name := s.Sel.Name; {
		case name == "C", waits(pkg, name):
			f.waits = true
		case isTime && slices.Contains(asking, name), !isTime && slices.Contains(comparing, name):
			f.asks = append(f.asks, place(set, s.Sel.Pos()))
		}
		return true
	})
}

// asksFor returns what a file refers to by which a program behaves in another way under coverage, "" if there is nothing.
func asksFor(tree *ast.File, asTest bool) (what string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Name == "CoverMode" || asTest && n.Name == "Testing" {
				what = n.Name
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && asTest && strings.HasPrefix(text, "test.") {
				// flag.Lookup("test.v")
				what = text
			}
		}
		return what == ""
	})
	return what
}

// isMoved reports whether a comment gives the lines of a file other numbers.
func isMoved(tree *ast.File) bool {
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// isCounted reports whether a function has a name by which it is found. Initialisers have none.
func isCounted(f *ast.FuncDecl) bool { return f.Recv != nil || f.Name.Name != initName }

// functionsIn lists the functions of a file that are counted.
func functionsIn(tree *ast.File, set *token.FileSet, pkg, file string) (list []sourceFunction) {
	names := imports(tree)
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Name.Name == "_" || !isCounted(f) {
			continue
		}
		one := sourceFunction{name: symbolOf(f, pkg), file: file, from: place(set, f.Body.Lbrace),
			to: place(set, f.Body.Rbrace)}
		one.addTiming(f.Body, set, names)
		list = append(list, one)
	}
	return list
}

// symbolOf returns the name of the symbol of a function, see Coverage.
func symbolOf(f *ast.FuncDecl, pkg string) string {
	if f.Recv != nil {
		return pkg + "." + receiver(f.Recv.List[0].Type) + "." + f.Name.Name
	}
	return pkg + "." + f.Name.Name
}

// initialIn lists the functions init of a file, and the function literals in its variables. They have the name of all
// initialisers of the package.
func initialIn(tree *ast.File, set *token.FileSet, pkg, file string) (list []sourceFunction) {
	names := imports(tree)
	add := func(body *ast.BlockStmt) {
		one := sourceFunction{name: pkg + "." + initName, file: file,
			from: place(set, body.Lbrace), to: place(set, body.Rbrace)}
		one.addTiming(body, set, names)
		list = append(list, one)
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			if f.Body != nil && !isCounted(f) {
				add(f.Body)
			}
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			f, ok := n.(*ast.FuncLit)
			if ok {
				add(f.Body)
			}
			return !ok
		})
	}
	return list
}

func place(set *token.FileSet, at token.Pos) int {
	p := set.PositionFor(at, false)
	return p.Line<<16 + min(p.Column, 1<<16-1)
}

// receiver returns the name of the type of which a function is a method.
func receiver(of ast.Expr) string {
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.ParenExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}
