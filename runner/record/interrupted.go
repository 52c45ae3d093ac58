package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/journal"
	"example.com/suite/runner/sample"
)

// Interrupted is a run as read from a journal: the sum of its lines.
type Interrupted struct {
	begun        bool // its first line was read
	Header       Header
	At           time.Duration // of the last line
	Parts        []time.Time   // when it went on
	Suites       map[string]time.Duration
	Calibrations []*Calibration
	Warnings     []result.Warning
	Cases        map[Key]*InterruptedCase
	order        []Key         // in which they first come
	rows         *result.Store // of the finished cases; nil: in memory
}

// Key names a case of a run.
type Key struct{ Suite, Name string }

func newInterrupted() *Interrupted {
	return &Interrupted{Suites: map[string]time.Duration{}, Cases: map[Key]*InterruptedCase{}}
}

// KeyOf is the key of a case.
func KeyOf(c *result.Case) Key { return Key{c.Suite, c.Name} }

// InterruptedCase is a case as read from a journal.
type InterruptedCase struct {
	Final   *result.Case      // finished: nothing else counts
	stored  *io.SectionReader // the same, not parsed
	Last    *Block            // without samples
	Samples result.Samples
	Base    *interruptedBase // its side of the pairs
	Folds   *summary.Folds
	loops   []float64
	counts  []float64
}

// errNoHeader is a journal that ends before its first line does.
var errNoHeader = errors.New("it has no first line")

// Read reads a journal. rows is where the rows of finished cases go, nil for memory. end is the
// end of its last whole line, and sum the checksum that the next line continues.
func Read(r io.Reader, rows *result.Store) (p *Interrupted, end int64, sum uint32, err error) {
	p = newInterrupted()
	p.rows = rows
	end, sum, err = journal.ReadLines(r, func(object []byte, _ int64) error { return p.take(object) })
	if err == nil && !p.begun {
		err = errNoHeader
	}
	return p, end, sum, err
}

