package spec

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// JudgedByInstructions reports whether no times are taken of the case.
func (c *Case) JudgedByInstructions() bool { return c.Settings.Judge == result.JudgeInstructions }

// toleranceGate names the gate of a case that has both a base and a tolerance.
const toleranceGate = "tolerance"

// shareTime doubles the max_time of a case with a base if nobody has set it: two sides share it.
func (c *Case) shareTime() {
	if c.Origins["max_time"] == FromBuiltin {
		c.Settings.MaxTime = 2 * c.usualTime()
	}
}

// usualTime is the max_time of a case if nobody has set it. If Python is counted, its start alone takes two seconds
// of a CPU in each of a dozen processes.
func (c *Case) usualTime() Duration {
	if c.Harness != nil && c.JudgedByInstructions() {
		row, _ := harness.Find(c.Harness.Name) // the reader knows that it is there
		if _, marks := row.Harness.(harness.Marking); marks {
			return Duration(time.Minute)
		}
	}
	return Defaults().MaxTime
}

// What an existing benchmark has if nobody has set it: 20 samples of 10 ms, because there are many of them, fewer
// if one takes long, and a short warm-up, because each block and each launch is a new process.
const (
	existingTime    = Duration(200 * time.Millisecond)
	existingWarmup  = Duration(20 * time.Millisecond)
	existingSamples = 10
)

// shorten sets the times of an existing benchmark.
func (c *Case) shorten() {
	if c.Origins["target_time"] == FromBuiltin {
		c.Settings.TargetTime = existingTime
	}
	if c.Origins["warmup"] == FromBuiltin {
		c.Settings.Warmup = min(c.Settings.Warmup, existingWarmup)
	}
	if c.Origins["samples.min"] == FromBuiltin && c.Origins["samples.max"] == FromBuiltin {
		c.Settings.SamplesMin = existingSamples
	}
}

// tolerate adds the gate of a tolerance. It fails if the case has another gate with the
// same id.
func (c *Case) tolerate(id, onInconclusive string) *diag.Problem {
	at := c.tolerance
	if at == (diag.Place{}) {
		at = c.Place
	}
	if c.hasGate(id) {
		return &diag.Problem{Code: diag.Duplicate, Place: at, Hint: "give the other one another name",
			Message: fmt.Sprintf("gate %s comes twice in case %s: %s is a gate of this name",
				diag.Quote(id), diag.Quote(c.Name), gateMaker[id])}
	}
	c.Gates = append(c.Gates, Gate{
		ID:             id,
		Expr:           fixed(c.toleranceText(), at),
		Severity:       defaultSeverity,
		OnInconclusive: onInconclusive,
	})
	return nil
}

func (c *Case) toleranceText() string {
	metric := "time"
	if c.JudgedByInstructions() {
		metric = result.Instructions
	}
	return fmt.Sprintf("not worse(%s, %s)", metric, units.Exact(c.Settings.Tolerance))
}

// AskBothWays replaces the gates of all cases by one that is decided as soon as it is known whether
// the case differs from its base by more than its tolerance, in either direction. Both answers have the error of an
// alarm, because others are concluded from either.
func (p *Plan) AskBothWays() {
	p.BothWays = true
	for i := range p.Cases {
		c := &p.Cases[i]
		better := strings.Replace(c.toleranceText(), "worse", "better", 1)
		c.Gates = []Gate{{
			ID:             AgainstGate,
			Expr:           fixed(c.toleranceText()+" and "+better, c.Place),
			Severity:       defaultSeverity,
			OnInconclusive: p.OnInconclusive,
		}}
	}
}

// gateMaker is the origin of gates that the suite file does not spell out.
var gateMaker = map[string]string{toleranceGate: "tolerance:", AgainstGate: "--against"}

func (c *Case) hasGate(id string) bool {
	return slices.ContainsFunc(c.Gates, func(g Gate) bool { return g.ID == id })
}

// fixed is an expression whose problems are all at one place: the file that it was written in
// is not in this tree.
func fixed(expr string, at diag.Place) lang.Text {
	return lang.Text{Value: expr, Place: at, Marks: []lang.Mark{{Place: at, Fixed: true}}}
}

// AgainstSuffix ends the name of the second case that Compare adds if a case has a base of
// its own: the comparison with --against.
const AgainstSuffix = "@against"

// AgainstGate names the gate that --against adds to every case.
const AgainstGate = toleranceGate + AgainstSuffix

// NameInFile is the name that the case has in the suite file: without AgainstSuffix for a
// case that Compare added.
func (c *Case) NameInFile() string {
	if c.Counterpart == nil {
		return c.Name
	}
	return strings.TrimSuffix(c.Name, AgainstSuffix)
}

// CompareWith gives a case a side in another tree.
func (c *Case) CompareWith(other *Other) {
	c.Other = other
	c.shareTime()
}
