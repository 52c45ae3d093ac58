package stats

// Call judges one comparative call from pairs of which some are disturbed: a
// Sequence of the pairs that disturbances.Settle uses, each decided as it is added.
// The outcome depends on the pairs and their order alone. Its error rates are as in
// Sequence, at most α on each side, if disturbances do not depend on which side runs.
type Call struct {
	used      *Sequence
	count     disturbances
	decidedAt int
}

// NewCall starts a Call without pairs; limit, alpha and the errors are as for
// NewSequence.
func NewCall(limit, alpha float64) (*Call, error) {
	used, err := NewSequence(limit, alpha)
	if err != nil {
		return nil, err
	}
	return &Call{used: used}, nil
}

// Add adds the next pair, its log ratio and its disturbed sides, and reports whether
// the pair is used. The error is ErrNotFinite, and then the pair is left out.
func (c *Call) Add(logRatio float64, pair Disturbed) (used bool, err error) {
	if err := finite(logRatio); err != nil {
		return false, err
	}
	used = c.count.Settle(pair)
	if !used {
		return false, nil
	}
	_ = c.used.Add(logRatio) // cannot fail: it is finite
	if c.decidedAt == 0 && c.Side() != Undecided {
		c.decidedAt = c.count.Pairs
	}
	return true, nil
}

// Side is the side that the pairs have shown, Undecided until then. It never changes
// once it is decided.
func (c *Call) Side() Side { return c.used.Side() }

// DecidedAt is the number of pairs after which Side was decided, including pairs set
// aside; 0 while undecided.
func (c *Call) DecidedAt() int { return c.decidedAt }

// Used is the sequence of the used pairs. Its evidence, ratio and interval belong to
// the verdict.
func (c *Call) Used() *Sequence { return c.used }

// disturbances counts all pairs by disturbed side. Their Use is the rule for the next
// pair.
func (c *Call) disturbances() disturbances { return c.count }
