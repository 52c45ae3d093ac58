package timer

import "errors"

// tscBegin reads the time stamp counter at T0, tscEnd at T1.
func tscBegin() uint64

func tscEnd() uint64

// rdtscp reads the time stamp counter and IA32_TSC_AUX, in which the system
// keeps the number of the CPU, in one instruction.
func rdtscp() (tsc uint64, aux uint32)

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// tscpCounter remembers at T0 the CPU it was read on. A thread that is on another
// one at T1 has been interrupted, and its ticks may come from another counter.
type tscpCounter struct {
	read func() (tsc uint64, aux uint32)
	cpu  uint32
}

func (*tscpCounter) Name() string     { return rdtscpName }
func (*tscpCounter) Unit() Unit       { return Ticks }
func (*tscpCounter) PerThread() bool  { return false }
func (*tscpCounter) Preflight() error { return nil }
func (*tscpCounter) Close() error     { return nil }

// Read is ErrRetry at T1 on another CPU than at T0. Reading T1 again does not
// help then, unless the thread moves back: begin the pair again.
func (c *tscpCounter) Read(out *Instant, edge Edge) error {
	tsc, cpu := c.read()
	out.Count, out.Enabled, out.Running = tsc, 0, 0
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

func openRDTSC() (Counter, error) {
	if err := tscReason(cpuid, false); err != nil {
		return nil, err
	}
	return &tickCounter{name: rdtscName, begin: tscBegin, end: tscEnd}, nil
}

// Leaves of CPUID, and the bits of EDX there.
const (
	leafFeatures = 1
	leafExtended = 0x80000000 // EAX is the highest one of these
	leafMore     = 0x80000001
	leafPower    = 0x80000007

	bitTSC       = 1 << 4
	bitRDTSCP    = 1 << 27
	bitInvariant = 1 << 8
)

// tscReason says why the time stamp counter does not serve, nil where it does.
func tscReason(cpuid func(leaf, sub uint32) (a, b, c, d uint32), needRDTSCP bool) error {
	edx := func(leaf uint32) uint32 {
		if last, _, _, _ := cpuid(leaf&leafExtended, 0); last < leaf {
			return 0
		}
		_, _, _, d := cpuid(leaf, 0)
		return d
	}
	switch {
	case edx(leafFeatures)&bitTSC == 0:
		return errors.New("this processor has no time stamp counter")
	case needRDTSCP && edx(leafMore)&bitRDTSCP == 0:
		return errors.New("this processor has no instruction rdtscp; name x86-rdtsc")
	case edx(leafPower)&bitInvariant == 0:
		return errors.New("the time stamp counter is not invariant: it changes its speed with the core, or stops (virtual machines may hide that it does not)")
	}
	return nil
}

func openCNTVCT() (Counter, error) { return nil, needs("", "arm64") }
