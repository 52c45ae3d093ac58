package verify

import "strings"

// trusted lists what only the digest covers, because nothing else in a document depends on it:
// for readers, and as paths of the document, in which a list ends in [] and a path includes all
// that is below it. [pass] is a summary without samples, pairs[case] are pairs with another case of
// the document, and [none] is the absence of a value. A test changes every value of documents, and fails for a
// value that is neither found nor listed.
var trusted = []struct {
	what  string
	paths string
}{
	{"names, parameters, settings, work and identity of cases",
		"cases[].name cases[].description cases[].tags cases[].params cases[].settings cases[].work cases[].unit " +
			"cases[].identity cases[].pairs.identity " +
			"cases[].pairs.tree cases[].kind cases[].declared cases[].missing cases[].family"},
	{"machine, clocks and times of the run",
		"machine calibrations started seconds seed division.machines cases[].clock cases[].clock_cost cases[].thread " +
			"cases[].stop cases[].loop cases[].loop_cost cases[].loop_error " +
			"cases[].overhead cases[].pairs.overhead cases[].seconds cases[].iterations cases[].samples.at " +
			"cases[].pairs.samples.at cases[].samples.disturbed[].cause cases[].samples.disturbed[].count " +
			"cases[].pairs.samples.disturbed[].cause cases[].pairs.samples.disturbed[].count"},
	{"failures", "cases[].failure cases[].launches"},
	{"warnings", "warnings cases[].warnings"},
	{"texts of suite files", "suites[].sources suites[].description"},
	{"name and version of the program", "tool"},
	{"commits", "suites[].commit suites[].against.revision suites[].against.merge_base suites[].against.dirty " +
		"suites[].against.kind suites[].against.hash suites[].against.started"},
	{"names, hashes and keys of suite files", "suites[].file suites[].hash suites[].report suites[].floor"},
	{"places of cases and gates in them", "cases[].place cases[].gates[].place cases[].gates[].accepted.place"},
	{"what was compared with what, and which of its cases and gates were removed or relaxed",
		"suites[].against cases[].counterpart.name cases[].counterpart.reason cases[].counterpart.rule"},
	{"how the cases were divided among shards", "division"},
	{"numbers of passes without samples, and whether there are such",
		"cases[].metrics[pass] cases[].pairs.metrics[pass]"},
	{"single samples of a base that is a case, as far as no comparison depends on them",
		"cases[].pairs[case].samples.columns"},
	{"that a program kept its order of functions in a layout",
		"cases[].pairs.layouts[].case[none] cases[].pairs.layouts[].base[none]"},
	{"samples that were disturbed and set aside",
		"cases[].samples.columns.cpu cases[].samples.columns.wall cases[].pairs.samples.columns.cpu " +
			"cases[].pairs.samples.columns.wall"},
	{"that a gate compares", "cases[].gates[].compares"},
	{"that an exit status of 3 comes from a report", "exit"},
	{"reasons, days and details of acceptances", "acceptances cases[].gates[].accepted"},
}

// onItsWord is what is taken as it is in every document, in words.
func onItsWord() string {
	var list []string
	for _, t := range trusted {
		list = append(list, t.what)
	}
	return "what only the digest covers, which whoever edits a document can make anew: " + strings.Join(list, "; ")
}
