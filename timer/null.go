package timer

// The null counter works everywhere and counts nothing.
func nullCounter() Subtimer {
	return Subtimer{Name: Null, Kind: KindCycle, Help: "no cycle counter: cycles and ticks are absent",
		openCounter: func() (Counter, error) { return nil, nil }}
}
