package gate

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"example.com/suite/gate/sides"
	"example.com/suite/internal/defaults"
	"example.com/suite/internal/display"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/stats"
	"github.com/expr-lang/expr/ast"
)

// trend(time).drift < 5%: how a metric changed over the newest commits of the history. Ten
// changes of +1 %, of which each passed its gate, are a drift of 10 %.

const (
	trendName  = "trend"
	driftField = "drift"
	trendUsage = "trend(time).drift < 5%, or trend(time, 50).drift < 5% for the newest 50 commits"
	trendTakes = "trend takes a metric of this case and, if you like, a number of commits; its drift is " +
		"compared with a limit that is written out"
)

const (
	// TrendLast is the number of commits that trend(time) looks at, the one of the run included.
	TrendLast = 100

	// Fewer commits than leastTrend have no interval at the confidence that a drift needs.
	leastTrend = 20
	mostTrend  = 1000

	// mostLevel is the most commits that a level is computed from.
	mostLevel = 100

	// trendLooks is the number of runs by which the error of a drift is divided: each of them
	// looks at almost the same history as the one before. So that a history of this many
	// commits shows a drift that is not there as seldom as one comparison does in one run.
	trendLooks = 1000
)

var _ = define(function{Function: Function{
	Name:   trendName,
	Usage:  trendUsage,
	Takes:  trendTakes,
	Type:   reflect.TypeFor[func(Metric, ...float64) (*Trend, error)](),
	Leaf:   recogniseDrift,
	Misuse: takes,
	Fault:  trendFault,
	Field:  driftField,
}, call: func(j *judging) any { return j.trendFunction }})

func trendFault(_ *builder, _ *Function, f *lang.Fault) (better, hint string, ok bool) {
	miscounted := f.Kind == lang.Arguments && f.Name == trendName
	switch {
	case f.Kind == lang.UnknownField && strings.HasPrefix(f.Of, trendName+"("):
		return fmt.Sprintf("a trend has a drift, and no %q", f.Name), trendUsage, true
	case f.Kind == lang.UnknownField && f.Of == trendName, miscounted, f.Kind == lang.NotTruth, f.Mentions("Trend"):
		return trendTakes, trendUsage, true
	}
	return "", "", false
}

// Trend is the value of trend(metric) in expressions.
type Trend struct {
	Drift float64 `expr:"drift"`
}

// drifting is a comparison of the drift of a metric with a limit.
type drifting struct {
	text     string // trend(time).drift
	metric   result.Metric
	last     int // commits
	operator string
	limit    float64
	at       int
}

// recogniseDrift recognises trend(metric, number).drift OP limit, and the same with exchanged sides.
func recogniseDrift(b *builder, n ast.Node) (functionKind, bool) {
	binary, ok := n.(*ast.BinaryNode)
	if !ok || turned[binary.Operator] == "" {
		return nil, false
	}
	value, limit, operator := binary.Left, binary.Right, binary.Operator
	if _, constant := lang.Constant(value); constant {
		value, limit, operator = limit, value, turned[operator]
	}
	field, ok := property(value)
	if !ok || field != driftField {
		return nil, false
	}
	call := value.(*ast.MemberNode).Node
	arguments, ok := callOf(trendName, call)
	if !ok || len(arguments) < 1 || len(arguments) > 2 {
		return nil, false
	}
	m, known := b.ofMetric(call, trendName)
	at, constant := lang.Constant(limit)
	from, _ := b.program.Span(value)
	d := &drifting{b.written(value), m, TrendLast, operator, at, from}
	if len(arguments) == 2 {
		n, written := lang.Constant(arguments[1])
		constant = constant && written
		d.last = int(math.Max(-1, math.Min(n, mostTrend+1))) // check refuses what is cut here
		if float64(d.last) != n {
			d.last = 0
		}
	}
	return d, known && constant
}

// checkCall adds a problem for a metric that no history has, for a number of commits that is
// out of range, and for a limit that is no share.
func (d *drifting) checkCall(b *builder, n ast.Node) {
	binary := n.(*ast.BinaryNode)
	before := len(b.rule.mentions)
	b.note(mention{text: d.text, metric: d.metric, stat: "median", at: d.at})
	b.rule.mentions = b.rule.mentions[:min(before, len(b.rule.mentions))] // it is not a value of this run alone
	if d.last < leastTrend || d.last > mostTrend {
		b.problem(d.at, fmt.Sprintf("trend takes a whole number of commits from %d to %d", leastTrend, mostTrend),
			fmt.Sprintf("without a number it is %d, the commit of the run included", TrendLast))
	}
	switch {
	case d.metric.Name == "throughput":
		b.problem(d.at, "histories have no throughput, for it is the inverse of the time", "trend(time).drift < 5%")
	case d.metric.OfMeasuring:
		b.problem(d.at, fmt.Sprintf("histories have no %s, which describes the measurement and not the code",
			d.metric.Name),
			trendUsage)
	}
	limit := binary.Right
	if _, constant := lang.Constant(binary.Left); constant {
		limit = binary.Left
	}
	text := b.written(limit)
	if !b.dimension(limit).fits(count) {
		from, _ := b.program.Span(limit)
		b.problem(from, fmt.Sprintf("a drift is a share of what the metric was, and %s is %s",
			text, b.dimension(limit)),
			trendUsage)
	} else if literalDimension(text) != count && math.Abs(d.limit) >= 1 {
		from, _ := b.program.Span(limit)
		b.problem(from, fmt.Sprintf("a drift is a share of what the metric was, and %s is all of it or more", text),
			fmt.Sprintf("did you mean %s?", likelyShare(d.limit)))
	}
}

