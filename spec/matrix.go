package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
)

// paramReader reads the parameters of a benchmark.
type paramReader struct {
	*yaml.Reader
	*parameters
	given map[string]bool // declared so far
}

// key reads one of paramKeys.
func (r *paramReader) key(p yaml.Pair) {
	switch p.Name {
	case "matrix":
		for _, param := range r.pairs(p.Value, "matrix") {
			r.axes = append(r.axes, axis{[]string{param.Name}, r.column(param)})
		}
	case "zip":
		r.zip(p.Value)
	case "include":
		r.include(p.Value)
	case "exclude":
		r.exclude(p.Value)
	case "params":
		for _, param := range r.pairs(p.Value, "params") {
			r.constants = append(r.constants, Param{param.Name, r.value(param.Value)})
		}
	}
}

// pairs reads a mapping whose keys are names of parameters.
func (r *paramReader) pairs(n yaml.Node, what string) []yaml.Pair {
	if !r.IsA(n, yaml.Mapping, diag.Quote(what), "a mapping of parameters") {
		return nil
	}
	pairs := r.Pairs(n, "in "+diag.Quote(what))
	if len(n.Content) == 0 {
		example := "{size: 64}"
		if what == "matrix" || what == "zip" {
			example = "{size: [64, 1KiB]}"
		}
		r.Fail(n, "write it like "+example, "%q names no parameters", what)
	}
	for _, p := range pairs {
		switch _, again := r.given[p.Name]; {
		case again && declares(what):
			r.FailAs(diag.Duplicate, p.Key, "", "parameter %s is given twice", diag.Quote(p.Name))
		case slices.Contains(reservedNames, p.Name):
			r.Fail(p.Key, "choose another name",
				"a parameter cannot be called %s: expressions use the word themselves", diag.Quote(p.Name))
		case !variablePattern().MatchString(p.Name):
			r.Fail(p.Key, "write letters, digits and _, a letter first",
				"%s is not a name for a parameter", diag.Quote(p.Name))
		}
		r.declare(p.Name, what)
	}
	return pairs
}

// declares reports whether a key introduces parameters. include and exclude use parameters that other
// keys introduce.
func declares(what string) bool { return what == "matrix" || what == "zip" || what == "params" }

func (r *paramReader) declare(name, what string) {
	if !declares(what) {
		return
	}
	if r.given == nil {
		r.given = map[string]bool{}
	}
	r.given[name] = true
}

// The values of a parameter are the items of a list, or a series such as 1..5.
func (r *paramReader) column(p yaml.Pair) [][]lang.Value {
	if p.Value.Kind == yaml.Scalar && lang.IsSeries(p.Value.Value) {
		return r.series(p.Value)
	}
	var rows [][]lang.Value
	const wanted = "a list of values, or a series such as 1..5 or 1..1000*10"
	for _, item := range r.List(p.Value, "parameter "+diag.Quote(p.Name), wanted) {
		rows = append(rows, []lang.Value{r.value(item)})
	}
	return rows
}

func (r *paramReader) series(n yaml.Node) (rows [][]lang.Value) {
	values, err := lang.Series(n.Value, maxCases)
	if err != nil {
		r.Fail(n, "", "%v", err)
	}
	for _, text := range values {
		tag := "!!str"
		if _, err := lang.ParseNumber(text); err == nil {
			tag = "!!float"
		}
		rows = append(rows, []lang.Value{lang.ParameterValue(text, tag)})
	}
	return rows
}

// value reads one value as it is written: ${…} has no meaning in it.
func (r *paramReader) value(n yaml.Node) lang.Value {
	if !r.IsA(n, yaml.Scalar, "a value of a parameter", "one value") {
		return lang.Value{}
	}
	if strings.Contains(n.Value, "${") {
		r.Fail(n, "use ${…} where the parameter is used", "${…} is not expanded in the values of parameters")
	}
	v := lang.ParameterValue(n.Value, n.ShortTag())
	if n.ShortTag() == "!!float" && v.Kind != lang.Number {
		r.Fail(n, "", "%s is not a finite number", diag.Quote(n.Value))
	}
	return v
}

// zip makes one axis of several lists of the same length.
func (r *paramReader) zip(n yaml.Node) {
	var all axis
	for i, p := range r.pairs(n, "zip") {
		column := r.column(p)
		if i > 0 && len(column) != len(all.rows) {
			r.Fail(p.Value, "", "%s has %d values and %s has %d: those of zip advance together",
				diag.Quote(p.Name), len(column), diag.Quote(all.names[0]), len(all.rows))
		}
		all.names = append(all.names, p.Name)
		for j, value := range column {
			if i == 0 {
				all.rows = append(all.rows, value)
			} else if j < len(all.rows) {
				all.rows[j] = append(all.rows[j], value...)
			}
		}
	}
	if len(all.names) > 0 {
		r.axes = append(r.axes, all)
	}
}

// include reads the combinations that are added to the product. Without matrix and zip,
// the first one defines the parameters.
func (r *paramReader) include(n yaml.Node) {
	fresh := len(r.axes) == 0
	for _, item := range r.List(n, `"include"`, "a list of mappings") {
		pairs := r.pairs(item, "include")
		if fresh && len(pairs) > 0 {
			r.axes, fresh = []axis{{names: names(pairs)}}, false
		}
		row := make([]lang.Value, len(r.varying()))
		missing := r.varying()
		for _, p := range pairs {
			i := slices.Index(r.varying(), p.Name)
			if i < 0 {
				r.unknownParam(p, "include")
				missing = nil
				continue
			}
			row[i] = r.value(p.Value)
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == p.Name })
		}
		if len(missing) > 0 && len(pairs) > 0 {
			r.Fail(item, "every combination has all parameters", "no value for %s", diag.Quote(missing[0]))
		}
		r.included = append(r.included, row)
	}
}

func names(pairs []yaml.Pair) (names []string) {
	for _, p := range pairs {
		names = append(names, p.Name)
	}
	return names
}

func (r *paramReader) unknownParam(p yaml.Pair, what string) {
	hint := "add it to matrix:"
	if near, ok := diag.Nearest(p.Name, r.varying()); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.FailAs(diag.UnknownName, p.Key, hint,
		"%q names %s, which is no parameter of matrix or zip", what, diag.Quote(p.Name))
}

func (r *paramReader) exclude(n yaml.Node) {
	for _, item := range r.List(n, `"exclude"`, "a list of mappings") {
		x := exclusion{map[string]lang.Value{}, item.Place()}
		for _, p := range r.pairs(item, "exclude") {
			if !slices.Contains(r.varying(), p.Name) {
				r.unknownParam(p, "exclude")
				continue
			}
			x.values[p.Name] = r.value(p.Value)
		}
		r.excluded = append(r.excluded, x)
	}
}
