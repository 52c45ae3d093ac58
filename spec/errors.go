package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec/internal/yaml"
)

// Errors say how often a suite may be wrong, and what it takes for the machine
// to be believed.
type Errors struct {
	Family   float64  `json:"family"`             // chance that any red gate is false, 0 to 1
	Sentinel *bool    `json:"sentinel,omitempty"` // code is compared with itself in every run; nil: where trees are compared
	Floor    *float64 `json:"floor,omitempty"`    // least difference that two builds of one source are taken to have; nil: DefaultFloor
}

// DefaultFamily is the chance that any red gate of a suite is false.
const DefaultFamily = 0.01

// DefaultFloor is what two builds of one source are taken to differ by at least.
const DefaultFloor = result.DefaultFloor

// ErrorsKeys lists the keys of errors.
func ErrorsKeys() []string { return append([]string(nil), errorsKeys.Known...) }

var errorsKeys = yaml.KeySet{Known: []string{"family", "sentinel", "floor"}}

// leastFamily is a chance that nobody can tell from never; mostFamily is a coin.
const (
	leastFamily = 1e-6
	mostFamily  = 0.5
)

// mostFloor is a difference that no layout of code explains. It is below 1, so that
// who writes floor: 1 and means 1% is told.
const mostFloor = 0.5

// errors reads how often a suite may be wrong.
func (r *reader) errors(s *Suite, n yaml.Node) {
	for _, p := range r.Mapping(n, `"errors"`, "in errors", errorsKeys) {
		switch p.Name {
		case "family":
			if x, ok := r.share(p, leastFamily, mostFamily, "family: 1% is the chance that any red gate of the suite is false"); ok {
				s.errors.Family = x
			}
		case "floor":
			if x, ok := r.share(p, 0, mostFloor, "floor: 1% is what two builds of one source are taken to differ by at least"); ok {
				s.errors.Floor = &x
			}
		case "sentinel":
			s.errors.Sentinel = r.sentinel(p.Value)
		}
	}
}

// sentinel reads whether code is compared with itself, nil where that was not said.
func (r *reader) sentinel(n yaml.Node) *bool {
	if !r.IsA(n, yaml.Scalar, `"sentinel"`, "true or false") {
		return nil
	}
	if n.ShortTag() != "!!bool" {
		hint := "sentinel: true compares code with itself, to see whether this machine can judge"
		if said := switches[strings.ToLower(n.Value)]; said != "" {
			hint = "write " + said
		} else if n.Value == "true" || n.Value == "false" {
			hint = "leave out the quotes"
		}
		r.Fail(n, hint, `"sentinel" must be true or false, not %s`, diag.Quote(n.Value))
		return nil
	}
	on := strings.EqualFold(n.Value, "true")
	return &on
}

// share reads a percentage between two others.
func (r *reader) share(p yaml.Pair, least, most float64, hint string) (x float64, ok bool) {
	if !r.IsA(p.Value, yaml.Scalar, diag.Quote(p.Name), "one value") {
		return 0, false
	}
	x, err := lang.ParsePercent(p.Value.Value)
	if err == nil && !(x >= least && x <= most) {
		err = fmt.Errorf("%q is not between %s and %s", p.Value.Value, percent(least), percent(most))
	}
	if err != nil {
		r.Fail(p.Value, hint, "%s: %s", p.Name, diag.Clip(err.Error()))
	}
	return x, err == nil
}

// text is what differs from what holds by itself, empty where nothing does.
func (e *Errors) text() string {
	var said []string
	if e.Family != DefaultFamily {
		said = append(said, "family "+percent(e.Family))
	}
	if e.Sentinel != nil {
		said = append(said, fmt.Sprintf("sentinel %t", *e.Sentinel))
	}
	if e.Floor != nil {
		said = append(said, "floor "+percent(*e.Floor))
	}
	return strings.Join(said, ", ")
}

// toleranceKey names the setting that turns a base into a gate.
const toleranceKey = "tolerance"

// maxTolerance is eleven times as long.
const maxTolerance = 10

func setTolerance(s *Settings, text string) (err error) {
	s.Tolerance, err = lang.ParsePercent(text)
	switch {
	case err != nil:
	case s.Tolerance >= 1 && !strings.HasSuffix(text, "%"):
		err = fmt.Errorf("%q is %s: write it with a %% sign", text, percent(s.Tolerance))
	case !(s.Tolerance >= 0 && s.Tolerance <= maxTolerance):
		err = fmt.Errorf("%q is not between 0%% and %s", text, percent(maxTolerance))
	}
	return err
}

// ofSuite adds what the top of the outermost file says for all benchmarks: behind
// all defaults, which are nearer.
func (r *reader) ofSuite(pairs []yaml.Pair, layers []layer) []layer {
	t, ok := find(pairs, toleranceKey)
	if !ok {
		return layers
	}
	l := layer{toleranceKey: entry{t, FromSuite}}
	if d, ok := find(pairs, "defaults"); ok && len(layers) > 0 {
		if _, twice := layers[0][toleranceKey]; twice {
			r.Fail(t.Key, "at the top it is short for the one in defaults", "tolerance is given here and in defaults (line %d)", d.Key.Line)
			return layers
		}
	}
	alone := &benchReader{reader: r, b: newBenchmark(t.Value), loose: true}
	alone.key(l[toleranceKey])
	return append(layers, l)
}
