package harness

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// catch2 is Catch2, a test framework of C++. Its benchmarks are in tests, and what is in a test is known only after it
// has run. One benchmark cannot be told: a sample runs the test that contains it.
//
// The name of a benchmark consists of the names of its test and of the sections around it, and its own, with slashes
// between them.
type catch2 struct{}

// tagsOfCatch2 are the tags that tests with benchmarks usually have. The first one is Catch2's own.
var tagsOfCatch2 = []string{"[!benchmark]", "[benchmark]", "[bench]"}

const (
	// samplesOfCatch2 is how many samples Catch2 takes, each of 1000 steps of the clock, about 25 µs, or of one
	// iteration. A process first examines the clock for 1.6 s, which no option shortens, so less would save nothing.
	samplesOfCatch2 = 50
	// resultsOfCatch2 is the option for the file with its results: what benchmarks print would tear the results on
	// standard output.
	resultsOfCatch2 = "--out="
)

// failedAssertions are the statuses with which it ends after so many failed assertions; version 3 ends with 42.
func failedAssertions() (statuses []int) {
	for n := range 255 {
		statuses = append(statuses, n+1)
	}
	return statuses
}

func (c catch2) List() Request { return c.ListWithout(nil) }

// ListWithout runs each benchmark as shortly as possible. A comma is an or, and what has none between is an and.
func (catch2) ListWithout(tests []string) Request {
	spec := make([]string, len(tagsOfCatch2))
	for i, tag := range tagsOfCatch2 {
		spec[i] = tag
		for _, test := range tests {
			spec[i] += "~" + catchQuote(test)
		}
	}
	return catchRequest(strings.Join(spec, ","), 1, 0)
}

// Run asks for all tests that a name could mean: if it is a/b/c, the test is a, a/b or a/b/c.
func (catch2) Run(name string, a Amount) Request {
	var spec []string
	for at, c := range name + "/" {
		if c == '/' && at > 0 {
			spec = append(spec, catchQuote(name[:at]))
		}
	}
	return catchRequest(strings.Join(spec, ","), samplesOfCatch2, a.Seconds)
}

// catchRequest takes whole ms for the warm-up. Without analysis and with one resample no statistics are made.
func catchRequest(spec string, samples int, warmup float64) Request {
	return Request{Results: resultsOfCatch2, Args: []string{
		spec, "--reporter", "xml", "--benchmark-samples", strconv.Itoa(samples), "--benchmark-resamples", "1",
		"--benchmark-no-analysis",
		"--benchmark-warmup-time", strconv.FormatFloat(math.Ceil(warmup*1000), 'f', -1, 64),
	}}
}

// catchQuote makes a test of this name match. In quotes three characters have a meaning, and a star at an end, which
// nothing takes from it: other tests may run as well.
func catchQuote(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `,`, `\,`).Replace(name) + `"`
}

// Names has the name of a test that ends early without a benchmark, too: as a case it shows what is wrong with it.
func (catch2) Names(out Output) (names []string, err error) {
	r, err := readCatch(out.Results)
	if err != nil {
		return nil, err
	}
	for _, b := range r.benchmarks {
		names = append(names, b.name)
	}
	isLast := func(b catchBenchmark) bool { return b.test == r.tests[len(r.tests)-1] }
	if !r.isWhole && len(r.tests) > 0 && !slices.ContainsFunc(r.benchmarks, isLast) {
		names = append(names, r.tests[len(r.tests)-1])
	}
	return names, nil
}

func (catch2) Seen(out Output) (tests []string, isWhole bool) {
	r, err := readCatch(out.Results)
	if err != nil {
		return nil, true // Names reports it
	}
	return r.tests, r.isWhole
}

// Time is the mean of its samples: it has no other number.
func (catch2) Time(out Output, name string, _ Amount) (float64, error) {
	r, err := readCatch(out.Results)
	if err != nil {
		return 0, err
	}
	var mine []catchBenchmark
	for _, b := range r.benchmarks {
		if b.name == name {
			mine = append(mine, b)
		}
	}
	failure := r.failureOf(name)
	switch {
	case len(mine) > 1:
		return 0, fmt.Errorf("several benchmarks have the name %s, and it cannot tell them apart", quote(name))
	case failure != nil:
		return 0, failure
	case len(mine) == 0 && len(r.tests) == 0:
		return 0, fmt.Errorf("no test with %s was run: the program has none of this name now", quote(name))
	case len(mine) == 0:
		return 0, fmt.Errorf("its test has run without the benchmark %s", quote(name))
	case !mine[0].done:
		return 0, fmt.Errorf("its results end before the time of %s", quote(name))
	}
	return perIteration(name, mine[0].mean*1e-9, 1)
}

