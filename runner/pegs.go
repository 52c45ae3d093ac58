package runner

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/scratch"
	"example.com/suite/internal/self"
	"example.com/suite/peg/pegfile"
	"example.com/suite/result"
	"example.com/suite/result/arcs"
	"example.com/suite/runner/host/wire"
)

// How long a pass with pegs lasts, on each side. A hundred batches of a function are
// enough for a 99th percentile of what is hit in each; a program has to be started for
// each run.
const (
	pegTime     = 100 * time.Millisecond
	pegRunsTime = time.Second
)

// pegs takes the pass with pegs of a case, and of the side that it is compared with.
// What goes wrong in it is a doubt and no failure: the samples have been taken.
func (p *passes) pegs(ctx context.Context, t *track) {
	defer p.rig.clock(t)()
	if failure := p.rig.ready(ctx, t); failure != nil {
		t.noPegs(ctx, failure)
		return
	}
	pass, failure := p.pegPass(ctx, t.own, 0)
	if failure != nil {
		t.noPegs(ctx, failure)
		return
	}
	t.result.Pegs = p.pegsOf(ctx, t.own, pass)
	if t.base == nil || ctx.Err() != nil {
		return
	}
	batches := pass.Batches
	if pass, failure = p.pegPass(ctx, t.base, batches); failure != nil {
		t.noPegs(ctx, t.base.target.AsBase(failure))
		return
	}
	t.result.BasePegs = p.pegsOf(ctx, t.base, pass)
	p.pegsInPairs(ctx, t, batches)
}

// wantsPegs reports whether there is a pass with pegs: after samples, which are none of it.
func (p *passes) wantsPegs(ctx context.Context, t *track) bool {
	return t.target.Spec.Pegs && !t.guard && !t.final && t.result.Status != result.Failed &&
		t.result.Samples.Len() > 0 && ctx.Err() == nil && !p.run.killed()
}

// pegPass runs batches with the iterations of a sample: so many of them, or for 0 as
// many as fill the time of a pass.
func (p *passes) pegPass(ctx context.Context, s *side, batches int) (*wire.Pegged, *result.Failure) {
	return p.askPegs(ctx, s, &wire.Request{Op: "pegs", ID: s.series.ID, N: s.series.N, Runs: batches,
		Pegs: s.target.Spec.PegPoints})
}

func (p *passes) askPegs(ctx context.Context, s *side, request *wire.Request) (*wire.Pegged, *result.Failure) {
	timeout := time.Duration(s.target.Spec.Settings.Timeout)
	request.Goal, request.Limit = int64(pegTime), int64(timeout/2)
	if s.target.IsCommand() {
		request.Goal, request.Limit = int64(pegRunsTime), int64(pegRunsTime)
		folder, err := os.MkdirTemp("", "suite-pegs-*")
		if err != nil {
			return nil, &result.Failure{Phase: result.PhasePegs, Cause: result.FailedMissing,
				Message: err.Error(), Hint: scratch.Hint()}
		}
		defer os.RemoveAll(folder)
		request.Folder = folder
	}
	response, failure := p.rig.call(ctx, s, s.remote, request)
	if failure != nil {
		return nil, failure
	}
	return response.Pegged, nil
}

// noPegs warns that a case has no arcs, unless an interrupt is the reason.
func (t *track) noPegs(ctx context.Context, f *result.Failure) {
	if ctx.Err() == nil {
		t.result.Warn(result.WarnNoPegs, "the pass with pegs failed: "+f.Message, f.Hint)
	}
}

// pegsOf is nil if the pass is incomplete or has no arcs that can be shown.
func (p *passes) pegsOf(ctx context.Context, s *side, pass *wire.Pegged) *result.Pegs {
	if ctx.Err() != nil || pass.Iterations == 0 {
		return nil // the pass is incomplete
	}
	t := s.of
	missing := unhit(s.target.Spec.PegPoints, pass)
	var said []string
	if len(missing) > 0 {
		said = unhitTexts(missing, p.knownPoints(ctx, s, pass))
	}
	if pass.Document == nil || len(pass.Document.Points) == 0 {
		t.withoutPegs(s, pass.Document, said)
		return nil
	}
	pegs := resultPegs(pass)
	if err := pegs.Validate(); err != nil { // else nobody could read the document
		why, _, _ := strings.Cut(err.Error(), "\n")
		t.result.Warn(result.WarnNoPegs, s.target.OfBase()+"the arcs are not valid: "+
			diag.Clip(strings.TrimPrefix(why, "pegs: ")), "")
		return nil
	}
	pegs.Problems = append(said, othersThan(missing, pegs.Problems)...)
	for _, text := range said {
		t.result.Warn(result.WarnPegs, s.target.OfBase()+text, "")
	}
	return pegs
}

// othersThan are the problems that speak of none of these points: of those more is
// known here than in the program.
func othersThan(missing, problems []string) []string {
	return slices.DeleteFunc(problems, func(text string) bool {
		return slices.ContainsFunc(missing, func(name string) bool {
			return strings.Contains(text, strconv.Quote(name))
		})
	})
}

