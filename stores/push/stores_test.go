package push

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/flat/flattest"
	"example.com/suite/internal/golden"
	"github.com/go-json-experiment/json/jsontext"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// The rows are what a real ClickHouse has taken.
func TestClickHouse(t *testing.T) {
	runs := flattest.Runs(t)
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, body string) {
		if strings.HasPrefix(body, "SELECT") {
			w.Write([]byte(runs[1].Digest + "\nsha256:other\n"))
		}
	})
	store, _ := opened(t, s.url("clickhouse", ""), nil)
	done, err := Runs(t.Context(), store, runs)
	if done != "pushed 2 runs to clickhouse+"+s.URL+"; 1 already there" || err != nil {
		t.Errorf("%q, %v", done, err)
	}
	golden.Check(t, "testdata/clickhouse.txt", bodies(s))
}

func bodies(s *server) string {
	var all []string
	for _, r := range s.seen {
		all = append(all, r.body)
	}
	return strings.Join(all, "\n")
}

// A table that is not there is made, under the name of the URL.
func TestClickHouseTable(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request, _ string) {
		if n == 1 {
			w.Header().Set("X-ClickHouse-Exception-Code", "60")
			w.WriteHeader(404)
		}
	})
	store, _ := opened(t, s.url("clickhouse", "?table=runs"), nil)
	if _, err := Runs(t.Context(), store, flattest.Runs(t)[:1]); err != nil {
		t.Fatal(err)
	}
	if len(s.seen) != 3 || !strings.HasPrefix(s.seen[1].body, "CREATE TABLE IF NOT EXISTS runs (\n    run ") {
		t.Errorf("%d requests: %s", len(s.seen), s.seen[1].body)
	}
	for _, c := range []string{"500", "200"} { // an exception with a good status is one, too
		s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("X-ClickHouse-Exception-Code", "241")
			if c == "500" {
				w.WriteHeader(500)
			}
			w.Write([]byte("Code: 241. DB::Exception: Memory limit"))
		})
		store, _ := opened(t, s.url("clickhouse", ""), nil)
		if _, err := Runs(t.Context(), store, flattest.Runs(t)[:1]); err == nil || !strings.Contains(err.Error(), "Code: 241. DB::Exception: Memory limit") {
			t.Error(err)
		}
	}
}

// A server without the types of the table is called too old; for any other refusal the reason is
// the server's own.
func TestClickHouseThatIsTooOld(t *testing.T) {
	for version, want := range map[string]string{
		"18.16.1": "ClickHouse 18.16.1 is too old: it lacks types of the table", "21.11.5": "21.11.5 is too old", "21.12.1": "Unknown type Bool", "24.3.1": "Unknown type Bool", "odd": "Unknown type Bool",
	} {
		s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, body string) {
			switch {
			case strings.HasPrefix(body, "SELECT version()"):
				fmt.Fprintln(w, version)
			case strings.HasPrefix(body, "CREATE"):
				w.Header().Set("X-ClickHouse-Exception-Code", "50")
				http.Error(w, "Unknown type Bool", http.StatusInternalServerError)
			default:
				w.Header().Set("X-ClickHouse-Exception-Code", "60")
				http.Error(w, "no table", http.StatusNotFound)
			}
		})
		store, _ := opened(t, s.url("clickhouse", ""), nil)
		if _, err := Runs(t.Context(), store, flattest.Runs(t)[:1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", version, err, want)
		}
	}
}

// The statement that makes the table has the columns of a row, in their order.
func TestClickHouseColumns(t *testing.T) {
	var columns []string
	for line := range strings.Lines(clickhouseTable) {
		if fields := strings.Fields(line); strings.HasPrefix(line, "    ") {
			columns = append(columns, fields[0])
		}
	}
	if !slices.Equal(columns, flat.Columns()) {
		t.Errorf("got %v\nwant %v", columns, flat.Columns())
	}
	page, err := os.ReadFile("../../docs/stores.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range flat.Columns() {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/stores.md does not describe column %s", name)
		}
	}
}

