package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"gopkg.in/yaml.v3"
)

// maxCases bounds a plan: at a second each, these take a day.
const maxCases = 100_000

// axis is one dimension of the product: a parameter of matrix, or all of zip,
// whose parameters advance together.
type axis struct {
	names []string
	rows  [][]lang.Value
}

// exclusion removes every combination that has all of its values.
type exclusion struct {
	values map[string]lang.Value
	place  diag.Place
}

// words that expressions use themselves.
var reservedNames = []string{"env", "suite", "true", "false", "nil", "not", "and", "or", "in", "let", "if", "else",
	"matches", "contains", "startsWith", "endsWith"}

func (r *benchReader) params(e entry) {
	switch e.name {
	case "matrix":
		for _, p := range r.parameters(e.value, "matrix") {
			r.b.axes = append(r.b.axes, axis{[]string{p.name}, r.column(p)})
		}
	case "zip":
		r.zip(e.value)
	case "include":
		r.included(e.value)
	case "exclude":
		r.excluded(e.value)
	case "params":
		for _, p := range r.parameters(e.value, "params") {
			r.b.constants = append(r.b.constants, Param{p.name, r.parameter(p.value)})
		}
	}
}

// parameters lists a mapping whose keys are names of parameters.
func (r *benchReader) parameters(n node, what string) []pair {
	if !r.isA(n, yaml.MappingNode, quote(what), "a mapping of parameters") {
		return nil
	}
	pairs := r.pairs(n, "in "+quote(what))
	if len(n.Content) == 0 {
		r.fail(n, "write it like "+map[bool]string{true: "{size: [64, 1KiB]}", false: "{size: 64}"}[what == "matrix" || what == "zip"], "%q names no parameters", what)
	}
	for _, p := range pairs {
		switch _, again := r.given[p.name]; {
		case again && declares(what):
			r.fail(p.key, "", "parameter %s is given twice", quote(p.name))
		case slices.Contains(reservedNames, p.name):
			r.fail(p.key, "choose another name", "a parameter cannot be called %s: expressions use the word themselves", quote(p.name))
		case !variablePattern().MatchString(p.name):
			r.fail(p.key, "write letters, digits and _, a letter first", "%s is not a name for a parameter", quote(p.name))
		}
		r.declare(p.name, what)
	}
	return pairs
}

// declares says that a key makes parameters; include and exclude speak of them.
func declares(what string) bool { return what == "matrix" || what == "zip" || what == "params" }

func (r *benchReader) declare(name, what string) {
	if !declares(what) {
		return
	}
	if r.given == nil {
		r.given = map[string]bool{}
	}
	r.given[name] = true
}

func (r *benchReader) column(p pair) [][]lang.Value {
	var rows [][]lang.Value
	for _, item := range r.list(p.value, "parameter "+quote(p.name), "a list of values") {
		rows = append(rows, []lang.Value{r.parameter(item)})
	}
	return rows
}

// parameter reads one value. It is taken as it stands: ${…} has no meaning here.
func (r *benchReader) parameter(n node) lang.Value {
	if !r.isA(n, scalar, "a value of a parameter", "one value") {
		return lang.Value{}
	}
	if strings.Contains(n.Value, "${") {
		r.fail(n, "use ${…} where the parameter is used", "${…} is not expanded in the values of parameters")
	}
	v := lang.ParameterValue(n.Value, n.ShortTag())
	if n.ShortTag() == "!!float" && v.Kind != lang.Number {
		r.fail(n, "", "%s is not a finite number", quote(n.Value))
	}
	return v
}

// zip makes one axis of several lists of one length.
func (r *benchReader) zip(n node) {
	var all axis
	for i, p := range r.parameters(n, "zip") {
		column := r.column(p)
		if i > 0 && len(column) != len(all.rows) {
			r.fail(p.value, "", "%s has %d values and %s has %d: those of zip advance together",
				quote(p.name), len(column), quote(all.names[0]), len(all.rows))
		}
		all.names = append(all.names, p.name)
		for j, value := range column {
			if i == 0 {
				all.rows = append(all.rows, value)
			} else if j < len(all.rows) {
				all.rows[j] = append(all.rows[j], value...)
			}
		}
	}
	if len(all.names) > 0 {
		r.b.axes = append(r.b.axes, all)
	}
}

// varying are the names of the parameters that differ from case to case.
func (b *benchmark) varying() (names []string) {
	for _, a := range b.axes {
		names = append(names, a.names...)
	}
	return names
}

// included reads combinations that are added to the product. Without a matrix
// the first one says which parameters there are.
func (r *benchReader) included(n node) {
	fresh := len(r.b.axes) == 0
	for _, item := range r.list(n, `"include"`, "a list of mappings") {
		pairs := r.parameters(item, "include")
		if fresh && len(pairs) > 0 {
			r.b.axes, fresh = []axis{{names: names(pairs)}}, false
		}
		row := make([]lang.Value, len(r.b.varying()))
		missing := r.b.varying()
		for _, p := range pairs {
			i := slices.Index(r.b.varying(), p.name)
			if i < 0 {
				r.unknownParam(p, "include")
				missing = nil
				continue
			}
			row[i] = r.parameter(p.value)
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == p.name })
		}
		if len(missing) > 0 && len(pairs) > 0 {
			r.fail(item, "every combination has all parameters", "no value for %s", quote(missing[0]))
		}
		r.b.included = append(r.b.included, row)
	}
}

func names(pairs []pair) (names []string) {
	for _, p := range pairs {
		names = append(names, p.name)
	}
	return names
}

func (r *benchReader) unknownParam(p pair, what string) {
	hint := "add it to matrix:"
	if near, ok := diag.Nearest(p.name, r.b.varying()); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.fail(p.key, hint, "%q names %s, which is no parameter of matrix or zip", what, quote(p.name))
}

func (r *benchReader) excluded(n node) {
	for _, item := range r.list(n, `"exclude"`, "a list of mappings") {
		x := exclusion{map[string]lang.Value{}, item.place()}
		for _, p := range r.parameters(item, "exclude") {
			if !slices.Contains(r.b.varying(), p.name) {
				r.unknownParam(p, "exclude")
				continue
			}
			x.values[p.name] = r.parameter(p.value)
		}
		r.b.excluded = append(r.b.excluded, x)
	}
}
