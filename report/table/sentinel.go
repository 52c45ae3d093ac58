package table

import (
	"fmt"
	"math"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// Fitness is the outcome of a suite's comparison of code with itself.
type Fitness struct {
	Text  string // one sentence; empty if the suite has no sentinel
	Unfit bool   // no comparison of the suite is believed
}

// FitnessOf describes the outcome: "two builds of sort/ints differ by at most 2.3%
// here (24 launches, 5.100 s)". Of several machines it describes all that are unfit, or
// else the worst. It is empty if the sentinel was not compared, or too seldom to know: that helps
// nobody who reads a verdict.
func FitnessOf(s *result.Suite) Fitness {
	all := s.AllSentinels()
	switch len(all) {
	case 0:
		return Fitness{}
	case 1:
		if all[0].Unfit == "" && all[0].Case.Status != result.Failed && math.IsInf(apart(all[0]), 1) {
			return Fitness{}
		}
		return SentinelText(all[0])
	}
	var unfit []string
	worst := all[0]
	for _, n := range all {
		if n.Unfit != "" {
			unfit = append(unfit, n.UnfitText())
		}
		if apart(n) > apart(worst) {
			worst = n
		}
	}
	if len(unfit) > 0 {
		return Fitness{fmt.Sprintf("%d OF %d MACHINES UNFIT TO JUDGE: %s; no comparison of their cases makes "+
			"the run fail",
			len(unfit), len(all), strings.Join(unfit, "; ")),
			true}
	}
	return Fitness{Text: fmt.Sprintf("sentinels on %d machines, the worst on shard %d: %s",
		len(all), worst.Shard, differs(worst))}
}

// apart is the bound of the difference between two runs of the same code, infinite if it is
// not known.
func apart(n *result.Sentinel) float64 {
	o := n.Case.Comparison("time")
	if o == nil || o.Low == nil || o.High == nil {
		return math.Inf(1)
	}
	return max(*o.High, 1 / *o.Low) - 1
}

// SentinelText describes the outcome of one sentinel.
func SentinelText(n *result.Sentinel) Fitness {
	switch {
	case n.Unfit != "":
		return Fitness{"THIS MACHINE IS UNFIT TO JUDGE: " + n.Unfit + ", beyond the tolerance of " +
			number.RoundedUp(n.Tolerance) + "; no comparison makes the run fail",
			true}
	case n.Case.Status == result.Failed && n.Case.Failure != nil:
		return Fitness{Text: "sentinel: " + n.Of() + " could not be compared with itself: " + n.Case.Failure.Message}
	}
	return Fitness{Text: "sentinel: " + differs(n)}
}

// differs is the bound of the difference between two runs of the same code.
func differs(n *result.Sentinel) string {
	o, subject := n.Case.Comparison("time"), n.Of()+" differs from itself"
	if n.Builds > 1 {
		subject = "two builds of " + n.Of() + " differ"
	}
	taken := " (" + n.Case.Observation().Count(observationsOf(o)) + ", " + units.Format(n.Case.Seconds, "s") + ")"
	switch {
	case o == nil:
		return n.Of() + " was not compared with itself"
	case o.Low == nil || o.High == nil:
		return n.Of() + " was compared with itself too seldom to know by how much it differs" + taken
	}
	text := subject + " by at most " + number.RoundedUp(apart(n)) + " here" + taken
	if o.Change == result.Unclear {
		text += ", which is not shown to be less than the tolerance of " + number.RoundedUp(n.Tolerance)
	}
	return text
}

// observationsOf is the number of independent observations of a comparison.
func observationsOf(o *result.Comparison) int {
	switch {
	case o == nil:
		return 0
	case o.Layouts > 0:
		return o.Layouts
	case o.Launches > 0:
		return o.Launches
	case o.Blocks > 0:
		return o.Blocks
	}
	return o.Used
}

func (f Fitness) Class() page.Tone {
	if f.Unfit {
		return page.Bad
	}
	return page.Faint
}
