package runner

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/journal"
	"example.com/suite/runner/sample"
)

// past is a run as read from a journal: the sum of its lines.
type past struct {
	begun        bool // its first line was read
	header       Header
	at           time.Duration // of the last line
	parts        []time.Time   // when it went on
	suites       map[string]time.Duration
	calibrations []*calibrationRecord
	warnings     []result.Warning
	cases        map[caseKey]*pastCase
	order        []caseKey     // in which they first come
	rows         *result.Store // of the finished cases; nil: in memory
}

// caseKey names a case of a run.
type caseKey struct{ suite, name string }

func newPast() *past {
	return &past{suites: map[string]time.Duration{}, cases: map[caseKey]*pastCase{}}
}

func keyOf(c *result.Case) caseKey { return caseKey{c.Suite, c.Name} }

// pastCase is a case as read from a journal.
type pastCase struct {
	final   *result.Case      // finished: nothing else counts
	stored  *io.SectionReader // the same, not parsed
	last    *blockRecord      // without samples
	samples result.Samples
	base    *pastBase // its side of the pairs
	folds   *summary.Folds
	loops   []float64
	counts  []float64
}

// errNoHeader is a journal that ends before its first line does.
var errNoHeader = errors.New("it has no first line")

// read reads a journal into an empty past. end is the end of its last whole line, and sum the
// checksum that the next line continues.
func (p *past) read(r io.Reader) (end int64, sum uint32, err error) {
	end, sum, err = journal.ReadLines(r, func(object []byte, _ int64) error { return p.take(object) })
	if err == nil && !p.begun {
		err = errNoHeader
	}
	return end, sum, err
}

// readUnfinished is read for a journal of which these cases are finished: their blocks are
// left out, and their last lines are not parsed.
func readUnfinished(file *os.File, finished map[caseKey]bool) (*past, error) {
	p := newPast()
	_, _, err := journal.ReadLines(file, func(object []byte, at int64) error {
		key, last, ok := subjectOf(object)
		if !ok || !finished[key] {
			return p.take(object)
		}
		if c := p.of(key); last {
			c.stored = io.NewSectionReader(file, at, int64(len(object)-len("}")))
		}
		return nil
	})
	return p, err
}

// take takes in the object of a line.
func (p *past) take(object []byte) error {
	line, err := parseRecord(object)
	if err != nil {
		return err
	}
	if !p.begun {
		p.begun = true
		return p.begin(line)
	}
	return p.add(line)
}

func (p *past) begin(r *record) error {
	switch {
	case r.Journal != journalVersion:
		return fmt.Errorf("unknown journal %q; this version of suite reads %q", r.Journal, journalVersion)
	case r.Header == nil:
		return errors.New("the first line does not name the run of the journal")
	}
	p.header = *r.Header
	return nil
}

// add takes in a line.
func (p *past) add(r *record) error {
	p.at = max(p.at, r.At)
	switch {
	case r.Part != nil:
		p.parts = append(p.parts, *r.Part)
	case r.Suite != "":
		if _, known := p.suites[r.Suite]; !known { // its budget began then
			p.suites[r.Suite] = r.At
		}
	case r.Calibration != nil:
		p.calibrations = append(p.calibrations, r.Calibration)
	case r.Floor != nil:
		for _, c := range p.calibrations {
			r.Floor.raise(&c.Calibration)
		}
	case r.Warning != nil:
		p.warnings = append(p.warnings, *r.Warning)
	case r.Case != nil:
		p.of(keyOf(r.Case)).finish(r.Case)
		if p.rows != nil {
			p.rows.Keep(r.Case)
		}
	case r.Block != nil:
		return p.of(keyOf(&r.Block.Case)).add(r.Block)
	}
	return nil
}

func (p *past) of(key caseKey) *pastCase {
	if p.cases[key] == nil {
		p.cases[key] = &pastCase{samples: result.NoSamples()}
		p.order = append(p.order, key)
	}
	return p.cases[key]
}

func (c *pastCase) finish(final *result.Case) {
	*c = pastCase{final: final, samples: result.NoSamples()}
}

// add takes in a block.
func (c *pastCase) add(b *blockRecord) error {
	if c.final != nil {
		return fmt.Errorf("a block of case %q, which is finished", b.Case.Name)
	}
	if b.Whole {
		*c = pastCase{samples: result.NoSamples()}
	}
	if c.last != nil && (c.base == nil) != (b.Base == nil) {
		return errTorn
	}
	if b.Samples != nil {
		extend(&c.samples, b.Samples)
	}
	c.loops, c.counts = append(c.loops, b.Loops...), append(c.counts, b.Counts...)
	switch {
	case b.Folds != nil:
		c.folds = b.Folds.Restore()
	case b.summary() && c.folds == nil:
		c.folds = summary.NewFolds()
	}
	if c.folds != nil && b.Samples != nil && b.Folds == nil && b.Samples.Len() > 0 {
		c.folds.Fold(&c.samples)
	}
	c.addBase(b.Base)
	var before *result.Latency
	if c.last != nil {
		before = c.last.Case.Latency
	}
	b.Case.Latency = latencyAfter(cmp.Or(b.Case.Latency, before), b.Latency)
	c.last = b
	b.Samples, b.Loops, b.Counts, b.Latency, b.Folds = nil, nil, nil, nil, nil
	return nil
}

