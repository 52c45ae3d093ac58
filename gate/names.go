package gate

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"example.com/suite/result"
)

// Metric is what one metric offers an expression: its statistics, in SI base
// units. What is absent is NaN, which is an error when it is read.
type Metric struct {
	Median float64 `expr:"median"`
	Mean   float64 `expr:"mean"`
	Min    float64 `expr:"min"`
	Max    float64 `expr:"max"`
	P50    float64 `expr:"p50"`
	P90    float64 `expr:"p90"`
	P95    float64 `expr:"p95"`
	P99    float64 `expr:"p99"`
	StdDev float64 `expr:"stddev"`
	MAD    float64 `expr:"mad"`
	CV     float64 `expr:"cv"` // stddev over mean
	N      float64 `expr:"n"`
	Low    float64 `expr:"low"` // of the interval that reports show
	High   float64 `expr:"high"`

	name string // of the metric, by which functions that are handed one know it
}

// Metrics is what a case offers an expression. A test holds its names to
// result.Metrics.
type Metrics struct {
	Time            Metric  `expr:"time"`
	Throughput      Metric  `expr:"throughput"`
	Wall            Metric  `expr:"wall"`
	CPU             Metric  `expr:"cpu"`
	ThreadCPU       Metric  `expr:"thread_cpu"`
	Ticks           Metric  `expr:"ticks"`
	Cycles          Metric  `expr:"cycles"`
	User            Metric  `expr:"user"`
	System          Metric  `expr:"system"`
	Wait            Metric  `expr:"wait"`
	RSS             Metric  `expr:"rss"`
	Faults          Metric  `expr:"faults"`
	MajorFaults     Metric  `expr:"major_faults"`
	ReadBytes       Metric  `expr:"read_bytes"`
	WrittenBytes    Metric  `expr:"written_bytes"`
	TreeCPU         Metric  `expr:"tree_cpu"`
	TreeWait        Metric  `expr:"tree_wait"`
	TreeMemory      Metric  `expr:"tree_memory"`
	Switches        Metric  `expr:"switches"`
	Voluntary       Metric  `expr:"voluntary"`
	Instructions    Metric  `expr:"instructions"`
	Branches        Metric  `expr:"branches"`
	BranchMisses    Metric  `expr:"branch_misses"`
	CacheReferences Metric  `expr:"cache_references"`
	CacheMisses     Metric  `expr:"cache_misses"`
	PageFaults      Metric  `expr:"page_faults"`
	ContextSwitches Metric  `expr:"context_switches"`
	CPUMigrations   Metric  `expr:"cpu_migrations"`
	TaskClock       Metric  `expr:"task_clock"`
	Void            Metric  `expr:"void"`
	ExitCode        float64 `expr:"exit_code"` // a plain number: see runs
	Allocs          Metric  `expr:"allocs"`
	Heap            Metric  `expr:"heap"`
}

// Env is everything that an expression can name, but for case, base, parameters and
// declared metrics, whose types are those of a suite.
type Env struct {
	Metrics
	Versus
	Host Host `expr:"host"`
}

// later are the names that a coming version will have.
var later = []string{"history"}

// fieldOf gives the field of Metrics that holds a metric.
var fieldOf = fieldsByTag(reflect.TypeFor[Metrics]())

// metrics is the table of metrics by name.
var metrics = func() map[string]result.Metric {
	byName := map[string]result.Metric{}
	for _, m := range result.Metrics() {
		byName[m.Name] = m
	}
	return byName
}()

// statOf gives the field of Metric that holds a statistic.
var statOf = fieldsByTag(reflect.TypeFor[Metric]())

func fieldsByTag(t reflect.Type) map[string]int {
	fields := map[string]int{}
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("expr"); name != "" {
			fields[name] = i
		}
	}
	return fields
}

// absent is a case of which nothing was measured.
var absent = func() (m Metrics) {
	v := reflect.ValueOf(&m).Elem()
	for i := range v.NumField() {
		setNaN(v.Field(i))
		if metric, ok := v.Field(i).Addr().Interface().(*Metric); ok {
			metric.name = v.Type().Field(i).Tag.Get("expr")
		}
	}
	return m
}()

func setNaN(v reflect.Value) {
	if v.Kind() == reflect.Float64 {
		v.SetFloat(math.NaN())
		return
	}
	if v.Kind() != reflect.Struct {
		return // the name of a metric
	}
	for i := range v.NumField() {
		setNaN(v.Field(i))
	}
}

// metricsOf gives the summaries of a case the form that expressions read.
func metricsOf(c *result.Case) *Metrics {
	m := absent
	if none := noneVoid(c); none != nil {
		m.Void = metricOf(none)
	}
	v := reflect.ValueOf(&m).Elem()
	for i := range c.Metrics {
		s := &c.Metrics[i]
		field, ok := fieldOf[s.Metric]
		if !ok {
			continue // a metric of the program's own has no name here
		}
		switch at := v.Field(field).Addr().Interface().(type) {
		case *Metric:
			*at = metricOf(s)
		case *float64:
			*at = s.Max // of runs that differ the one that failed
		}
	}
	return &m
}

func metricOf(s *result.Summary) Metric {
	return Metric{
		Median: s.Median, Mean: s.Mean, Min: s.Min, Max: s.Max,
		P50: s.P50, P90: s.P90, P95: s.P95, P99: s.P99,
		StdDev: s.StdDev, MAD: s.MAD, CV: s.StdDev / s.Mean, N: float64(s.N),
		Low: orNaN(s.Low), High: orNaN(s.High), name: s.Metric,
	}
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// params is the parameters of a case as a type of their own, so that a
// misspelt one is found before anything runs.
type params struct {
	list      []result.Param
	signature string   // names and types: equal ones can share a rule
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

// envType is Env with fields for params, case, base and declared metrics beside it.
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

// env fills a new environment of type t for a case; find gives others, and base is
// nil where it was not measured.
func (p params) env(t reflect.Type, e *Env, c *result.Case, base *subject, find func(string) (*subject, error)) any {
	v := reflect.New(t)
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
