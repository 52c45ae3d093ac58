package timer

import (
	"strings"
	"testing"
)

func TestMigrationIsSeenByRDTSCP(t *testing.T) {
	cpu, tsc := uint32(1), uint64(100)
	c := &tscpCounter{read: func() (uint64, uint32) { tsc += 10; return tsc, cpu }}
	tm := New(&Fake{}, c)
	var a, b Instant
	if err := tm.Now(&a, T0); err != nil {
		t.Fatal(err)
	}
	cpu = 0
	if err := tm.Now(&b, T1); err != ErrRetry || b.CountOK || !b.TimeOK {
		t.Errorf("on another CPU: %+v, %v", b, err)
	}
	if d := tm.Diff(&a, &b); d.CountOK || !d.TimeOK {
		t.Errorf("a count across CPUs: %+v", d)
	}
	if err := tm.Now(&a, T0); err != nil {
		t.Errorf("a new pair on the new CPU: %v", err)
	}
	if err := tm.Now(&b, T1); err != nil || !b.CountOK {
		t.Errorf("the pair on one CPU: %+v, %v", b, err)
	}
	if d := tm.Diff(&a, &b); d.Count != 10 || d.Scaled {
		t.Errorf("%+v, want 10 ticks", d)
	}
}

func TestEdgesOfRDTSCDiffer(t *testing.T) {
	c := &tickCounter{begin: func() uint64 { return 1 }, end: func() uint64 { return 2 }}
	var in Instant
	if c.Read(&in, T0); in.Count != 1 {
		t.Error("T0 is not read by begin")
	}
	if c.Read(&in, T1); in.Count != 2 {
		t.Error("T1 is not read by end")
	}
}

// All 64 bits: without the upper half a counter goes back every two seconds.
func TestTimeStampsAreOfOneCounter(t *testing.T) {
	if err := tscReason(cpuid, true); err != nil {
		t.Skip(err)
	}
	for attempt := 1; ; attempt++ {
		a := tscBegin()
		b, _ := rdtscp()
		c := tscEnd()
		if a < b && b < c && a>>32 != 0 {
			return
		}
		if attempt == 20 { // CPUs may differ a little, and the thread move
			t.Fatalf("rdtsc %d, rdtscp %d, rdtsc %d: want them to grow and the machine to run for some seconds", a, b, c)
		}
	}
}

// processor is a CPUID with these bits in EDX, and the highest leaves.
type processor struct {
	basic, extended       uint32
	features, more, power uint32
}

func (p processor) cpuid(leaf, sub uint32) (a, b, c, d uint32) {
	switch leaf {
	case 0:
		a = p.basic
	case leafExtended:
		a = p.extended
	case leafFeatures:
		d = p.features
	case leafMore:
		d = p.more
	case leafPower:
		d = p.power
	default:
		panic(leaf)
	}
	return
}

func TestTimeStampCounterNeedsItsBitsOfCPUID(t *testing.T) {
	full := processor{7, 0x80000008, 1 << 4, 1 << 27, 1 << 8}
	for _, test := range []struct {
		name         string
		change       func(p *processor)
		rdtscp, rdts string // reasons, empty for none
	}{
		{"all", func(p *processor) {}, "", ""},
		{"no TSC", func(p *processor) { p.features = ^uint32(1 << 4) }, "no time stamp counter", "no time stamp counter"},
		{"no leaf 1", func(p *processor) { p.basic = 0 }, "no time stamp counter", "no time stamp counter"},
		{"no RDTSCP", func(p *processor) { p.more = ^uint32(1 << 27) }, "no instruction rdtscp", ""},
		{"not invariant", func(p *processor) { p.power = ^uint32(1 << 8) }, "not invariant", "not invariant"},
		{"no power leaf", func(p *processor) { p.extended = 0x80000006 }, "not invariant", "not invariant"},
		{"no extended leaves", func(p *processor) { p.extended = 0 }, "no instruction rdtscp", "not invariant"},
	} {
		p := full
		test.change(&p)
		for _, c := range []struct {
			need bool
			want string
		}{{true, test.rdtscp}, {false, test.rdts}} {
			err := tscReason(p.cpuid, c.need)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, rdtscp %t: %v, want %q", test.name, c.need, err, c.want)
			}
		}
	}
}

func TestCPUIDTellsTheHighestLeaf(t *testing.T) {
	a, b, c, d := cpuid(0, 0)
	if a == 0 || b == 0 || c == 0 || d == 0 {
		t.Errorf("leaf 0 is %x %x %x %x: no vendor", a, b, c, d)
	}
}
