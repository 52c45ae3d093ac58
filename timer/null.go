package timer

// nullCounter is the cycle subtimer that initialises everywhere and never
// reports any cycles.
func nullCounter() Subtimer {
	return Subtimer{Name: Null, Kind: KindCycle, Help: "no cycle counter: cycles and ticks are absent",
		openCounter: func() (Counter, error) { return nil, nil }}
}
