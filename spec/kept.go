package spec

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// KeptSuffix ends the name of a gate of the base that judges a case of this tree.
const KeptSuffix = "@base"

// KeepGates compares the gates of the plan with the gates of the base's own plan, lists in
// Against.Gates what this tree removed or relaxed, and has the cases judged by the stricter
// of both. Whether one expression is stricter than another is decided for tolerances and
// simple limits; of other expressions both must hold, so the one of the base is added to the
// case. If accepted is set the changes are only listed.
//
// Call KeepGates after Compare. counterpart returns the case of the base that a case of the
// plan, called name in the suite file, had there, or nil. A gate that cannot be judged in
// this tree, because it compares with a base that the case no longer has, is a problem.
func (p *Plan) KeepGates(was *Plan, counterpart func(name string) *Case, accepted bool) (problems diag.Problems) {
	k := &keeper{plan: p, was: was, accepted: accepted, counterpart: counterpart, renamed: renames(p, counterpart)}
	k.risks()
	for i := range p.Cases {
		c := &p.Cases[i]
		before := counterpart(c.NameInFile())
		if before == nil {
			continue
		}
		k.tolerance(c, before)
		if c.NameInFile() == c.Name {
			k.gates(c, before)
		}
	}
	return k.problems
}

type keeper struct {
	plan, was   *Plan
	accepted    bool
	counterpart func(name string) *Case
	renamed     *strings.Replacer // case("OLD") becomes case("NEW") in expressions of the base
	problems    diag.Problems
}

// renames replaces the earlier names of cases in expressions.
func renames(p *Plan, counterpart func(name string) *Case) *strings.Replacer {
	var pairs []string
	for i := range p.Cases {
		name := p.Cases[i].NameInFile()
		if before := counterpart(name); before != nil && before.Name != name {
			pairs = append(pairs, fmt.Sprintf("case(%q)", before.Name), fmt.Sprintf("case(%q)", name),
				"case('"+before.Name+"')",
				fmt.Sprintf("case(%q)", name))
		}
	}
	return strings.NewReplacer(pairs...)
}

func (k *keeper) list(c, gate, was, now string) {
	k.plan.Against.Gates = append(k.plan.Against.Gates, result.GateChange{
		Case:     c,
		Gate:     gate,
		Was:      was,
		Now:      now,
		Accepted: k.accepted,
	})
}

// risks compares what holds for the whole suite: a larger floor hides differences, and a
// smaller chance of a false alarm needs more evidence for each red gate.
func (k *keeper) risks() {
	now, was := &k.plan.Errors, &k.was.Errors
	if now.LeastDifference() > was.LeastDifference() {
		k.list("", "errors.floor", units.Exact(was.LeastDifference()), units.Exact(now.LeastDifference()))
		if !k.accepted {
			now.Floor = was.Floor
		}
	}
	if now.Family < was.Family {
		k.list("", "errors.family", units.Exact(was.Family), units.Exact(now.Family))
		if !k.accepted {
			now.Family = was.Family
		}
	}
}

// tolerance compares the tolerance that the gate of --against has.
func (k *keeper) tolerance(c, before *Case) {
	at := slices.IndexFunc(c.Gates, func(g Gate) bool { return g.ID == AgainstGate })
	if at >= 0 {
		k.compare(c, at, Gate{
			ID:             AgainstGate,
			Expr:           fixed(before.toleranceText(), c.Place),
			Severity:       defaultSeverity,
			OnInconclusive: k.was.OnInconclusive,
		})
	}
}

// gates compares the other gates of a case.
func (k *keeper) gates(c, before *Case) {
	for _, g := range before.Gates {
		g.Expr = fixed(k.renamed.Replace(g.Expr.Value), c.Place)
		holder := k.holder(c, before, &g)
		if holder == nil {
			continue
		}
		if at := holder.successor(&g); at >= 0 {
			k.compare(holder, at, g)
			continue
		}
		k.list(holder.Name, g.ID, g.described(nil), "")
		k.keepGate(holder, g)
	}
}

// holder returns the case that a gate of the base is judged in, nil if there is none. Gates
// that compare mean the base of the case, or the other tree if it has none.
func (k *keeper) holder(c, before *Case, g *Gate) *Case {
	if !lang.UsesWord(g.Expr, func(w lang.Word) bool { return w.OfBase }) {
		return c
	}
	own := c.Base
	if base := k.counterpart(own); own != "" && base != nil {
		own = base.Name
	}
	if own == before.Base {
		return c
	}
	if before.Base == "" { // the gate compares trees, and the case has a base of its own now
		at := slices.IndexFunc(k.plan.Cases, func(other Case) bool { return other.Name == c.Name+AgainstSuffix })
		if at >= 0 {
			return &k.plan.Cases[at]
		}
	}
	k.list(c.Name, g.ID,
		fmt.Sprintf("%s, compared with %s", g.described(nil),
			orWord(before.Base == "", k.plan.Against.Asked, before.Base)),
		"compared with "+orWord(c.Base == "", k.plan.Against.Asked, c.Base))
	if !k.accepted {
		k.problems = append(k.problems, diag.Problem{Code: diag.Invalid, Place: c.Place,
			Message: fmt.Sprintf("gate %s of %s compares case %s with %s, which is not its base any more",
				diag.Quote(g.ID), k.plan.Against.Asked, diag.Quote(c.Name),
				orWord(before.Base == "", "the other tree", before.Base)),
			Hint: "keep its base, or run with --accept-gates"})
	}
	return nil
}