// likelyShare is the share that a number of 1 or more was probably meant to be: 1.05 is a ratio, and
// 5 a percentage without its sign.
func likelyShare(x float64) string {
	if x > 1 && x < 2 {
		return units.Format(x-1, result.Percent)
	}
	return units.Format(x/100, result.Percent)
}

// drifted is what the history and the run show of a metric together: the change from the level of
// the first third of the commits to the level of the last third.
type drifted struct {
	sides.Span // of the relative change, at the confidence that the suite's errors ask for
	change     float64
	commits    int // with the run
	since      result.HistoryPoint
	newest     float64 // change from the level of the first third to this run
	form       result.Form
	byRatios   bool
	plain      bool   // the numbers never vary, so that there is no interval
	doubt      string // why it may be the machine that has changed, and not the code
}

// trendConfidence returns the confidence of the interval of a drift, on both sides together.
func (j *judging) trendConfidence() float64 {
	return 1 - 2*j.alpha/trendLooks
}

// in computes the drift. The error is an absence if it is not known.
func (d *drifting) in(j *judging) (*drifted, error) {
	now := j.own.Summary(d.metric.Name)
	history := j.own.History(d.metric.Name)
	open := func(cause result.Cause, format string, args ...any) error {
		return &sides.Absence{Cause: cause, Text: fmt.Sprintf(format, args...), Open: true}
	}
	switch {
	case now == nil:
		return nil, sides.MissingOf(j.own.Case, d.metric)
	case now.Bound != nil:
		return nil, open(result.CauseResolution, "%s is below resolution", d.metric.Name)
	case now.Censored > 0:
		return nil, open(result.CauseKilled, "%s", sides.Killed(j.own.Case))
	case history == nil:
		return nil, open(result.CauseShortHistory, "there is no history: suite run --save after each merge keeps one")
	}
	points := history.Points[max(0, len(history.Points)-(d.last-1)):]
	if now.Exact && d.metric.Exact && len(points) > 0 {
		change := over(now.Median, points[0].Value) - 1
		return &drifted{
			Span:    sides.Span{Low: change, High: change},
			change:  change,
			newest:  change,
			commits: len(points) + 1,
			since:   points[0],
			form:    result.FormExact,
			plain:   true,
		}, nil
	}
	conf := j.trendConfidence()
	chained := d.chained(j, history)
	least := 2 * stats.LevelPoints(conf)
	if d.last < least {
		return nil, open(result.CauseShortHistory,
			"it looks at %d commits, and with the error that this suite leaves to it an interval needs %d: write "+
				"trend(%s, %d)",
			d.last, least, d.metric.Name, least)
	}
	if len(points)+1 < least {
		if chained != nil && chained.commits >= least {
			return chained, nil
		}
		return nil, open(result.CauseShortHistory,
			"the history has %d of at least %d commits, this one included, that were measured on this machine",
			len(points)+1, least)
	}
	xs := make([]float64, 0, len(points)+1)
	for _, p := range points {
		xs = append(xs, p.Value)
	}
	xs = append(xs, now.Median)
	level := min(mostLevel, max(least/2, len(xs)/3))
	first, last := xs[:level], xs[len(xs)-level:]
	at, err := stats.LevelRatio(first, last, conf)
	if err != nil {
		return nil, open(result.CauseNoRatio, "a value of %s in the history is not above zero", d.metric.Name)
	}
	out := &drifted{
		Span:    sides.Span{Low: at.Low - 1, High: at.High - 1},
		change:  at.Value - 1,
		commits: len(xs),
		since:   points[0],
		form:    result.FormHistory,
		newest:  now.Median/stats.Median(first) - 1,
	}
	if chained != nil && !chained.since.When.After(out.since.When) &&
		(chained.High < out.Low || chained.Low > out.High) {
		out.doubt = fmt.Sprintf("ratios measured in pairs show %s: the machine has changed, and not the code alone",
			chained.text())
	}
	return out, nil
}

