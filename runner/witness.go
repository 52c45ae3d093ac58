package runner

// wantsWitness reports whether the instructions of both sides of a pair are counted although
// the suite file does not ask for them: they show where a change of the time comes from.
func (t *target) wantsWitness() bool {
	return t.paired && !t.spec.NoWitness && !t.spec.Callgrind && !t.isGoTest() && !t.hasArrivals()
}

// withoutWitness records why the instructions of the pairs are not counted: the reason of
// the first side that has one.
func (s *side) withoutWitness(why string) {
	pairs := s.of.result.Pairs
	if why != "" && pairs != nil && pairs.NoInstructions == "" {
		pairs.NoInstructions = why
	}
}
