package stats

// Call judges one comparative call from pairs some of which are disturbed: a
// Sequence of those that disturbances.Settle uses, each settled when it comes.
// The outcome is a function of the pairs and their order, and its errors are
// those of Sequence: at most α on each side, whatever the machine disturbs, as
// long as it does not depend on who runs.
type Call struct {
	used      *Sequence
	count     disturbances
	decidedAt int
}

// NewCall returns a judge without pairs; limit, alpha and the errors are those
// of NewSequence.
func NewCall(limit, alpha float64) (*Call, error) {
	used, err := NewSequence(limit, alpha)
	if err != nil {
		return nil, err
	}
	return &Call{used: used}, nil
}

// Add takes in the next pair: its log ratio, and which of its sides were
// disturbed. used says whether it counts. The error is ErrNotFinite; such a pair
// is left out.
func (c *Call) Add(logRatio float64, pair Disturbed) (used bool, err error) {
	if err := finite(logRatio); err != nil {
		return false, err
	}
	if used = c.count.Settle(pair); !used {
		return false, nil
	}
	_ = c.used.Add(logRatio) // finite
	if c.decidedAt == 0 && c.Side() != Undecided {
		c.decidedAt = c.count.Pairs
	}
	return true, nil
}

// Side says what was shown, at the first pair that showed it.
func (c *Call) Side() Side { return c.used.Side() }

// DecidedAt is the number of pairs that it took, those set aside included; 0
// while undecided.
func (c *Call) DecidedAt() int { return c.decidedAt }

// Used gives the sequence of the pairs that count: its evidence, ratio and
// interval are those to show beside the verdict.
func (c *Call) Used() *Sequence { return c.used }

// disturbances counts all pairs by the side that was disturbed; its Use is what
// holds for the pairs to come.
func (c *Call) disturbances() disturbances { return c.count }
