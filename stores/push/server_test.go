package push

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/flat/flattest"
)

// server answers requests and keeps them.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	seen []seen
}

type seen struct {
	method, place, body string
	header              http.Header
}

// serve starts a server. answer gets the number of the request, from 1; without it, requests
// are answered by an empty 200.
func serve(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request, body string)) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen = append(s.seen, seen{r.Method, r.URL.RequestURI(), string(body), r.Header})
		n := len(s.seen)
		s.mu.Unlock()
		if answer != nil {
			answer(n, w, r, string(body))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// url is kind+http://user:password@host.
func (s *server) url(kind, path string) string {
	return kind + "+http://me:ge%2Fheim@" + strings.TrimPrefix(s.URL, "http://") + path
}

// opened opens a store of this package, whose waits are kept in place of waiting.
func opened(t *testing.T, to string, variables map[string]string) (Store, *[]time.Duration) {
	t.Helper()
	kind, _, _ := strings.Cut(to, "+")
	if to == "otlp:" {
		kind = "otlp"
	}
	store, err := HTTP(func(name string) (string, bool) { v, ok := variables[name]; return v, ok })[kind](context.Background(), to)
	if err != nil {
		t.Fatal(err)
	}
	var waits []time.Duration
	store.(interface {
		waitBy(func(context.Context, time.Duration) error)
	}).waitBy(func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	})
	return store, &waits
}

func (s *sender) waitBy(f func(context.Context, time.Duration) error) { s.sleep = f }