// withoutPegs warns that a program was run and no arc is known of it, with a hint at
// what it may lack.
func (t *track) withoutPegs(s *side, doc *pegfile.Document, said []string) {
	message, hint := "no point was hit", "does the code that is measured call Hit of a point, made by peg.New? "+
		"docs/pegs.md"
	switch {
	case len(said) > 0:
		message, hint = strings.Join(said, "; "), ""
	case s.target.IsCommand() && doc == nil:
		message, hint = "the program wrote no pegs", "does it import "+self.Module+
			"/peg, or write to the file that $SUITE_PEGS names? docs/pegs.md"
	case s.target.IsGoTest() && !doc.End:
		message, hint = "the test binary ended before it wrote its pegs", "func TestMain(m *testing.M) { m.Run(); "+
			"peg.Flush() }"
	case s.target.IsCommand() && !doc.End:
		message, hint = "the program ended before it wrote its pegs", "defer peg.Flush() at the head of main, and "+
			"peg.Exit in place of os.Exit"
	}
	if s.target.Tree != "" {
		hint = "" // nobody will add pegs to what was
	}
	t.result.Warn(result.WarnNoPegs, s.target.OfBase()+message, hint)
}

// knownPoints lists all points that a program hits. A program that obeys the list of
// wanted points reports the others only if it is run once more.
func (p *passes) knownPoints(ctx context.Context, s *side, pass *wire.Pegged) []string {
	if slices.ContainsFunc(pass.Known, func(name string) bool {
		return !slices.Contains(s.target.Spec.PegPoints, name)
	}) {
		return pass.Known
	}
	all, failure := p.askPegs(ctx, s, &wire.Request{Op: "pegs", ID: s.series.ID, N: s.series.N, Runs: 1})
	if failure != nil {
		return pass.Known // the message then names fewer points
	}
	return all.Known
}

// mostListed points are named if none has a similar name.
const mostListed = 8

// Each text states that a point was never hit, and which point may have been meant.
func unhitTexts(names, known []string) (texts []string) {
	for _, name := range names {
		text := fmt.Sprintf("point %q was never hit", name)
		switch near, ok := diag.Nearest(name, known); {
		case slices.Contains(known, name) || len(known) == 0:
		case ok:
			text += fmt.Sprintf(": did you mean %q?", near)
		default:
			text += ", there are " + listed(known)
		}
		texts = append(texts, text)
	}
	return texts
}

// listed are names in words, as many as a line takes.
func listed(names []string) string {
	more := ""
	if len(names) > mostListed {
		names, more = names[:mostListed], ", …"
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", diag.Clip(name))
	}
	return strings.Join(quoted, ", ") + more
}

// mostProblems of those that a program reports of its pegs are kept.
const mostProblems = 20

// resultPegs turns what a host has read into what the document keeps: seconds instead of
// nanoseconds, and percentiles in addition to the histograms.
func resultPegs(pass *wire.Pegged) *result.Pegs {
	doc := pass.Document
	p := &result.Pegs{Clock: diag.Clip(doc.Clock), Iterations: pass.Iterations, Seconds: seconds(float64(pass.Elapsed)),
		Residue: seconds(doc.Residue), Cost: seconds(doc.Cost), Overlap: seconds(doc.Overlap), Truncated: !doc.End,
		Points: []result.PegPoint{}, Arcs: []result.Arc{}}
	for _, point := range doc.Points {
		p.Points = append(p.Points, result.PegPoint{Name: point.Name, File: diag.Clip(point.File), Line: point.Line,
			Hits: count(point.Count), Unmatched: count(point.Unmatched)})
	}
	for i := range doc.Arcs {
		p.Arcs = append(p.Arcs, resultArc(&doc.Arcs[i]))
	}
	for i, text := range doc.Problems {
		if i == mostProblems {
			p.Problems = append(p.Problems, fmt.Sprintf("and %d more", len(doc.Problems)-i))
			break
		}
		p.Problems = append(p.Problems, diag.Clip(text))
	}
	return p
}

func count(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

func resultArc(a *pegfile.Arc) result.Arc {
	r := result.Arc{From: a.From, To: a.To, Kind: result.ArcKind(a.Kind), Lane: a.Lane,
		Count: count(a.Count), Zero: count(a.Zero),
		Sum: seconds(a.Sum), Min: seconds(a.Min), Max: seconds(a.Max), Residue: seconds(a.Residue),
		Overlap: seconds(a.Overlap)}
	if a.Count > 0 {
		r.Mean = min(max(r.Sum/float64(a.Count), r.Min), r.Max) // a sum is rounded
	}
	if a.Count > 1 {
		r.StdDev = seconds(math.Sqrt(max(a.Squares, 0) / float64(a.Count-1)))
	}
	for _, b := range a.Histogram {
		if b.Count > 0 {
			r.Histogram = append(r.Histogram, result.ArcBin{seconds(b.Low), seconds(b.High), float64(b.Count)})
		}
	}
	arcs.SetPercentiles(&r)
	return r
}

// PegsOf converts a document that a program has written by itself, as the pegs of one
// run. How long the run took is not known, so Seconds is 0.
func PegsOf(doc *pegfile.Document) *result.Pegs {
	return resultPegs(&wire.Pegged{Document: doc, Iterations: 1})
}

// unhit are the points that were asked for and have no hit.
func unhit(points []string, pass *wire.Pegged) (names []string) {
	for _, name := range points {
		if !slices.Contains(pass.Known, name) {
			names = append(names, name)
		}
	}
	return names
}