// chained multiplies the ratio of the run with the ratios of the commits that it refers to. It
// returns nil if there are none. Ratios were measured in pairs, so that no change of the
// machine affects them.
func (d *drifting) chained(j *judging, history *result.History) *drifted {
	if j.own.Pairs == nil || j.own.Pairs.Tree == "" || len(history.Ratios) == 0 {
		return nil
	}
	v, err := j.cases.Versus(j.own, j.basis(), d.metric, 0, sides.RatioAlpha, sides.RatioAlpha)
	if err != nil || v.Why != "" || !v.HasBounds || v.IsBound() || !(v.Low > 0) {
		return nil
	}
	ratios := history.Ratios[:min(len(history.Ratios), d.last-2)]
	factors := []stats.Factor{{Value: v.Ratio, Low: v.Low, High: v.High}}
	for _, r := range ratios {
		factors = append(factors, stats.Factor{Value: r.Value, Low: r.Low, High: r.High})
	}
	product := stats.Product(factors, defaults.RatioConfidence, j.trendConfidence())
	oldest := ratios[len(ratios)-1]
	return &drifted{
		Span:     sides.Span{Low: product.Low - 1, High: product.High - 1},
		change:   product.Value - 1,
		newest:   product.Value - 1,
		commits:  len(factors) + 1,
		since:    result.HistoryPoint{Commit: oldest.Base, When: oldest.When},
		form:     result.FormHistory,
		byRatios: true,
	}
}

func (d *drifting) mentions() []mention { return nil }

func (d *drifting) history() (metric string, last int) { return d.metric.Name, d.last }

func (d *drifting) shares(*Source) int {
	if d.metric.Exact {
		return 0
	}
	return 1
}

func (d *drifting) question() string {
	return fmt.Sprintf("trend(%s, %d).drift %s %v", d.metric.Name, d.last, d.operator, d.limit)
}

func (d *drifting) reads() result.Reading {
	return result.Reading{Of: result.OfTrend, Metric: d.metric.Name, Statistic: driftField}
}

// judge decides a leaf with trend(…). A drift within what two runs of the same code may differ
// by counts against no gate, because machines drift as well, and the run itself has to be on
// the same side of the limit, so that a gate is not red for what was put right since.
func (d *drifting) judge(j *judging, l *leaf, negated bool) outcome {
	found, err := d.in(j)
	if err != nil {
		o := without(err)
		o.form = result.FormHistory
		o.reasons = []string{d.text + " is not known: " + o.reasons[0]}
		return o
	}
	o := decided(found.Against(d.operator, d.limit), found.form,
		d.text+" is "+found.text()+", limit "+units.Signed(d.limit, units.Fine))
	if o.verdict == result.Inconclusive || found.plain {
		return o
	}
	floor := j.own.History(d.metric.Name).Floor
	against := (o.verdict == result.Fail) != negated || l.condition
	now := sides.Span{Low: found.newest, High: found.newest}
	switch {
	case now.Against(d.operator, d.limit) != o.verdict:
		return o.open(result.CauseMoved,
			fmt.Sprintf("this run is %s from the level at the start, on the other side of the limit",
				driftText(found.newest)))
	case against && found.Low <= floor && found.High >= 1/(1+floor)-1:
		return o.open(result.CauseFloor, fmt.Sprintf("two runs of the same code may differ by %s", units.Fine(floor)))
	case against && found.doubt != "":
		return o.open(result.CauseMoved, found.doubt)
	}
	return o
}

func driftText(change float64) string { return units.Signed(change, units.Tenths) }

// text returns the drift with its interval, and the commits that it is over.
func (d *drifted) text() string {
	text := units.Signed(d.change, func(share float64) string { return units.Format(share, result.Percent) })
	if !d.plain {
		text = driftText(d.change) + fmt.Sprintf(" [%s, %s]", driftText(d.Low), driftText(d.High))
	}
	return text + " " + d.over()
}

// over names the commits that a drift is over.
func (d *drifted) over() string {
	text := "over " + units.Plural(d.commits, "commit")
	if d.byRatios {
		text += " by ratios"
	}
	return text + " since " + pointName(d.since)
}

// pointName is the commit of a point with its day: 3f2a91c0de (1 Sep 2026).
func pointName(p result.HistoryPoint) string {
	when := p.When.UTC().Format("2 Jan 2006")
	if p.Commit == "" {
		return "the run of " + when
	}
	return display.Commit(p.Commit) + " (" + when + ")"
}

// listed returns the drift as a value of the gate. The second result is false if it is not
// known.
func (d *drifting) listed(j *judging) (result.Value, bool) {
	found, err := d.in(j)
	if err != nil || sides.NotFinite(found.change) {
		return result.Value{}, false
	}
	v := result.Value{Text: d.text, Value: found.change, Unit: result.Percent, Note: found.over()}
	if !found.plain {
		v.Low, v.High, v.Confidence = &found.Low, &found.High, j.trendConfidence()
	}
	return v, true
}

func (d *drifting) finding(j *judging, _ bool) *result.Finding {
	found, err := d.in(j)
	if err != nil || sides.NotFinite(found.change) {
		return nil
	}
	return &result.Finding{
		Of:       result.OfTrend,
		Text:     d.metric.Name,
		Value:    found.change,
		Commits:  found.commits,
		Operator: d.operator,
		Limit:    d.limit,
		Unit:     result.Percent,
	}
}

// trendFunction is the function trend of expressions. Every comparison of a drift is a leaf of
// its own, so that nothing calls it.
func (j *judging) trendFunction(Metric, ...float64) (*Trend, error) {
	return nil, sides.Because(result.CauseExpression, "%s", trendTakes)
}
