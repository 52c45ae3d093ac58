package timer

// tscBegin reads the time stamp counter at T0, tscEnd at T1.
func tscBegin() uint64

func tscEnd() uint64

func openRDTSC() (Counter, error) {
	if err := tscReason(cpuid, false); err != nil {
		return nil, err
	}
	return &tickCounter{name: rdtscName, begin: tscBegin, end: tscEnd}, nil
}
