package reach

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// modules are public modules with 200 benchmarks together, whose code is changed by the proof.
var modules = []string{"github.com/valyala/fastjson@v1.6.4", "go.uber.org/zap@v1.27.0", "github.com/valyala/fasthttp@v1.58.0", "github.com/pelletier/go-toml/v2@v2.2.3"}

// TestProofOfReach checks with modules of others that each function that a benchmark executes, as coverage
// shows, is within its reach, and that a change of a function affects each benchmark that executes it, by reach and by execution
// (SUITE_PROOF=reach; SUITE_PROOF_RUNS changes in each module). A function of which nothing is left in the functions
// that call it is within reach if a change of it affects the benchmark.
func TestProofOfReach(t *testing.T) {
	if !slices.Contains(strings.Split(os.Getenv("SUITE_PROOF"), ","), "reach") {
		t.Skip("set SUITE_PROOF=reach")
	}
	plants := 50
	if n, err := strconv.Atoi(os.Getenv("SUITE_PROOF_RUNS")); err == nil {
		plants = n
	}
	for _, module := range modules {
		t.Run(strings.ReplaceAll(module, "/", " "), func(t *testing.T) {
			p, sum := newProof(t, module), tally{}
			covered, base := p.covered(), p.archives()
			folded := map[string]bool{}
			for pkg, byBenchmark := range covered {
				for name, functions := range byBenchmark {
					reached := p.reached(base[pkg], name)
					sum.benchmarks++
					sum.executed += len(functions)
					for function := range functions {
						folded[function] = folded[function] || !reached[function]
					}
				}
			}
			sum.varying = p.varying
			random := rand.New(rand.NewPCG(7, 7))
			all := p.functions()
			for range plants {
				sum.add(p.change(all[random.IntN(len(all))], covered, base))
			}
			for _, f := range all {
				if folded[f.name] {
					sum.folded++
					sum.add(p.change(f, covered, base))
				}
			}
			t.Logf("%+v", sum)
		})
	}
}

// tally counts what was tried.
type tally struct {
	benchmarks, varying, executed, folded            int // folded are functions of which nothing is left
	changes, decisions, affected, executing, changed int // executing are affected by execution; changed are decisions about a benchmark that executes the change
}

func (s *tally) add(more tally) {
	s.changes += more.changes
	s.decisions += more.decisions
	s.affected += more.affected
	s.executing += more.executing
	s.changed += more.changed
}

// change makes a function slower, and reports each benchmark that executes it and that is not affected.
func (p *proof) change(f function, covered map[string]map[string]map[string]bool, base map[string][]Archive) (sum tally) {
	undo := p.plant(f)
	here, err := p.list()
	undo()
	if err != nil {
		p.Logf("a change of %s does not compile", f.name)
		return sum
	}
	sum.changes = 1
	for pkg, byBenchmark := range covered {
		c, err := New(base[pkg], here[pkg])
		if err != nil {
			p.Fatal(err)
		}
		c.Linked(p.linked[pkg], p.linked[pkg]) // a loop calls nothing
		for name, functions := range byBenchmark {
			d, err := c.Benchmark(name)
			if err != nil {
				p.Fatal(err)
			}
			sum.decisions++
			if d != nil {
				sum.affected++
			}
			way, err := c.Executing(name, p.coverage[pkg+" "+name])
			if way != nil || err != nil {
				sum.executing++
			}
			if functions[f.name] {
				if sum.changed++; d == nil {
					p.Errorf("%s: %s executes %s, and cannot reach its change", pkg, name, f.name)
				}
				if way == nil && err == nil {
					p.Errorf("%s: %s executes %s, and counts as if it had not executed its change", pkg, name, f.name)
				}
			}
		}
	}
	return sum
}

type proof struct {
	*testing.T
	dir      string
	module   string
	coverage map[string]*Coverage // by package and benchmark
	linked   map[string]string    // the test binary of a package
	varying  int                  // benchmarks of which two runs have not executed the same
}

type function struct {
	name string // path.Type.Method, path.Function
	file string
	body int // offset of the first byte in its body
	pkg  string
}

func newProof(t *testing.T, module string) *proof {
	t.Helper()
	text, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		t.Fatal(module, err)
	}
	var found struct{ Dir, Path string }
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatal(err)
	}
	p := &proof{T: t, dir: t.TempDir(), module: found.Path, coverage: map[string]*Coverage{}, linked: map[string]string{}}
	if err := os.CopyFS(p.dir, os.DirFS(found.Dir)); err != nil {
		t.Fatal(err)
	}
	_ = filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error { return os.Chmod(path, 0o755) })
	return p
}

func (p *proof) goes(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = p.dir
	out, err := cmd.Output()
	return string(out), err
}