// successor returns the index of the gate that took the place of a gate of the base: the
// first that is as strict, else the one of its name, else one that limits the same. It is -1
// if there is none.
func (c *Case) successor(g *Gate) int {
	for _, is := range []func(o Gate) bool{
		func(o Gate) bool { return o.covers(g) },
		func(o Gate) bool { return o.ID == g.ID },
		func(o Gate) bool { _, known := stricter(o.Expr.Value, g.Expr.Value); return known },
	} {
		if at := slices.IndexFunc(c.Gates, is); at >= 0 {
			return at
		}
	}
	return -1
}

// covers reports whether the gate is known to be at least as strict as another one.
func (g *Gate) covers(o *Gate) bool {
	order, known := stricter(g.Expr.Value, o.Expr.Value)
	return known && order >= 0 && strictness(severities, g.Severity) >= strictness(severities, o.Severity) &&
		strictness(onInconclusives, g.OnInconclusive) >= strictness(onInconclusives, o.OnInconclusive)
}

// compare judges a case by a gate of the base too, unless the gate at the index is known to
// be as strict. If the gate of the base is stricter in everything it replaces the other.
func (k *keeper) compare(c *Case, at int, was Gate) {
	now := &c.Gates[at]
	if now.covers(&was) {
		return
	}
	k.list(c.Name, was.ID, was.described(now), now.described(&was))
	switch {
	case k.accepted:
	case was.covers(now):
		was.Expr = fixed(was.Expr.Value, now.Expr.Place)
		if was.ID != now.ID {
			was.ID = c.keptName(was.ID)
		}
		*now = was
	default:
		k.keepGate(c, was)
	}
}

// keepGate adds a gate of the base to a case, under a name that no gate of the case has.
func (k *keeper) keepGate(c *Case, g Gate) {
	if k.accepted {
		return
	}
	g.ID = c.keptName(g.ID)
	c.Gates = append(c.Gates, g)
}

// keptName returns the name under which a gate of the base judges, which no other gate of the
// case has.
func (c *Case) keptName(id string) string {
	id += KeptSuffix
	for c.hasGate(id) {
		id += KeptSuffix
	}
	return id
}

// The words of severity and on_inconclusive, the strictest last.
var (
	severities      = []string{"warn", "fail"}
	onInconclusives = []string{"list", "auto", "fail"}
)

func strictness(words []string, word string) int { return slices.Index(words, word) }

// described is the gate as a report shows it: its expression, and what differs from other.
func (g *Gate) described(other *Gate) string {
	text := oneLine(g.Expr.Value)
	if other != nil && g.Severity != other.Severity {
		text += ", severity: " + g.Severity
	}
	if other != nil && g.OnInconclusive != other.OnInconclusive {
		text += ", on_inconclusive: " + g.OnInconclusive
	}
	return text
}

var (
	tolerated = lazy.Regexp(`^not worse\(\s*(\w+)\s*,\s*([^\s(),]+)\s*\)$`)
	limited   = lazy.Regexp(`^([\w.]+|(?:ratio|geomean)\(["\w]+\)|ci\(\w+\)\.(?:low|high))\s*(<=?|>=?)\s*([^\s()]+)$`)
)

// stricter compares two expressions: 1 if a is stricter than b, -1 if it is milder, 0 if they
// are equal. known is false if that cannot be decided: neither are both a tolerance of one
// metric, nor both a constant limit of one number.
func stricter(a, b string) (order int, known bool) {
	a, b = oneLine(a), oneLine(b)
	if a == b {
		return 0, true
	}
	if x, y := tolerated().FindStringSubmatch(a), tolerated().FindStringSubmatch(b); x != nil &&
		y != nil && x[1] == y[1] {
		return smaller(x[2], y[2])
	}
	x, y := limited().FindStringSubmatch(a), limited().FindStringSubmatch(b)
	if x == nil || y == nil || x[1] != y[1] || x[2] != y[2] {
		return 0, false
	}
	order, known = smaller(x[3], y[3])
	if x[2][0] == '>' {
		order = -order
	}
	return order, known
}

// smaller returns 1 if the quantity a is smaller than b, -1 if it is larger, 0 if they are
// equal. known is false if they are not constants of one kind.
func smaller(a, b string) (order int, known bool) {
	for _, parse := range []func(string) (float64, error){
		lang.ParseNumber, lang.ParsePercent, lang.ParseDuration, lang.ParseSize, lang.ParseRate,
	} {
		x, errA := parse(a)
		y, errB := parse(b)
		if errA != nil || errB != nil {
			continue
		}
		switch {
		case x < y:
			return 1, true
		case x > y:
			return -1, true
		}
		return 0, true
	}
	return 0, false
}
