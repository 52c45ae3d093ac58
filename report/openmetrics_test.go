package report

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

var (
	metricHead   = regexp.MustCompile(`^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$`)
	metricSample = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$`)
	metricLabel  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(,|$)`)
)

// checkOpenMetrics checks a text against every rule of the format for gauges and
// info, and returns the samples by series.
func checkOpenMetrics(t testing.TB, text string) map[string]float64 {
	t.Helper()
	body, ended := strings.CutSuffix(text, "# EOF\n")
	if !ended || strings.Contains(text, "\r") {
		t.Fatalf("it does not end with # EOF and a line feed, or has a carriage return")
	}
	samples, families, kind, family, heads := map[string]float64{}, map[string]bool{}, "", "", ""
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if m := metricHead.FindStringSubmatch(line); m != nil {
			if m[1] == "TYPE" {
				if families[m[2]] {
					t.Errorf("family %s is there twice", m[2])
				}
				family, kind, heads = m[2], m[3], ""
				families[family] = true
			}
			if m[2] != family || strings.Contains(heads, m[1]) {
				t.Errorf("%q stands in the family %s", line, family)
			}
			if heads += m[1]; m[1] == "UNIT" && !strings.HasSuffix(family, "_"+m[3]) {
				t.Errorf("family %s does not end in its unit %q", family, m[3])
			}
			continue
		}
		m := metricSample.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("no line of OpenMetrics: %q", line)
		}
		if want := map[string]string{"gauge": family, "info": family + "_info"}[kind]; m[1] != want {
			t.Errorf("sample %s in family %s", m[1], family)
		}
		x, err := strconv.ParseFloat(m[3], 64)
		_, twice := samples[m[1]+"{"+m[2]+"}"]
		if err != nil || twice {
			t.Errorf("%q: no number, or there twice", line)
		}
		samples[m[1]+"{"+m[2]+"}"] = x
		checkLabels(t, m[2])
	}
	return samples
}

func checkLabels(t testing.TB, text string) {
	t.Helper()
	seen := map[string]bool{}
	for text != "" {
		m := metricLabel.FindStringSubmatch(text)
		if m == nil || seen[m[1]] || m[3] == "," && len(m[0]) == len(text) {
			t.Fatalf("labels go wrong at %q", text)
		}
		seen[m[1]], text = true, text[len(m[0]):]
	}
}

func TestOpenMetricsKeepsTheRules(t *testing.T) {
	for name, doc := range recorded(t) {
		samples := checkOpenMetrics(t, render(t, "openmetrics", doc, table.Options{}))
		gates, passed := 0, 0.0
		for series, x := range samples {
			if strings.HasPrefix(series, "suite_gate_passed{") {
				gates++
				passed += x
			}
		}
		want, good := 0, 0.0
		for i := range doc.Cases {
			for _, g := range doc.Cases[i].Gates {
				if want++; g.Verdict == result.Pass {
					good++
				}
			}
		}
		if gates != want || passed != good {
			t.Errorf("%s: %d gates, %g passed; want %d and %g", name, gates, passed, want, good)
		}
	}
}

// A number has only the digits that its interval supports. Otherwise GitLab, which
// compares texts, would report each run as a change.
func TestOpenMetricsRounds(t *testing.T) {
	doc := reporttest.Document("d")
	c := reporttest.Measure(doc, "x", 1.2345678e-6, 0.01)
	c.Metrics[0].Low, c.Metrics[0].High = reporttest.Ptr(1.2222222e-6), reporttest.Ptr(1.2468912e-6)
	samples := checkOpenMetrics(t, render(t, "openmetrics", doc, table.Options{}))
	for series, want := range map[string]float64{"suite_time_seconds": 1.235e-6, "suite_low_time_seconds": 1.222e-6, "suite_high_time_seconds": 1.247e-6} {
		if got := samples[series+`{suite="d",case="x",per="op"}`]; got != want {
			t.Errorf("%s is %g, want %g", series, got, want)
		}
	}
}

// A declared metric meets neither a name of ours nor another declared one.
func TestOpenMetricsKeepsDeclaredApart(t *testing.T) {
	doc := reporttest.Document("d")
	c := reporttest.Measure(doc, "x", 1e-6, 0.01)
	for _, name := range []string{"exit_status", "cases", "time_seconds", "low", "Low", "low_time"} {
		c.Declared = append(c.Declared, result.Declared{Name: name, Better: result.Lower})
		c.Metrics = append(c.Metrics, reporttest.Summary(name, "", 1, 0.01))
	}
	checkOpenMetrics(t, render(t, "openmetrics", doc, table.Options{}))
}

