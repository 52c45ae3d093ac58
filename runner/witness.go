package runner

// withoutWitness records why the instructions of the pairs are not counted: the reason of
// the first side that has one.
func (s *side) withoutWitness(why string) {
	pairs := s.of.result.Pairs
	if why != "" && pairs != nil && pairs.NoInstructions == "" {
		pairs.NoInstructions = why
	}
}
