package gate

import (
	"fmt"
	"reflect"
	"strings"

	"example.com/suite/result"
)

// Env contains the names that all expressions share. envType adds case, base,
// parameters and declared metrics, because their types differ from suite to suite.
type Env struct {
	Metrics
	Versus
	Percentiles
	Host Host `expr:"host"`
}

// params are the parameters of a case as fields of a struct type, so that the
// compiler finds a misspelt one before anything runs.
type params struct {
	list      []result.Param
	signature string   // names and types; sources with equal ones can share a rule
	own       []string // names of the metrics that the case declares
	all       Declared
}

func newParams(s Source) params {
	var b strings.Builder
	for _, p := range s.Params {
		fmt.Fprintf(&b, "%q %t ", p.Name, p.Number != nil)
	}
	return params{s.Params, b.String(), namesOf(s.Declared[s.Case]), s.Declared}
}

// envType is the type of Env with further fields for params, case, base and declared
// metrics.
func (p params) envType() reflect.Type {
	fields := make([]reflect.StructField, len(p.list))
	for i, param := range p.list {
		fields[i] = reflect.StructField{Name: fmt.Sprint("P", i), Type: reflect.TypeFor[string](), Tag: tag(param.Name)}
		if param.Number != nil {
			fields[i].Type = reflect.TypeFor[float64]()
		}
	}
	return reflect.StructOf(append([]reflect.StructField{
		{Name: "Env", Type: reflect.TypeFor[Env](), Anonymous: true},
		{Name: "Params", Type: reflect.StructOf(fields), Tag: tag("params")},
		{Name: "Case", Type: p.all.lookupType(), Tag: tag("case")},
		{Name: "Base", Type: p.all.caseType(), Tag: tag("base")},
	}, fieldsOf(p.own)...))
}

func tag(name string) reflect.StructTag { return reflect.StructTag(fmt.Sprintf("expr:%q", name)) }

// env makes a new environment of type t with the values of a case. find looks up
// other cases.
func (p params) env(t reflect.Type, e *Env, c *result.Case, base numbers, find func(string) (numbers, error)) any {
	v := reflect.New(t)
	e.Percentiles = percentilesOf(&e.Metrics)
	v.Elem().Field(0).Set(reflect.ValueOf(e).Elem())
	v.Elem().Field(2).Set(p.all.lookup(find))
	p.all.fill(v.Elem().Field(3), base)
	fillDeclared(v.Elem(), 4, p.own, c)
	for i, param := range p.list {
		field := v.Elem().Field(1).Field(i)
		if param.Number != nil {
			field.SetFloat(*param.Number)
		} else {
			field.SetString(param.Text)
		}
	}
	return v.Interface()
}

// Versus contains the functions of expressions, most of which compare the case with its
// base.
type Versus struct {
	Worse  func(m Metric, tolerance float64) bool `expr:"worse"`
	Better func(m Metric, tolerance float64) bool `expr:"better"`
	Ratio  func(m Metric) (float64, error)        `expr:"ratio"`
	CI     func(m Metric) (*Interval, error)      `expr:"ci"`

	Geomean func(metric string) (float64, error)     `expr:"geomean"`
	Order   func(m Metric) (string, error)           `expr:"order"`
	Trend   func(Metric, ...float64) (*Trend, error) `expr:"trend"`
	Arc     func(names ...string) (*Arc, error)      `expr:"arc"`
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
	return Percentiles{m.LatencyP50.Median, m.LatencyP90.Median, m.LatencyP99.Median, m.LatencyP999.Median, m.LatencyMax.Median}
}
