package timer

import "errors"

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

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

// tscReason explains why the time stamp counter cannot be used, nil if it can.
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
		return errors.New("the time stamp counter is not invariant: it changes its speed with the core, or stops " +
			"(virtual machines may hide that it does not)")
	}
	return nil
}

func openCNTVCT() (Counter, error) { return nil, needs("", "arm64") }
