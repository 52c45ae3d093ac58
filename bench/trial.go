package bench

// Try returns a loop around an operation that may declare an iteration void, by
// returning false: what it met this time is not what the benchmark is about (a
// cache was cold, a lock was taken, a retry was needed). A void iteration, and
// only it, is left out; it is counted, and a case of which too few iterations
// count fails (reject.quorum in the suite file).
//
// To know the time of each iteration the clock is read after every one of them,
// 29 ns each, which is subtracted: use it for operations of a microsecond and
// more. A set-up that calls Try returns the loop that it gave.
func (c *Case) Try(op func() bool) Loop {
	c.trial = op
	return func(n int) {
		for range n {
			op()
		}
	}
}

// Trial is for hosts: the operation given to Try, nil where there was none.
func (c *Case) Trial() func() bool { return c.trial }