func FuzzOpenMetricsNames(f *testing.F) {
	fuzzNames(f, func(t *testing.T, doc *result.Document) {
		n := 0
		for series := range checkOpenMetrics(t, render(t, "openmetrics", doc, table.Options{})) {
			if strings.HasPrefix(series, "suite_time_seconds{") {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%d series of time", n)
		}
	})
}

// checkPrometheus checks a text against the rules of the text format 0.0.4 that the
// textfile collector of node_exporter and the Pushgateway enforce.
func checkPrometheus(t testing.TB, text string) map[string]float64 {
	t.Helper()
	if !strings.HasSuffix(text, "\n") || strings.ContainsAny(text, "\r") {
		t.Fatal("it does not end with a line feed, or has a carriage return")
	}
	samples, families, family := map[string]float64{}, map[string]bool{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if kind, rest, comment := strings.Cut(strings.TrimPrefix(line, "# "), " "); comment && strings.HasPrefix(line, "#") {
			name, of, _ := strings.Cut(rest, " ")
			switch kind {
			case "HELP":
				if families[name] {
					t.Errorf("family %s is there twice", name)
				}
				family, families[name] = name, true
			case "TYPE":
				if name != family || of != "gauge" {
					t.Errorf("%q in the family %s", line, family)
				}
			default:
				t.Errorf("comment %q", line)
			}
			continue
		}
		m := metricSample.FindStringSubmatch(line)
		if m == nil || m[1] != family {
			t.Fatalf("no sample of %s: %q", family, line)
		}
		x, err := strconv.ParseFloat(m[3], 64)
		if _, twice := samples[m[1]+"{"+m[2]+"}"]; twice || err != nil {
			t.Errorf("%q: no number, or there twice", line)
		}
		samples[m[1]+"{"+m[2]+"}"] = x
		checkLabels(t, m[2])
	}
	return samples
}

// The text format of Prometheus has the lines of OpenMetrics, with other headings of families and no
// end: one golden file shows what both look like.
func TestPrometheusSaysTheSame(t *testing.T) {
	docs := recorded(t)
	docs["odd"] = named2(`a"\b`, "line\nfeed")
	for name, doc := range docs {
		got, open := render(t, "prometheus", doc, table.Options{}), render(t, "openmetrics", doc, table.Options{})
		if !maps.Equal(checkPrometheus(t, got), checkOpenMetrics(t, open)) {
			t.Errorf("%s: other series", name)
		}
		if diff := cmp.Diff(asPrometheus(open), got); diff != "" {
			t.Errorf("%s (-of OpenMetrics +got):\n%s", name, diff)
		}
	}
}

var openFamily = regexp.MustCompile(`(?m)^# TYPE (\S+) (\S+)\n(?:# UNIT .*\n)?# HELP \S+ (.*)\n`)

// asPrometheus rewrites a text of OpenMetrics in the text format of Prometheus, which has gauges only
// and quotes in help that are not escaped.
func asPrometheus(open string) string {
	return openFamily.ReplaceAllStringFunc(strings.TrimSuffix(open, "# EOF\n"), func(head string) string {
		m := openFamily.FindStringSubmatch(head)
		name := m[1]
		if m[2] == "info" {
			name += "_info"
		}
		return "# HELP " + name + " " + strings.ReplaceAll(m[3], `\"`, `"`) + "\n# TYPE " + name + " gauge\n"
	})
}

// Timestamps are in seconds in OpenMetrics and in milliseconds in the format of
// Prometheus, and absent unless the option is set.
func TestTimestamps(t *testing.T) {
	doc := reporttest.Compared()
	doc.Started = time.Date(2026, 11, 22, 12, 30, 15, 250e6, time.UTC)
	for format, want := range map[string]string{"openmetrics": " 1795350615.250", "prometheus": " 1795350615250"} {
		plain, stamped := render(t, format, doc, table.Options{}), render(t, format, doc, table.Options{Timestamps: true})
		var lines []string
		for line := range strings.Lines(stamped) {
			cut := strings.TrimSuffix(line, want+"\n")
			if sample := !strings.HasPrefix(line, "#"); sample != (cut != line) {
				t.Fatalf("%s: %q", format, line)
			}
			lines = append(lines, strings.TrimSuffix(cut, "\n")+"\n")
		}
		if strings.Join(lines, "") != plain {
			t.Errorf("%s: more than timestamps differs", format)
		}
	}
}
