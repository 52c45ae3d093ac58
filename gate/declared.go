package gate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"example.com/suite/result"
)

// Declared are the metrics that the cases of a suite declare, by case.
type Declared map[string][]result.Declared

// names lists the metrics that any case declares, each once, ascending.
func (d Declared) names() (names []string) {
	for _, list := range d {
		for _, m := range list {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// find returns the metric that the case called of declares, else the metric of the first other
// case, in ascending order, that declares one of the name.
func (d Declared) find(name, of string) (m result.Declared, ok bool) {
	for _, in := range append([]string{of}, slices.Sorted(maps.Keys(d))...) {
		if i := slices.IndexFunc(d[in], func(m result.Declared) bool { return m.Name == name }); i >= 0 {
			return d[in][i], true
		}
	}
	return m, false
}

func (d Declared) has(name, of string) bool {
	return slices.ContainsFunc(d[of], func(m result.Declared) bool { return m.Name == name })
}

// owners lists the cases that declare a metric, ascending.
func (d Declared) owners(name string) (cases []string) {
	for _, of := range slices.Sorted(maps.Keys(d)) {
		if d.has(name, of) {
			cases = append(cases, of)
		}
	}
	return cases
}

// hintOfOwner returns a hint for a name that only other cases declare, "" if no case does.
func (d Declared) hintOfOwner(name string) string {
	if cases := d.owners(name); cases != nil {
		return fmt.Sprintf("another case declares it: case(%q).%s.median", cases[0], name)
	}
	return ""
}

// fieldsOf makes one struct field for each name, D0, D1 and so on, tagged with it.
func fieldsOf(names []string) (fields []reflect.StructField) {
	for i, name := range names {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("D", i),
			Type: reflect.TypeFor[Metric](),
			Tag:  tag(name),
		})
	}
	return fields
}

// caseType is the type of case("…"): Metrics, and a field for each metric that any
// case declares.
func (d Declared) caseType() reflect.Type {
	if len(d) == 0 {
		return reflect.TypeFor[Metrics]()
	}
	embedded := reflect.StructField{Name: "Metrics", Type: reflect.TypeFor[Metrics](), Anonymous: true}
	return reflect.StructOf(append([]reflect.StructField{embedded}, fieldsOf(d.names())...))
}

var errorType = reflect.TypeFor[error]()

func (d Declared) lookupType() reflect.Type {
	return reflect.FuncOf([]reflect.Type{reflect.TypeFor[string]()},
		[]reflect.Type{reflect.PointerTo(d.caseType()), errorType}, false)
}

// lookup makes the function case, which calls find for the case.
func (d Declared) lookup(find func(name string) (numbers, error)) reflect.Value {
	t := d.caseType()
	return reflect.MakeFunc(d.lookupType(), func(args []reflect.Value) []reflect.Value {
		n, err := find(args[0].String())
		if err != nil {
			return []reflect.Value{reflect.Zero(reflect.PointerTo(t)), reflect.ValueOf(&err).Elem()}
		}
		v := reflect.New(t)
		d.fill(v.Elem(), n)
		return []reflect.Value{v, reflect.Zero(errorType)}
	})
}

// fill sets a value of caseType to the numbers of a case.
func (d Declared) fill(v reflect.Value, n numbers) {
	if len(d) == 0 {
		v.Set(reflect.ValueOf(*n.Metrics))
		return
	}
	v.Field(0).Set(reflect.ValueOf(*n.Metrics))
	fillDeclared(v, 1, d.names(), n.of)
}

// fillDeclared sets the fields from an index on to the summaries of a case, and to NaN
// if it has none.
func fillDeclared(v reflect.Value, from int, names []string, c *result.Case) {
	for i, name := range names {
		field := v.Field(from + i)
		if setNaN(field); c.Summary(name) != nil {
			field.Set(reflect.ValueOf(metricOf(c.Summary(name))))
		}
		field.Addr().Interface().(*Metric).name = name
	}
}

func namesOf(list []result.Declared) (names []string) {
	for _, m := range list {
		names = append(names, m.Name)
	}
	return names
}