// list lists the archives of all test binaries, by import path.
func (p *proof) list() (map[string][]Archive, error) {
	out, err := p.goes("list", "-deps", "-test", "-export", "-trimpath", "-buildvcs=false", "-json=ImportPath,Export,BuildID,Standard,Deps", "./...")
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Export, BuildID string
		Standard                    bool
		Deps                        []string
	}
	all := map[string]listed{}
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var l listed
		if err := d.Decode(&l); err != nil {
			return nil, err
		}
		all[l.ImportPath] = l
	}
	plain := func(text string) string { text, _, _ = strings.Cut(text, " ["); return text }
	lists := map[string][]Archive{}
	for name, main := range all {
		pkg, isTest := strings.CutSuffix(name, ".test")
		if !isTest {
			continue
		}
		for _, path := range append(slices.Clone(main.Deps), name) {
			l := all[path]
			if l.Export == "" {
				continue
			}
			a := Archive{Path: plain(path), File: l.Export, Standard: l.Standard, Content: l.BuildID[strings.LastIndexByte(l.BuildID, '/')+1:]}
			if path == name {
				a.Path = MainPackage
			}
			for _, need := range l.Deps {
				if need != "unsafe" {
					a.Needs = append(a.Needs, plain(need))
				}
			}
			lists[pkg] = append(lists[pkg], a)
		}
	}
	return lists, nil
}

func (p *proof) archives() map[string][]Archive {
	p.Helper()
	all, err := p.list()
	if err != nil {
		p.Fatal(err)
	}
	return all
}

// laterRuns is how many runs show what a benchmark executes, after those that its coverage rests on.
const laterRuns = 20

// covered returns the functions of the module that each benchmark executes, by package and benchmark.
func (p *proof) covered() map[string]map[string]map[string]bool {
	p.Helper()
	out, err := p.goes("list", "-f", "{{.ImportPath}}\t{{.Dir}}", "./...")
	if err != nil {
		p.Fatal(err)
	}
	all := map[string]map[string]map[string]bool{}
	declared := p.declared()
	source, err := NewFunctions(p.sources())
	if err != nil {
		p.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		pkg, dir, _ := strings.Cut(line, "\t")
		program := filepath.Join(p.TempDir(), "covered.test")
		if _, err := p.goes("test", "-c", "-cover", "-coverpkg=./...", "-vet=off", "-o", program, pkg); err != nil {
			p.Logf("%s has no tests that compile", pkg)
			continue
		}
		p.linked[pkg] = filepath.Join(p.TempDir(), "linked.test")
		if _, err := p.goes("test", "-c", "-trimpath", "-vet=off", "-o", p.linked[pkg], pkg); err != nil {
			p.Fatal(pkg, err)
		}
		list := exec.Command(program, "-test.list", "^Benchmark")
		list.Dir = dir
		names, _ := list.Output()
		for _, name := range strings.Fields(string(names)) {
			if !strings.HasPrefix(name, "Benchmark") {
				continue
			}
			profile := filepath.Join(p.TempDir(), "profile")
			run := func() error {
				cmd := exec.Command(program, "-test.run=^$", "-test.bench=^"+name+"$", "-test.benchtime=20x", "-test.timeout=60s", "-test.coverprofile="+profile)
				cmd.Dir = dir
				if text, err := cmd.CombinedOutput(); err != nil {
					return fmt.Errorf("%w: %.200s", err, text)
				}
				return nil
			}
			coverage, err := Observe(source, func(bool) (io.ReadCloser, error) {
				if err := run(); err != nil {
					return nil, err
				}
				file, err := os.Open(profile)
				return file, err
			})
			functions := map[string]bool{}
			for range laterRuns {
				if err = cmp.Or(err, run()); err == nil {
					maps.Copy(functions, declared.executed(p, profile))
				}
			}
			if err != nil {
				p.Logf("%s: %v", name, err)
				continue
			}
			if all[pkg] == nil {
				all[pkg] = map[string]map[string]bool{}
			}
			all[pkg][name], p.coverage[pkg+" "+name] = functions, coverage
			if len(coverage.Varying) > 0 {
				p.varying++
			}
		}
	}
	return all
}

// sources lists the source of the packages of the module.
func (p *proof) sources() (all []Source) {
	out, err := p.goes("list", "-json=ImportPath,Dir,GoFiles", "./...")
	if err != nil {
		p.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var l struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := d.Decode(&l); err != nil {
			p.Fatal(err)
		}
		all = append(all, Source{Path: l.ImportPath, Dir: l.Dir, Files: l.GoFiles})
	}
	return all
}

// declarations are the functions of a module, by file (import path and name).
type declarations map[string][]declaration

type declaration struct {
	function
	from, to int // lines of the body
}

var generic = regexp.MustCompile(`\[.*\]`)

