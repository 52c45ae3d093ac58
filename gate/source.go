package gate

import (
	"fmt"
	"slices"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// Source is one gate of one case. Every ${…} is expanded.
type Source struct {
	Suite, Case              string
	Kind                     result.Kind
	ID                       string // unique within the case
	Expr                     lang.Text
	Severity, OnInconclusive string
	Params                   []result.Param // the parameters, which the expression names params.NAME
	// Metrics are the opt-in metrics (result.Metric.OptIn) that the case asks for. It
	// has them if the machine can count them.
	Metrics []string
	// Callgrind reports whether its instructions come from one simulated run.
	Callgrind bool
	// ByInstructions reports whether instructions decide calls about the time that the time does not decide.
	ByInstructions bool
	// Pegs reports whether arcs of the case are measured. Points lists the points to
	// measure; empty: all.
	Pegs   bool
	Points []string
	// Declared are the metrics that the cases of the suite declare, this one and
	// others.
	Declared Declared
	// Base is the other side of the pairs: a case of the same suite or, if Tree is
	// set, the name of the other tree in reports. It is empty if there are no pairs.
	Base string
	Tree bool // the base is the same case in another tree
	// Unpaired reports whether the base is the same case in a saved result; Base is
	// then the result's name in reports. Such gates promise no certainty, so their calls
	// get no share of the errors.
	Unpaired bool
	// Unaffected is why a case cannot differ from its base in another tree, empty if it
	// can. Such a comparison passes, and gets no share of the errors.
	Unaffected string
	// Unmatched is why a case is not compared with another tree as planned: it is new,
	// or changed. Gates that need a base are then skipped, and get no share of the
	// errors.
	Unmatched string
	// UnmatchedCause is the same as a word; empty: CauseNoBase.
	UnmatchedCause result.Cause
	// Shard is the machine that has measured the case, if several have measured the suite.
	Shard int
	// Errors is the chance that any red gate of the suite is false, the same for all
	// of its sources; 0: 1 %.
	Errors float64
}

// Host describes the machine of the samples.
type Host struct {
	OS   string  `expr:"os"`   // as Go calls it: linux, darwin, windows
	Arch string  `expr:"arch"` // amd64, arm64
	CPUs float64 `expr:"cpus"`
}

func (s *Source) has(m result.Metric) bool {
	return slices.Contains(m.Kinds, s.Kind) && (m.OptIn == "" || slices.Contains(s.Metrics, m.Name))
}

func (s *Source) metricNames() (names []string) {
	for _, m := range result.Metrics() {
		if s.has(m) {
			names = append(names, m.Name)
		}
	}
	return append(names, namesOf(s.Declared[s.Case])...)
}

// signature identifies the declared metrics that expressions of a case can name. Within
// a suite, sources with the same signature can share a rule.
func (s *Source) signature() string {
	if len(s.Declared) == 0 {
		return ""
	}
	return fmt.Sprintf("%q %+v %+v", s.Suite, s.Declared[s.Case], s.Declared[s.Base])
}

func (s *Source) nameOf(other *reference) string {
	if other.base {
		return s.Base
	}
	return other.name
}
