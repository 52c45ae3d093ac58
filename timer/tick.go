package timer

// Names of the counters of ticks.
const (
	rdtscpName = "x86-rdtscp"
	rdtscName  = "x86-rdtsc"
	cntvctName = "arm64-cntvct"
)

// Time stamp counters step at a fixed frequency, also while the thread waits, and do
// not measure cycles.
func tickCounters() []Subtimer {
	return []Subtimer{
		{Name: rdtscpName, Kind: KindCycle, Unit: Ticks,
			Help:        "ticks of the time stamp counter; notices a move to another CPU",
			openCounter: func() (Counter, error) { return openOn("", "amd64", openRDTSCP) }},
		{Name: rdtscName, Kind: KindCycle, Unit: Ticks, ByName: true,
			Help:        "ticks of the time stamp counter; does not notice a move to another CPU",
			openCounter: func() (Counter, error) { return openOn("", "amd64", openRDTSC) }},
		{Name: cntvctName, Kind: KindCycle, Unit: Ticks,
			Help:        "ticks of the virtual counter, which is one for all CPUs",
			openCounter: func() (Counter, error) { return openOn("", "arm64", openCNTVCT) }},
	}
}

// tickCounter reads a time stamp counter that does not report the CPU.
type tickCounter struct {
	name       string
	begin, end func() uint64 // readings at T0 and T1
}

func (c *tickCounter) Name() string     { return c.name }
func (c *tickCounter) Unit() Unit       { return Ticks }
func (c *tickCounter) PerThread() bool  { return false }
func (c *tickCounter) Preflight() error { return nil }
func (c *tickCounter) Close() error     { return nil }

func (c *tickCounter) Read(out *Instant, edge Edge) error {
	if edge == T0 {
		out.Count = c.begin()
	} else {
		out.Count = c.end()
	}
	out.Enabled, out.Running = 0, 0
	return nil
}
