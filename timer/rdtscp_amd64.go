package timer

// rdtscp reads the time stamp counter and, in the same instruction, IA32_TSC_AUX, in
// which the system stores the number of the CPU.
func rdtscp() (tsc uint64, aux uint32)

// tscpCounter remembers the CPU on which it was read at T0. If the thread is on another
// CPU at T1, it was interrupted, and its ticks may come from another counter.
type tscpCounter struct {
	read func() (tsc uint64, aux uint32)
	cpu  uint32
}

func (*tscpCounter) Name() string     { return rdtscpName }
func (*tscpCounter) Unit() Unit       { return Ticks }
func (*tscpCounter) PerThread() bool  { return false }
func (*tscpCounter) Preflight() error { return nil }
func (*tscpCounter) Close() error     { return nil }

// Read fails with ErrRetry at T1 if the thread is on another CPU than at T0. Reading T1
// again helps only if the thread moves back: begin the pair again.
func (c *tscpCounter) Read(out *Instant, edge Edge) error {
	tsc, cpu := c.read()
	out.Count = tsc
	out.Enabled = 0
	out.Running = 0
	if edge == T0 {
		c.cpu = cpu
	} else if cpu != c.cpu {
		return ErrRetry
	}
	return nil
}

func openRDTSCP() (Counter, error) {
	if err := tscReason(cpuid, true); err != nil {
		return nil, err
	}
	return &tscpCounter{read: rdtscp}, nil
}