func TestPushgatewayKeepsOneRun(t *testing.T) {
	s := serve(t, nil)
	store, _ := opened(t, s.url("pushgateway", ""), nil)
	if _, err := Runs(t.Context(), store, flattest.Runs(t)); err == nil || !strings.Contains(err.Error(), `there are several of "parser"`) || len(s.seen) > 0 {
		t.Error(err, len(s.seen))
	}
	if _, err := Runs(t.Context(), store, flattest.Runs(t)[1:2]); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/pushgateway.txt", bodies(s))
}

// The request is a message of OTLP: its own definition reads it, and knows every field.
func TestOTLP(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, _ string) {
		w.Write([]byte(`{"partialSuccess":{}}`))
	})
	store, _ := opened(t, "otlp:", map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": s.URL + "/base/", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x-team = bench,",
	})
	if _, err := Runs(t.Context(), store, flattest.Runs(t)[:1]); err != nil {
		t.Fatal(err)
	}
	r := s.seen[0]
	if r.place != "/base/v1/metrics" || r.header.Get("Api-Key") != "a b" || r.header.Get("X-Team") != "bench" {
		t.Errorf("%s %v", r.place, r.header)
	}
	var message metrics.MetricsData // the request has the same fields
	if err := protojson.Unmarshal([]byte(r.body), &message); err != nil {
		t.Fatal(err)
	}
	all := message.ResourceMetrics[0].ScopeMetrics[0].Metrics
	point := all[0].GetGauge().DataPoints[0]
	if len(all) != 13 || all[0].Name != "suite.time" || all[0].Unit != "s" || point.GetAsDouble() != 1.25e-9 || point.TimeUnixNano != 1793534400250000000 {
		t.Errorf("%d metrics, the first is %v", len(all), all[0])
	}
	text := jsontext.Value(r.body)
	if err := text.Indent(); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/otlp.json", string(text)+"\n")
}

// A receiver that drops points answers with status 200.
func TestOTLPPartialSuccess(t *testing.T) {
	for text, want := range map[string]string{
		`{"partialSuccess":{"rejectedDataPoints":"3","errorMessage":"too old"}}`: "it has dropped 3 points: too old",
		`{"partialSuccess":{"rejectedDataPoints":3}}`:                            "it has dropped 3 points: ",
		`{"partialSuccess":{"rejectedDataPoints":"0","errorMessage":"slow"}}`:    "",
		`{"partialSuccess":null}`:                                                "", `{}`: "", ``: "", `ok`: "",
	} {
		s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request, _ string) { w.Write([]byte(text)) })
		store, _ := opened(t, s.url("otlp", ""), nil)
		_, err := Runs(t.Context(), store, flattest.Runs(t)[:1])
		if (err != nil) != (want != "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Large runs are sent in parts, because collectors refuse large requests.
func TestOTLPParts(t *testing.T) {
	s := serve(t, nil)
	store, _ := opened(t, s.url("otlp", ""), nil)
	rows := slices.Repeat(flat.Rows(flattest.Runs(t)[2]), 2*mostRows+1)
	if _, err := store.Push(t.Context(), rows); err != nil || len(s.seen) != 3 {
		t.Error(err, len(s.seen))
	}
}

func TestOTLPAddress(t *testing.T) {
	for _, c := range []struct {
		variables map[string]string
		to        string
	}{
		{map[string]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "https://a/own", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://b"}, "https://a/own"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://b:4318"}, "http://b:4318/v1/metrics"},
		{map[string]string{}, "error"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "b:4318"}, "error"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://b", "OTEL_EXPORTER_OTLP_HEADERS": "key"}, "error"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://b", "OTEL_EXPORTER_OTLP_HEADERS": "a key=1"}, "error"},
		{map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://b", "OTEL_EXPORTER_OTLP_HEADERS": "key=1%0D%0Aother: 2"}, "error"},
	} {
		got := "error"
		store, err := openOTLP("", nil, func(name string) (string, bool) { v, ok := c.variables[name]; return v, ok })
		if err == nil {
			got = store.(*otlp).to
		}
		if got != c.to {
			t.Errorf("%v: %s, %v", c.variables, got, err)
		}
	}
}
