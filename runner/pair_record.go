package runner

import (
	"errors"
	"slices"

	"example.com/suite/result"
)

// baseRecord is the base's side of a case after a block. First and Samples are what
// that block has added; the other fields are complete.
type baseRecord struct {
	Case    result.Case     `json:"case"` // without samples
	First   []int           `json:"first,omitempty"`
	Samples *result.Samples `json:"samples,omitempty"`
	Track   recorded        `json:"track"`
}

// baseRecord is what the last block has brought to the base's side, nil without a base.
func (t *track) baseRecord() *baseRecord {
	b := t.base
	if b == nil {
		return nil
	}
	c := *b.result
	c.Samples = result.Samples{}
	r := &baseRecord{Case: c, First: t.freshFirst, Samples: b.fresh, Track: b.recorded}
	b.fresh, t.freshFirst = nil, nil
	return r
}

// coherentPairs checks that the base has one row for each row of the case.
func (b *blockRecord) coherentPairs() error {
	switch {
	case (b.Base == nil) != (b.Case.Pairs == nil):
		return errTorn
	case b.Base == nil:
		return nil
	case (b.Base.Samples == nil) != (b.Samples == nil):
		return errTorn
	case b.Samples == nil:
		return matches(0, b.Base.First, &result.Samples{})
	}
	return matches(b.Samples.Len(), b.Base.First, b.Base.Samples)
}

var errTorn = errors.New("pairs of which a side is missing")

func coherentPairs(c *result.Case) error {
	if c.Pairs == nil {
		return nil
	}
	return matches(c.Samples.Len(), c.Pairs.First, &c.Pairs.Samples)
}

func matches(rows int, first []int, base *result.Samples) error {
	if len(first) != rows || base.Len() != rows || slices.ContainsFunc(first, func(who int) bool { return who != 0 && who != 1 }) {
		return errTorn
	}
	return coherent(base)
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
		c.base = &pastBase{samples: noSamples()}
	}
	if b.Samples != nil {
		extend(&c.base.samples, b.Samples)
	}
	c.base.first, c.base.last = append(c.base.first, b.First...), b
	b.Samples, b.First = nil, nil
}

func (c *pastCase) identities() []result.Identity {
	r := c.result()
	all := []result.Identity{r.Identity}
	if r.Pairs != nil && r.Pairs.Identity != nil {
		all = append(all, *r.Pairs.Identity)
	}
	return all
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

// restoreBase restores the base's side from the journal.
func (t *track) restoreBase(had *pastCase) {
	b := t.base
	if b == nil || had.base == nil {
		return
	}
	*b.result = had.base.last.Case
	b.result.Samples = had.base.samples
	b.remember(&had.base.last.Track)
	b.SetUp = t.SetUp && had.base.last.Track.SetUp
	p := t.result.Pairs
	p.First, p.Samples = append([]int{}, had.base.first...), b.result.Samples
}

// fits reports whether a case with a base has its side too; one without is measured anew.
func (c *pastCase) fits(t *track) bool {
	return c.final != nil || (t.base == nil) == (c.base == nil)
}
