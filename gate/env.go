package gate

import (
	"fmt"
	"reflect"
	"strings"

	"example.com/suite/result"
)

// params are the parameters of a case as fields of a struct type, so that the
// compiler finds a misspelt one before anything runs.
type params struct {
	list      []result.Param
	signature string   // names and types; sources with equal ones can share a rule
	own       []string // names of the metrics that the case declares
	all       Declared
	functions Functions
}

func newParams(s Source, functions Functions) params {
	var b strings.Builder
	for _, p := range s.Params {
		fmt.Fprintf(&b, "%q %t ", p.Name, p.Number != nil)
	}
	return params{s.Params, b.String(), namesOf(s.Declared[s.Case]), s.Declared, functions}
}

// envType is the type of the environment of expressions: the metrics, the functions, and what
// differs from suite to suite.
func (p params) envType() reflect.Type {
	params := make([]reflect.StructField, len(p.list))
	for i, param := range p.list {
		params[i] = reflect.StructField{Name: fmt.Sprint("P", i), Type: reflect.TypeFor[string](), Tag: tag(param.Name)}
		if param.Number != nil {
			params[i].Type = reflect.TypeFor[float64]()
		}
	}
	fields := []reflect.StructField{{Name: "Metrics", Type: reflect.TypeFor[Metrics](), Anonymous: true}}
	for i, f := range p.functions {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: f.Type, Tag: tag(f.Name)})
	}
	fields = append(fields,
		reflect.StructField{Name: "Percentiles", Type: reflect.TypeFor[Percentiles](), Anonymous: true},
		reflect.StructField{Name: "Host", Type: reflect.TypeFor[Host](), Tag: tag("host")},
		reflect.StructField{Name: "Params", Type: reflect.StructOf(params), Tag: tag("params")},
		reflect.StructField{Name: "Case", Type: p.all.lookupType(), Tag: tag("case")},
		reflect.StructField{Name: "Base", Type: p.all.caseType(), Tag: tag("base")})
	return reflect.StructOf(append(fields, fieldsOf(p.own)...))
}

func tag(name string) reflect.StructTag { return reflect.StructTag(fmt.Sprintf("expr:%q", name)) }

// inputs are what an environment is made from.
type inputs struct {
	own       numbers
	base      numbers // of which all are NaN if the base was not measured
	host      Host
	functions []any // in the order of the table; nil for those that are never called
	find      func(name string) (numbers, error)
}

// env makes a new environment of type t.
func (p params) env(t reflect.Type, in inputs) any {
	env := reflect.New(t)
	v := env.Elem()
	v.Field(0).Set(reflect.ValueOf(*in.own.Metrics))
	for i, f := range in.functions {
		if f != nil {
			v.Field(1 + i).Set(reflect.ValueOf(f))
		}
	}
	at := 1 + len(p.functions)
	v.Field(at).Set(reflect.ValueOf(percentilesOf(in.own.Metrics)))
	v.Field(at + 1).Set(reflect.ValueOf(in.host))
	for i, param := range p.list {
		field := v.Field(at + 2).Field(i)
		if param.Number != nil {
			field.SetFloat(*param.Number)
		} else {
			field.SetString(param.Text)
		}
	}
	v.Field(at + 3).Set(p.all.lookup(in.find))
	p.all.fill(v.Field(at+4), in.base)
	fillDeclared(v, at+5, p.own, in.own.of)
	return env.Interface()
}

// Percentiles contains the percentiles of all iterations of a case, in seconds; NaN if they
// are not known.
type Percentiles struct {
	P50  float64 `expr:"latency$p50"`
	P90  float64 `expr:"latency$p90"`
	P99  float64 `expr:"latency$p99"`
	P999 float64 `expr:"latency$p999"`
	Max  float64 `expr:"latency$max"`
}

// percentilesOf are the percentiles of a case.
func percentilesOf(m *Metrics) Percentiles {
	return Percentiles{m.LatencyP50.Median, m.LatencyP90.Median, m.LatencyP99.Median, m.LatencyP999.Median,
		m.LatencyMax.Median}
}
