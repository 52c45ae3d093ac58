package spec

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// Errors say how often a suite may be wrong.
type Errors struct {
	Family float64 `json:"family"` // chance that any red gate is false, 0 to 1
}

// DefaultFamily is the chance that any red gate of a suite is false.
const DefaultFamily = 0.01

// ErrorsKeys lists the keys of errors.
func ErrorsKeys() []string { return append([]string(nil), errorsKeys.known...) }

var errorsKeys = keySet{
	known: []string{"family"},
	later: map[string]string{
		"sentinel": "there is no pair of identical code yet that tells whether this machine can judge",
		"floor":    "there is no measured floor yet that it could lower",
	},
}

// leastFamily is a chance that nobody can tell from never; mostFamily is a coin.
const (
	leastFamily = 1e-6
	mostFamily  = 0.5
)

// errors reads how often a suite may be wrong.
func (r *reader) errors(s *Suite, n node) {
	for _, p := range r.mapping(n, `"errors"`, "in errors", errorsKeys) {
		if !r.isA(p.value, scalar, quote(p.name), "one value") {
			continue
		}
		x, err := lang.ParsePercent(p.value.Value)
		if err == nil && !(x >= leastFamily && x <= mostFamily) {
			err = fmt.Errorf("%q is not between %s and %s", p.value.Value, percent(leastFamily), percent(mostFamily))
		}
		if err != nil {
			r.fail(p.value, "family: 1% is the chance that any red gate of the suite is false", "%s: %s", p.name, diag.Clip(err.Error()))
			continue
		}
		s.errors.Family = x
	}
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
func (r *reader) ofSuite(pairs []pair, layers []layer) []layer {
	t, ok := find(pairs, toleranceKey)
	if !ok {
		return layers
	}
	l := layer{toleranceKey: entry{t, FromSuite}}
	if d, ok := find(pairs, "defaults"); ok && len(layers) > 0 {
		if _, twice := layers[0][toleranceKey]; twice {
			r.fail(t.key, "at the top it is short for the one in defaults", "tolerance is given here and in defaults (line %d)", d.key.Line)
			return layers
		}
	}
	alone := &benchReader{reader: r, b: newBenchmark(t.value), loose: true}
	alone.key(l[toleranceKey])
	return append(layers, l)
}
