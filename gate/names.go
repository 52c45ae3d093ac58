package gate

import (
	"math"
	"reflect"

	"example.com/suite/gate/sides"
	"example.com/suite/result"
)

// Metric contains the statistics of one metric that expressions can read, in SI base
// units. A missing statistic is NaN, and reading it is an error.
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

	name string // of the metric, for functions that have it as an argument
}

// Metrics contains the metrics of a case that expressions can read. A test compares its
// names with result.Metrics.
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
	LatencyP50      Metric  `expr:"latency_p50"`
	LatencyP90      Metric  `expr:"latency_p90"`
	LatencyP99      Metric  `expr:"latency_p99"`
	LatencyP999     Metric  `expr:"latency_p999"`
	LatencyMax      Metric  `expr:"latency_max"`
	Void            Metric  `expr:"void"`
	ExitCode        float64 `expr:"exit_code"` // a plain number: see runs
	Allocs          Metric  `expr:"allocs"`
	Heap            Metric  `expr:"heap"`
}

// fieldOf maps the name of a metric to its field in Metrics.
var fieldOf = fieldsByTag(reflect.TypeFor[Metrics]())

// metrics maps the name of a metric to its row of result.Metrics.
var metrics = func() map[string]result.Metric {
	byName := map[string]result.Metric{}
	for _, m := range result.Metrics() {
		byName[m.Name] = m
	}
	return byName
}()

// statOf maps the name of a statistic to its field in Metric.
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

// absent is Metrics with NaN everywhere, for a case that was not measured.
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

// values are the numbers of a case that expressions read, each made on demand.
type values struct {
	metrics *Metrics
	env     any
	assumed map[any]float64 // replaces values of functions in an expression, nil for the measured ones
}

// current returns the case's values in an expression. They are its summaries, except that
// everyRun changes the exit status.
func (v *values) current() *Metrics {
	if v.env == nil {
		return v.metrics
	}
	return reflect.ValueOf(v.env).Elem().Field(0).Addr().Interface().(*Metrics)
}

// numbers are the metrics of a case, those that it declares included.
type numbers struct {
	*Metrics
	of *result.Case
}

// metricsOf copies the summaries of a case to the fields of Metrics.
func metricsOf(c *result.Case) *Metrics {
	m := absent
	if none := sides.NoneVoid(c); none != nil {
		m.Void = metricOf(none)
	}
	v := reflect.ValueOf(&m).Elem()
	for i := range c.Metrics {
		s := &c.Metrics[i]
		field, ok := fieldOf[s.Metric]
		if !ok {
			continue // a declared metric has no field here
		}
		switch at := v.Field(field).Addr().Interface().(type) {
		case *Metric:
			*at = metricOf(s)
		case *float64:
			*at = s.Max // a run with a failing status must show
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