// latencyAfter adds the times of single iterations of a block to those of its case.
func latencyAfter(all *result.Latency, block []*result.Latency) *result.Latency {
	for _, row := range block {
		all = sample.WithBatch(all, row)
	}
	return all
}

// pastBase is a base's side as read from a journal.
type pastBase struct {
	last    *baseRecord // without samples
	first   []int
	samples result.Samples
}

func (c *pastCase) addBase(b *baseRecord) {
	if b == nil {
		return
	}
	if c.base == nil {
		c.base = &pastBase{samples: result.NoSamples()}
	}
	if b.Samples != nil {
		extend(&c.base.samples, b.Samples)
	}
	c.base.first = append(c.base.first, b.First...)
	var before *result.Latency
	if c.base.last != nil {
		before = c.base.last.Case.Latency
	}
	b.Case.Latency = latencyAfter(cmp.Or(b.Case.Latency, before), b.Latency)
	c.base.last = b
	b.Samples, b.First, b.Latency = nil, nil, nil
}

// record contains all of the side, nil if there is none.
func (p *pastBase) record() *baseRecord {
	if p == nil {
		return nil
	}
	whole := *p.last
	if whole.First = p.first; p.samples.Len() > 0 {
		whole.Samples = &p.samples
	}
	return &whole
}

// identities are those of both sides.
func (c *pastCase) identities() []result.Identity {
	r := c.result()
	all := []result.Identity{r.Identity}
	if r.Pairs != nil && r.Pairs.Identity != nil {
		all = append(all, *r.Pairs.Identity)
	}
	return all
}

// measured reports whether any case was measured.
func (p *past) measured() bool { return len(p.cases) > 0 }

// dropUnfinished forgets the cases that are not finished: if a line of the journal
// is lost, it may have been a block of any of them.
func (p *past) dropUnfinished() {
	p.order = slices.DeleteFunc(p.order, func(key caseKey) bool {
		unfinished := p.cases[key].final == nil
		if unfinished {
			delete(p.cases, key)
		}
		return unfinished
	})
}

// records describes the past in the fewest lines with the same content.
func (p *past) records() (all []*record) {
	all = append(all, &record{Journal: journalVersion, Header: &p.header})
	for i := range p.parts {
		all = append(all, &record{Part: &p.parts[i]})
	}
	for _, name := range slices.Sorted(maps.Keys(p.suites)) {
		all = append(all, &record{Suite: name, At: p.suites[name]})
	}
	for _, c := range p.calibrations {
		all = append(all, &record{Calibration: c})
	}
	for i := range p.warnings {
		all = append(all, &record{Warning: &p.warnings[i]})
	}
	for _, key := range p.order {
		all = append(all, p.cases[key].record(p.at))
	}
	return all
}

// record contains all of a case in one line.
func (c *pastCase) record(at time.Duration) *record {
	switch {
	case c.stored != nil:
		return &record{stored: c.stored}
	case c.final != nil:
		return &record{At: at, Case: c.final}
	}
	whole := *c.last
	whole.Whole, whole.Loops, whole.Counts = true, c.loops, c.counts
	if c.samples.Len() > 0 {
		whole.Samples = &c.samples
	}
	whole.Base = c.base.record()
	if c.folds != nil && whole.Samples != nil {
		whole.Folds = c.folds.Record()
	}
	return &record{At: at, Block: &whole}
}

// extend appends the rows of more to the rows of s. A column that only one of both has
// is absent in the other's rows.
func extend(s, more *result.Samples) {
	rows := s.Len()
	for _, d := range more.Disturbed {
		d.Index += rows
		s.Disturbed = append(s.Disturbed, d)
	}
	for _, i := range more.Censored {
		s.Censored = append(s.Censored, rows+i)
	}
	for name, column := range more.Columns {
		s.Columns[name] = append(sample.Filled(s.Columns[name], rows), column...)
	}
	s.Launch, s.Block, s.At = append(s.Launch, more.Launch...), append(s.Block, more.Block...), append(s.At, more.At...)
	s.Taken += more.Taken
	for name, column := range s.Columns {
		s.Columns[name] = sample.Filled(column, s.Len())
	}
}