// readUnfinished is Read for a journal of which these cases are finished: their blocks are
// left out, and their last lines are not parsed.
func readUnfinished(file *os.File, finished map[Key]bool) (*Interrupted, error) {
	p := newInterrupted()
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
func (p *Interrupted) take(object []byte) error {
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

func (p *Interrupted) begin(r *Line) error {
	switch {
	case r.Journal != journalVersion:
		return fmt.Errorf("unknown journal %q; this version of suite reads %q", r.Journal, journalVersion)
	case r.Header == nil:
		return errors.New("the first line does not name the run of the journal")
	}
	p.Header = *r.Header
	return nil
}

// add takes in a line.
func (p *Interrupted) add(r *Line) error {
	p.At = max(p.At, r.At)
	switch {
	case r.Part != nil:
		p.Parts = append(p.Parts, *r.Part)
	case r.Suite != "":
		if _, known := p.Suites[r.Suite]; !known { // its budget began then
			p.Suites[r.Suite] = r.At
		}
	case r.Calibration != nil:
		p.Calibrations = append(p.Calibrations, r.Calibration)
	case r.Floor != nil:
		for _, c := range p.Calibrations {
			r.Floor.Raise(&c.Calibration)
		}
	case r.Warning != nil:
		p.Warnings = append(p.Warnings, *r.Warning)
	case r.Case != nil:
		p.of(KeyOf(r.Case)).finish(r.Case)
		if p.rows != nil {
			p.rows.Keep(r.Case)
		}
	case r.Block != nil:
		return p.of(KeyOf(&r.Block.Case)).add(r.Block)
	}
	return nil
}

func (p *Interrupted) of(key Key) *InterruptedCase {
	if p.Cases[key] == nil {
		p.Cases[key] = &InterruptedCase{Samples: result.NoSamples()}
		p.order = append(p.order, key)
	}
	return p.Cases[key]
}

func (c *InterruptedCase) finish(final *result.Case) {
	*c = InterruptedCase{Final: final, Samples: result.NoSamples()}
}

// add takes in a block.
func (c *InterruptedCase) add(b *Block) error {
	if c.Final != nil {
		return fmt.Errorf("a block of case %q, which is finished", b.Case.Name)
	}
	if b.Whole {
		*c = InterruptedCase{Samples: result.NoSamples()}
	}
	if c.Last != nil && (c.Base == nil) != (b.Base == nil) {
		return errTorn
	}
	if b.Samples != nil {
		extend(&c.Samples, b.Samples)
	}
	c.loops, c.counts = append(c.loops, b.Loops...), append(c.counts, b.Counts...)
	switch {
	case b.Folds != nil:
		c.Folds = b.Folds.Restore()
	case b.summary() && c.Folds == nil:
		c.Folds = summary.NewFolds()
	}
	if c.Folds != nil && b.Samples != nil && b.Folds == nil && b.Samples.Len() > 0 {
		c.Folds.Fold(&c.Samples)
	}
	c.addBase(b.Base)
	var before *result.Latency
	if c.Last != nil {
		before = c.Last.Case.Latency
	}
	b.Case.Latency = latencyAfter(cmp.Or(b.Case.Latency, before), b.Latency)
	c.Last = b
	b.Samples, b.Loops, b.Counts, b.Latency, b.Folds = nil, nil, nil, nil, nil
	return nil
}

// latencyAfter adds the times of single iterations of a block to its case.
func latencyAfter(all *result.Latency, block []*result.Latency) *result.Latency {
	for _, row := range block {
		all = sample.WithBatch(all, row)
	}
	return all
}

// interruptedBase is a base's side as read from a journal.
type interruptedBase struct {
	Last    *Base // without samples
	first   []int
	Samples result.Samples
}

func (c *InterruptedCase) addBase(b *Base) {
	if b == nil {
		return
	}
	if c.Base == nil {
		c.Base = &interruptedBase{Samples: result.NoSamples()}
	}
	if b.Samples != nil {
		extend(&c.Base.Samples, b.Samples)
	}
	c.Base.first = append(c.Base.first, b.First...)
	var before *result.Latency
	if c.Base.Last != nil {
		before = c.Base.Last.Case.Latency
	}
	b.Case.Latency = latencyAfter(cmp.Or(b.Case.Latency, before), b.Latency)
	c.Base.Last = b
	b.Samples, b.First, b.Latency = nil, nil, nil
}

// record contains all of the side, nil if there is none.
func (p *interruptedBase) record() *Base {
	if p == nil {
		return nil
	}
	whole := *p.Last
	if whole.First = p.first; p.Samples.Len() > 0 {
		whole.Samples = &p.Samples
	}
	return &whole
}

// identities are the identities of both sides.
func (c *InterruptedCase) identities() []result.Identity {
	r := c.result()
	all := []result.Identity{r.Identity}
	if r.Pairs != nil && r.Pairs.Identity != nil {
		all = append(all, *r.Pairs.Identity)
	}
	return all
}

// measured reports whether any case was measured.
func (p *Interrupted) measured() bool { return len(p.Cases) > 0 }

// dropUnfinished forgets the cases that are not finished: if a line of the journal
// is lost, it may have been a block of any of them.
func (p *Interrupted) dropUnfinished() {
	p.order = slices.DeleteFunc(p.order, func(key Key) bool {
		unfinished := p.Cases[key].Final == nil
		if unfinished {
			delete(p.Cases, key)
		}
		return unfinished
	})
}

// Records describes the past in the fewest lines with the same content.
func (p *Interrupted) Records() (all []*Line) {
	all = append(all, &Line{Journal: journalVersion, Header: &p.Header})
	for i := range p.Parts {
		all = append(all, &Line{Part: &p.Parts[i]})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Suites)) {
		all = append(all, &Line{Suite: name, At: p.Suites[name]})
	}
	for _, c := range p.Calibrations {
		all = append(all, &Line{Calibration: c})
	}
	for i := range p.Warnings {
		all = append(all, &Line{Warning: &p.Warnings[i]})
	}
	for _, key := range p.order {
		all = append(all, p.Cases[key].record(p.At))
	}
	return all
}

// record contains all of a case in one line.
func (c *InterruptedCase) record(at time.Duration) *Line {
	switch {
	case c.stored != nil:
		return &Line{stored: c.stored}
	case c.Final != nil:
		return &Line{At: at, Case: c.Final}
	}
	whole := *c.Last
	whole.Whole, whole.Loops, whole.Counts = true, c.loops, c.counts
	if c.Samples.Len() > 0 {
		whole.Samples = &c.Samples
	}
	whole.Base = c.Base.record()
	if c.Folds != nil && whole.Samples != nil {
		whole.Folds = c.Folds.Record()
	}
	return &Line{At: at, Block: &whole}
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

// result is the case as far as it is known.
func (c *InterruptedCase) result() *result.Case {
	if c.Final != nil {
		return c.Final
	}
	return &c.Last.Case
}

// dropChanged forgets the cases that name files which are no longer what they were, and the
// cases that are compared with one of those. A case that is finished is of one program, but
// the others of its run would be of another one.
func (p *Interrupted) dropChanged() {
	dirs := map[string]string{}
	for _, s := range p.Header.Suites {
		dirs[s.Name] = filepath.Dir(s.File)
	}
	var hashes binary.Hashes
	why := map[Key]string{}
	for _, key := range p.order {
		if reason := hashes.OtherFile(p.Cases[key].result().Identity.Files, dirs[key.Suite], true); reason != "" {
			why[key] = reason + " since the run was interrupted"
		}
	}
	for more := len(why) > 0; more; {
		more = false
		for _, key := range p.order {
			pairs := p.Cases[key].result().Pairs
			if why[key] != "" || pairs == nil || pairs.Tree != "" || why[Key{key.Suite, pairs.Base}] == "" {
				continue
			}
			why[key], more = "so is its base, "+pairs.Base, true
		}
	}
	p.order = slices.DeleteFunc(p.order, func(key Key) bool {
		if why[key] == "" {
			return false
		}
		delete(p.Cases, key)
		p.Warnings = append(p.Warnings, result.Warning{Code: result.WarnResumed,
			Message: fmt.Sprintf("case %s was measured again from its first sample: %s", key.Name, why[key])})
		return true
	})
}

// Count is how many cases are finished, with those that failed and those that
// have all of their samples, and how many have some blocks.
func (p *Interrupted) Count() (finished, partly int) {
	names := p.Header.names()
	for key, c := range p.Cases {
		if !names[key] {
			continue // a sentinel is none of the cases
		}
		if r := c.result(); c.Final != nil || r.Status == result.Failed || r.Stop != "" {
			finished++
		} else {
			partly++
		}
	}
	return finished, partly
}

// Fits reports whether the journal has a side for the base of a case that has one, and none for
// others. A case that does not fit is measured anew.
func (c *InterruptedCase) Fits(hasBase bool) bool {
	return c.Final != nil || hasBase == (c.Base != nil)
}

// Restore restores the series of both sides of a case as they were after its last block; base is
// nil without one. It reports whether the case was finished.
func (c *InterruptedCase) Restore(own, base *sample.Series) (final bool) {
	r := own.Result
	place := r.Place // may be written otherwise
	if c.Final != nil {
		*r = *c.Final
		r.Place = place
		return true
	}
	*r = c.Last.Case
	r.Place, r.Samples = place, c.Samples
	own.Folds = c.Folds
	own.Restore(&c.Last.Track, c.loops, c.counts)
	if base != nil && c.Base != nil {
		*base.Result = c.Base.Last.Case
		base.Result.Samples = c.Base.Samples
		base.Restore(&c.Base.Last.Track, nil, nil)
		p := r.Pairs
		p.First, p.Samples, p.Latency = append([]int{}, c.Base.first...), base.Result.Samples, base.Result.Latency
	}
	return false
}
