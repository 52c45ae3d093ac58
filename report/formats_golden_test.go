package report

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// exchanged are the formats that other programs read, by the ending of their golden
// files in testdata/formats.
var exchanged = func() map[string]string {
	byEnding := map[string]string{}
	for _, r := range renderers {
		if r.ending != "" {
			byEnding[r.ending] = r.name
		}
	}
	return byEnding
}()

// exchangedDocs are the recorded documents that show everything that these formats
// have to cope with: none and one, failures of every kind, ties, extremes, odd names.
var exchangedDocs = []string{"empty", "one", "red", "faults", "verdicts", "ties", "extremes", "names", "compared", "killed", "gotest",
	"declared", "hashing", "accepted", "interrupted", "refused"}

func TestGoldenOfExchangeFormats(t *testing.T) {
	docs := recorded(t)
	for _, name := range exchangedDocs {
		for ending, format := range exchanged {
			if !isDerived(name, format) && !isLong(name, format) {
				golden.Check(t, filepath.Join("testdata", "formats", name+ending), render(t, format, docs[name], table.Options{}))
			}
		}
	}
}

// isDerived reports whether what a document is in a format follows from another golden file: every text
// of Prometheus is compared with the one of OpenMetrics, and odd names show what it looks like.
func isDerived(name, format string) bool { return format == "prometheus" && name != "names" }

// isLong reports whether testdata/sums.txt has a hash of what a document is in a format: 800 samples of both
// sides. Other tests compare each of them with the document.
func isLong(name, format string) bool {
	return name == "compared" && (format == "csv" || format == "benchfmt")
}

// thousand cases, of which every tenth fails a gate and every hundredth breaks.
func thousand() *result.Document {
	doc := reporttest.Many(1000, 12)
	for i := range doc.Cases {
		c := &doc.Cases[i]
		switch {
		case i%100 == 7:
			reporttest.Breakdown(c, result.Failure{Phase: "run", Cause: "crash", Message: "signal: segmentation fault"})
		case i%10 == 3:
			c.Gates[0].Verdict, c.Gates[0].Reason = result.Fail, "the 99% interval lies above 5 ms"
		}
	}
	return doc
}

// odd are names that formats with quoting have to survive: seeds of every fuzz test.
var odd = []string{"plain", "two words", `"quoted"`, "a|b", "a\\|b", "`tick`", "<b>&amp;</b>", "]]>", "a,b", "a:b", "a%b", "::error::x", "@all", "#1",
	"=1+1", "x-10", "line\nfeed", "carriage\rreturn", "\r\n", "\x1b[31m", "\x00", "\xff\xfe", "\u202eevil", "👩‍🚀", "שלום", " lead", "trail ", "Ünïcode",
	strings.Repeat("long/", 300)}

// named2 is a document of two cases with different names.
func named2(a, b string) *result.Document {
	doc := reporttest.Document("odd")
	for _, name := range []string{a, b} {
		c := reporttest.Measure(doc, "x", 1e-6, 0.01)
		c.Name = name
		reporttest.Judge(c, "time.median < 1us", result.Fail, result.FormInterval, name)
		c.Params = []result.Param{{Name: "p", Text: name}}
	}
	return doc
}

// fuzzNames hands two different names of cases to check.
func fuzzNames(f *testing.F, check func(t *testing.T, doc *result.Document)) {
	for i, name := range odd {
		f.Add(name, odd[(i+1)%len(odd)])
	}
	f.Add("a b", "a_b")
	f.Add("foo", "Foo")
	f.Fuzz(func(t *testing.T, a, b string) {
		// JSON, in which documents are kept, contains only UTF-8.
		a, b = strings.ToValidUTF8(a, "\uFFFD"), strings.ToValidUTF8(b, "\uFFFD")
		if a == "" || b == "" || a == b {
			t.Skip()
		}
		check(t, named2(a, b))
	})
}