func (p *proof) declared() declarations {
	p.Helper()
	all := declarations{}
	_ = filepath.WalkDir(p.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(p.dir, filepath.Dir(file))
		pkg := path.Join(p.module, filepath.ToSlash(rel))
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || f.Name.Name == "init" || f.Name.Name == "_" {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				receiver := f.Recv.List[0].Type
				if star, ok := receiver.(*ast.StarExpr); ok {
					receiver = star.X
				}
				switch r := receiver.(type) {
				case *ast.IndexExpr:
					receiver = r.X
				case *ast.IndexListExpr:
					receiver = r.X
				}
				name = receiver.(*ast.Ident).Name + "." + name
			}
			key := pkg + "/" + filepath.Base(file)
			all[key] = append(all[key], declaration{function{name: pkg + "." + name, file: file, body: set.Position(f.Body.Lbrace).Offset + 1, pkg: pkg},
				set.Position(f.Body.Lbrace).Line, set.Position(f.Body.Rbrace).Line})
		}
		return nil
	})
	return all
}

// executed returns the functions with a block that was executed.
func (d declarations) executed(p *proof, profile string) map[string]bool {
	file, err := os.Open(profile)
	if err != nil {
		p.Fatal(err)
	}
	defer file.Close()
	functions := map[string]bool{}
	for s := bufio.NewScanner(file); s.Scan(); { // path/file.go:10.2,12.3 2 1
		name, rest, ok := strings.Cut(s.Text(), ":")
		if !ok || strings.HasSuffix(s.Text(), " 0") || name == "mode" {
			continue
		}
		var from int
		if _, err := fmt.Sscanf(rest, "%d.", &from); err != nil {
			p.Fatal(err)
		}
		for _, one := range d[name] {
			if one.from <= from && from <= one.to {
				functions[one.name] = true
			}
		}
	}
	return functions
}

// functions lists the functions that can be changed, outside of tests, in alphabetical order.
func (p *proof) functions() (list []function) {
	for _, all := range p.declared() {
		for _, one := range all {
			if !strings.HasSuffix(one.file, "_test.go") {
				list = append(list, one.function)
			}
		}
	}
	slices.SortFunc(list, func(a, b function) int { return strings.Compare(a.name+a.file, b.name+b.file) })
	return list
}

// plant makes a function slower, and returns what undoes that.
func (p *proof) plant(f function) (undo func()) {
	text, err := os.ReadFile(f.file)
	if err != nil {
		p.Fatal(err)
	}
	const loop = " for plantedLoop := 0; plantedLoop < 1000; plantedLoop++ { if plantedLoop > 2000 { panic(plantedLoop) } };"
	changed := string(text[:f.body]) + loop + string(text[f.body:])
	if err := os.WriteFile(f.file, []byte(changed), 0o666); err != nil {
		p.Fatal(err)
	}
	later := time.Now()
	_ = os.Chtimes(f.file, later, later)
	return func() {
		if err := os.WriteFile(f.file, text, 0o666); err != nil {
			p.Fatal(err)
		}
	}
}

// reached returns the functions within reach of a benchmark, and those that are inlined in them.
func (p *proof) reached(archives []Archive, benchmark string) map[string]bool {
	whole := map[string]bool{}
	for _, a := range archives {
		whole[a.Path] = a.Path != MainPackage && !strings.HasPrefix(a.Path, p.module)
	}
	one, _, err := load(archives, whole)
	if err != nil {
		p.Fatal(err)
	}
	c := &Comparison{base: one, here: one, partner: make([]int32, one.symbols), reverse: make([]int32, one.symbols), walked: make([]bool, one.symbols)}
	listed := one.benchmarks()
	c.benchmarks = [2]map[string][]symbol{listed, listed}
	w := &walk{Comparison: c}
	if d := w.roots(benchmark); d != nil {
		p.Fatal(d)
	}
	if d := w.run(); d != nil {
		p.Fatalf("%s differs from itself: %v", benchmark, d)
	}
	names := map[string]bool{}
	for _, s := range w.steps {
		if s.base.isFunc() {
			names[plainName(s.base.label())] = true
			for _, inlined := range s.base.inlined() {
				names[plainName(one.nameOf(s.base.object, inlined.function))] = true
			}
		}
	}
	return names
}

// plainName returns path.Type.Method for the name of a function, a closure or an instance.
func plainName(text string) string {
	folder := ""
	text = generic.ReplaceAllString(text, "")
	if slash := strings.LastIndexByte(text, '/'); slash >= 0 {
		folder, text = text[:slash+1], text[slash+1:]
	}
	pkg, rest, _ := strings.Cut(text, ".")
	rest = strings.NewReplacer("(*", "", ")", "").Replace(rest)
	if closure := closures().FindStringIndex("." + rest); closure != nil {
		rest = rest[:max(0, closure[0]-1)]
	}
	pkg = strings.TrimSuffix(strings.ReplaceAll(pkg, "%2e", "."), "_test")
	return folder + pkg + "." + rest
}