// Every store sends its requests to these places, with the user and password of the URL.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		kind, path string
		want       []string
	}{
		{"clickhouse", "/bench?table=runs", []string{
			"POST /?database=bench&wait_end_of_query=1 text/plain; charset=utf-8",
			"POST /?database=bench&date_time_input_format=best_effort&query=INSERT+INTO+runs+FORMAT+JSONEachRow&wait_end_of_query=1 text/plain; charset=utf-8"}},
		{"pushgateway", "", []string{
			"PUT /metrics/job/suite/suite@base64/cGFyc2Vy text/plain; version=0.0.4; charset=utf-8",
			"PUT /metrics/job/suite/suite@base64/c2l0ZXMvZ3LDtsOfZQ text/plain; version=0.0.4; charset=utf-8"}},
		{"pushgateway", "/gate/metrics/job/ci/branch/main/", []string{
			"PUT /gate/metrics/job/ci/branch/main/suite@base64/cGFyc2Vy text/plain; version=0.0.4; charset=utf-8",
			"PUT /gate/metrics/job/ci/branch/main/suite@base64/c2l0ZXMvZ3LDtsOfZQ text/plain; version=0.0.4; charset=utf-8"}},
		{"otlp", "/otlp", []string{"POST /otlp/v1/metrics application/json"}},
		{"otlp", "/v1/metrics", []string{"POST /v1/metrics application/json"}},
		{"otlp", "/v1/metrics/", []string{"POST /v1/metrics application/json"}},
	} {
		s := serve(t, nil)
		store, _ := opened(t, s.url(c.kind, c.path), nil)
		done, err := Runs(t.Context(), store, flattest.Runs(t)[1:2])
		if want := "pushed 1 run to " + store.String(); done != want || err != nil {
			t.Errorf("%s: %q, %v", c.kind, done, err)
		}
		var got []string
		for _, r := range s.seen {
			got = append(got, r.method+" "+r.place+" "+r.header.Get("Content-Type"))
			if user, password, _ := (&http.Request{Header: r.header}).BasicAuth(); user != "me" || password != "ge/heim" {
				t.Errorf("%s: user %q, password %q", c.kind, user, password)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.kind, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// What a server refuses is an error that quotes the first line of its answer, and no secret.
func TestRefusals(t *testing.T) {
	say := func(status int, text string) func(int, http.ResponseWriter, *http.Request, string) {
		return func(_ int, w http.ResponseWriter, r *http.Request, _ string) {
			w.Header().Set("Location", "http://me:ge%2Fheim@other/place?key=ge/heim")
			w.WriteHeader(status)
			fmt.Fprint(w, text)
		}
	}
	for name, c := range map[string]struct {
		answer func(int, http.ResponseWriter, *http.Request, string)
		want   string
		tries  int
	}{
		"500":      {say(500, "no room for ge/heim\nmore"), "it answers 500 Internal Server Error: no room for ***", 1},
		"401":      {say(401, ""), "it answers 401 Unauthorized", 1},
		"redirect": {say(301, ""), "it answers 301 Moved Permanently: it has moved to http://other/place", 1},
		"busy":     {say(503, "busy"), "it answers 503 Service Unavailable: busy", 4},
		"later": {func(_ int, w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		}, "it answers 429 Too Many Requests", 1},
		"cut": {func(_ int, w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "{")
		}, "the answer 200 OK is cut, so nobody knows what was stored", 1},
		"closed": {func(_ int, w http.ResponseWriter, _ *http.Request, _ string) { panic(http.ErrAbortHandler) }, "EOF", 1},
		"long":   {say(400, strings.Repeat("ü", 300)), "it answers 400 Bad Request: " + strings.Repeat("ü", 199) + "…", 1},
	} {
		for _, kind := range []string{"clickhouse", "pushgateway", "otlp"} {
			s := serve(t, c.answer)
			store, _ := opened(t, s.url(kind, ""), nil)
			_, err := Runs(t.Context(), store, flattest.Runs(t)[2:])
			if want := fmt.Sprintf("%s+%s: %s", kind, s.URL, c.want); err == nil || err.Error() != want {
				t.Errorf("%s, %s: got  %v\nwant %s", name, kind, err, want)
			}
			if len(s.seen) != c.tries {
				t.Errorf("%s, %s: %d attempts, want %d", name, kind, len(s.seen), c.tries)
			}
		}
	}
}

// A server that is busy is asked again, as often and as late as it wants.
func TestBusyServers(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request, _ string) {
		switch n {
		case 1:
			w.WriteHeader(502)
		case 2:
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(503)
		case 3:
			w.Header().Set("Retry-After", "a moment")
			w.WriteHeader(429)
		}
	})
	store, waits := opened(t, s.url("otlp", ""), nil)
	if _, err := Runs(t.Context(), store, flattest.Runs(t)[:1]); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(*waits) != "[1s 7s 4s]" || len(s.seen) != 4 || s.seen[0].body != s.seen[3].body {
		t.Errorf("waits %v, %d requests", *waits, len(s.seen))
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, "-5": 0, "x": 0, "99999999999999999999": 0, "999999": 24 * time.Hour,
		now.Add(time.Minute).Format(http.TimeFormat): time.Minute, now.Add(-time.Minute).Format(http.TimeFormat): 0,
	} {
		if got := RetryAfter(text, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A signal ends a request that does not end soon, and a wait for the next one.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s := serve(t, func(_ int, _ http.ResponseWriter, r *http.Request, _ string) {
		cancel(fmt.Errorf("interrupted"))
		<-r.Context().Done()
	})
	store, _ := opened(t, s.url("pushgateway", ""), nil)
	const want = "interrupted; 0 of 1 runs were pushed (none), and not the run of 2026-11-01 12:00:00 at 1111111111"
	if _, err := send(ctx, store, flattest.Runs(t)[:1], time.Millisecond); err == nil || err.Error() != want {
		t.Error(err)
	}
	if err := Sleep(ctx, time.Hour); err == nil || err.Error() != "interrupted" {
		t.Error(err)
	}
}

func TestNobodyListens(t *testing.T) {
	s := serve(t, nil)
	s.Close()
	store, _ := opened(t, s.url("otlp", ""), nil)
	_, err := Runs(t.Context(), store, flattest.Runs(t)[:1])
	if err == nil || !strings.Contains(err.Error(), "connection refused") || strings.Contains(err.Error(), "heim") {
		t.Error(err)
	}
}

// After a failure the runs that were not sent have their names.
func TestUnsentRuns(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request, _ string) {
		if n == 2 {
			w.WriteHeader(400)
		}
	})
	store, _ := opened(t, s.url("otlp", ""), nil)
	_, err := Runs(t.Context(), store, flattest.Runs(t))
	want := "otlp+" + s.URL + ": it answers 400 Bad Request; 1 of 3 runs were pushed (the run of 2026-11-01 12:00:00 at 1111111111), and not the run of 2026-11-02 12:00:00 at 2222222222, the run of 2026-11-03 12:00:00"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A run without cases is not sent, and one without a digest is refused before anything is sent.
func TestRunsWithoutCasesOrDigest(t *testing.T) {
	s := serve(t, nil)
	store, _ := opened(t, s.url("otlp", ""), nil)
	runs := flattest.Runs(t)
	runs[1].Cases = nil
	if done, err := Runs(t.Context(), store, runs[1:]); done != "pushed 1 run to "+store.String() || err != nil || len(s.seen) != 1 {
		t.Errorf("%q, %v, %d requests", done, err, len(s.seen))
	}
	runs[2].Digest = ""
	if _, err := Runs(t.Context(), store, runs); err == nil || err.Error() != "the run of 2026-11-03 12:00:00 has no digest, by which a store knows it again" || len(s.seen) != 1 {
		t.Errorf("%v, %d requests", err, len(s.seen))
	}
}

// A URL that is refused is refused without a secret in the message, however its password was
// written.
func TestURLsWithPasswords(t *testing.T) {
	for _, to := range []string{
		"clickhouse+http://me:ge/heim@host", "clickhouse+http://me:12/heim@host", "clickhouse+http://me:1#heim@host", "clickhouse+http://me:ge%zheim@host", "clickhouse+http://me:1?heim@host",
		"pushgateway+http://me:12/heim@host", "otlp+http://me:hei m@[::1", "otlp+http://u@host/?key=heim", "clickhouse+http://u@host/?password=heim", "clickhouse+ftp://me:heim@host", "pushgateway+http://me:heim@",
		"clickhouse+http://u:heim@host/a-b", "pushgateway+http://u:heim@host/metrics/job/a/b", "pushgateway+http://u:heim@host/metrics/job/", "pushgateway+http://u:heim@host/x/metrics/job", "otlp:heim@host",
	} {
		kind, _, _ := strings.Cut(strings.Replace(to, ":", "+", 1), "+")
		_, err := HTTP(func(string) (string, bool) { return "", false })[kind](t.Context(), to)
		if err == nil || strings.Contains(err.Error(), "heim") || strings.Contains(err.Error(), "ge/") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if got := withoutSecrets("http://u:p@host:1/path?key=secret#part"); got != "http://host:1/path" {
		t.Error(got)
	}
}