// catchBenchmark is a benchmark in the results of Catch2.
type catchBenchmark struct {
	name string
	test string  // that contains it
	mean float64 // ns
	done bool    // it has a mean
}

// catchFailure is why a test has failed or is skipped: in the benchmark, section or test of a name.
type catchFailure struct {
	in, message string
	skipped     bool
}

// catchResults are the results of Catch2, as far as they go.
type catchResults struct {
	benchmarks []catchBenchmark
	failures   []catchFailure
	tests      []string // that have begun
	isWhole    bool     // all have ended, and none crashed
}

// failureOf returns why a benchmark, its sections or its test have failed, nil if they have not.
func (r *catchResults) failureOf(name string) error {
	for _, f := range r.failures {
		if strings.HasPrefix(name+"/", f.in+"/") {
			return &Failure{Benchmark: name, Message: f.message, Skipped: f.skipped}
		}
	}
	return nil
}

// readCatch reads a results file. It may end anywhere: a crash tears it, after a report of the crash if there was time
// for one.
func readCatch(file string) (*catchResults, error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("it wrote no results to the file of --out")
	case err != nil:
		return nil, fmt.Errorf("its results cannot be read: %w", errors.Unwrap(err))
	case !bytes.HasPrefix(bytes.TrimSpace(text), []byte("<?xml")):
		return nil, errors.New("its results are no XML: is its reporter the one of Catch2?")
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	r, within := &catchResults{isWhole: true}, []string(nil) // the test, sections and benchmark that are open
	for {
		token, err := d.Token()
		if err != nil {
			r.isWhole = r.isWhole && errors.Is(err, io.EOF)
			return r, nil
		}
		switch e := token.(type) {
		case xml.StartElement:
			within = r.element(d, &e, within)
		case xml.EndElement:
			if n := e.Name.Local; n == "TestCase" || n == "Section" || n == "BenchmarkResults" {
				within = within[:max(len(within)-1, 0)]
			}
		}
	}
}

// element reads the beginning of an element, and returns what is open then.
func (r *catchResults) element(d *xml.Decoder, e *xml.StartElement, within []string) []string {
	attribute := func(name string) string {
		i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
		if i < 0 {
			return ""
		}
		return e.Attr[i].Value
	}
	fail := func(message string) {
		text := strings.Join(strings.Fields(message), " ")
		r.failures = append(r.failures, catchFailure{strings.Join(within, "/"), text, e.Name.Local == "Skip"})
	}
	switch e.Name.Local {
	case "TestCase":
		r.tests = append(r.tests, attribute("name"))
		return []string{attribute("name")}
	case "Section":
		return append(within, attribute("name"))
	case "BenchmarkResults":
		within = append(within, attribute("name"))
		r.benchmarks = append(r.benchmarks, catchBenchmark{name: strings.Join(within, "/"), test: within[0]})
	case "mean":
		if len(r.benchmarks) == 0 {
			return within
		}
		b := &r.benchmarks[len(r.benchmarks)-1]
		mean, err := strconv.ParseFloat(attribute("value"), 64)
		b.mean, b.done = mean, err == nil
	case "failed": // the benchmark has thrown
		fail(attribute("message"))
	case "FatalErrorCondition":
		r.isWhole = false
		fail(textOf(d, e))
	case "Exception", "Failure", "Skip":
		fail(textOf(d, e))
	case "Expression":
		if attribute("success") == "false" {
			fail(attribute("type") + " " + textOf(d, e) + " in " + attribute("filename") + ":" + attribute("line"))
		}
	}
	return within
}

// textOf returns the text of an element: of an expression, with the values that it had.
func textOf(d *xml.Decoder, e *xml.StartElement) string {
	var inner struct {
		Text      string `xml:",chardata"`
		Expanded  string
		Exception string
	}
	_ = d.DecodeElement(&inner, e) // a torn element has the text that it has
	return cmp.Or(strings.TrimSpace(inner.Exception), strings.TrimSpace(inner.Expanded), strings.TrimSpace(inner.Text))
}
