package runner

// wantsWitness reports whether the instructions of both sides of a pair are counted although
// the suite file does not ask for them: they show where a change of the time comes from.
func (a *asked) wantsWitness() bool {
	return a.paired && !a.spec.NoWitness && !a.spec.Callgrind && !a.isGoTest() && !a.hasArrivals()
}

// withoutWitness records why the instructions of the pairs are not counted: the reason of
// the first side that has one.
func (t *side) withoutWitness(why string) {
	pairs := t.of.result.Pairs
	if why != "" && pairs != nil && pairs.NoInstructions == "" {
		pairs.NoInstructions = why
	}
}
