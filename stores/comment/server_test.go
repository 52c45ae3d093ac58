package comment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// written is a comment on the fake server.
type written struct {
	id           int64
	author, body string
}

const (
	me    = "suite-bot"
	other = "ada"
)

// forge is a server that behaves as the documented interfaces of GitHub and GitLab do, as far as comments are concerned.
type forge struct {
	*httptest.Server
	mu       sync.Mutex
	comments []written
	last     int64
	seen     []string // methods and paths
	// before is called with each request. If it returns true, it has answered. It may change comments.
	before func(f *forge, n int, w http.ResponseWriter, r *http.Request) bool
	jobs   bool // the token may not ask who it is
}

const (
	token   = "secret-token"
	longest = 65536 // characters of a comment of GitHub
)

func newForge(t *testing.T, all ...written) *forge {
	f := &forge{}
	for _, c := range all {
		f.add(c.author, c.body)
	}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *forge) add(author, body string) int64 {
	f.last++
	f.comments = append(f.comments, written{f.last, author, body})
	return f.last
}

func (f *forge) bodies() (all []string) {
	for _, c := range f.comments {
		all = append(all, c.author+": "+c.body)
	}
	return all
}

func (f *forge) count(request string) (n int) {
	for _, s := range f.seen {
		if strings.HasPrefix(s, request) {
			n++
		}
	}
	return n
}

// say answers with a status and a message.
func say(w http.ResponseWriter, status int, message string, headers ...string) bool {
	for i := 0; i+1 < len(headers); i += 2 {
		w.Header().Set(headers[i], headers[i+1])
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"message": %q}`, message)
	return true
}

func (f *forge) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, r.Method+" "+r.URL.Path)
	if f.before != nil && f.before(f, len(f.seen), w, r) {
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+token && r.Header.Get("Private-Token") != token {
		say(w, 401, "Bad credentials")
		return
	}
	const github, gitlab = "/repos/o/r/issues/", "/api/v4/projects/g/p/merge_requests/7/notes"
	path := r.URL.Path
	switch {
	case strings.HasSuffix(path, "/user"):
		if f.jobs {
			say(w, 403, "Resource not accessible by integration")
			return
		}
		write(w, map[string]any{"login": me, "id": 11})
	case path == "/repos/o/r/pulls":
		f.pulls(w, r)
	case path == github+"7/comments", path == gitlab:
		f.collection(w, r, path == gitlab)
	case strings.HasPrefix(path, github+"comments/"), strings.HasPrefix(path, gitlab+"/"):
		f.single(w, r, path[strings.LastIndexByte(path, '/')+1:], strings.HasPrefix(path, gitlab))
	default:
		say(w, 404, "Not Found")
	}
}

func (f *forge) pulls(w http.ResponseWriter, r *http.Request) {
	all := []any{}
	if r.URL.Query().Get("head") == "ada:faster" && r.URL.Query().Get("state") == "open" {
		all = []any{map[string]any{"number": 8, "head": map[string]any{"sha": "bbbb"}}, map[string]any{"number": 7, "head": map[string]any{"sha": "aaaa"}}}
	}
	write(w, all)
}

func (f *forge) collection(w http.ResponseWriter, r *http.Request, gitlab bool) {
	if r.Method == http.MethodPost {
		if body, ok := bodyOf(w, r); ok {
			f.add(me, body)
			w.WriteHeader(201)
			write(w, f.json(f.comments[len(f.comments)-1]))
		}
		return
	}
	all := slices.Clone(f.comments)
	if gitlab {
		slices.Reverse(all) // the newest first
	}
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	page, size = max(page, 1), max(min(size, 100), 1)
	from, to := min((page-1)*size, len(all)), min(page*size, len(all))
	if to < len(all) {
		w.Header().Set("X-Next-Page", strconv.Itoa(page+1))
		w.Header().Set("Link", fmt.Sprintf(`<%s%s?page=%d&per_page=%d>; rel="next"`, f.URL, r.URL.Path, page+1, size))
	}
	shown := []any{}
	for _, c := range all[from:to] {
		shown = append(shown, f.json(c))
	}
	write(w, shown)
}

func (f *forge) single(w http.ResponseWriter, r *http.Request, id string, gitlab bool) {
	at := slices.IndexFunc(f.comments, func(c written) bool { return strconv.FormatInt(c.id, 10) == id })
	change := map[bool]string{false: http.MethodPatch, true: http.MethodPut}[gitlab]
	switch {
	case at < 0:
		say(w, 404, "Not Found")
	case f.comments[at].author != me:
		say(w, 403, "It is not yours")
	case r.Method == http.MethodDelete:
		f.comments = slices.Delete(f.comments, at, at+1)
		w.WriteHeader(204)
	case r.Method == change:
		if body, ok := bodyOf(w, r); ok {
			f.comments[at].body = body
			write(w, f.json(f.comments[at]))
		}
	default:
		say(w, 405, "Method Not Allowed")
	}
}

func (f *forge) json(c written) map[string]any {
	user := map[string]any{"login": c.author, "username": c.author, "id": 22, "type": "User"}
	if c.author == me {
		user["id"], user["type"] = 11, "Bot"
	}
	return map[string]any{"id": c.id, "body": c.body, "user": user, "author": user}
}

func bodyOf(w http.ResponseWriter, r *http.Request) (string, bool) {
	var asked struct{ Body string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || len([]rune(asked.Body)) > longest {
		say(w, 422, "Validation Failed: body is too long (maximum is 65536 characters)")
		return "", false
	}
	return asked.Body, true
}

func write(w http.ResponseWriter, x any) { _ = json.NewEncoder(w).Encode(x) }

// poster posts to the pull request 7 of a server, as a job does. Waits are kept in place of waiting.
type poster struct {
	name      string
	variables map[string]string
	event     string
	waits     []time.Duration
	settle    func() // in place of the waits between two looks, nil: they take no time
}

// now is the time of all tests.
var now = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func (p *poster) post(t *testing.T, f *forge, to, text string) (done string, err error) {
	t.Helper()
	variables := map[string]string{"GITHUB_API_URL": f.URL, "GITHUB_TOKEN": token, "GITHUB_REPOSITORY": "o/r",
		"CI_API_V4_URL": f.URL + "/api/v4", "GITLAB_TOKEN": token, "CI_PROJECT_ID": "g/p", "CI_MERGE_REQUEST_IID": "7"}
	event := filepath.Join(t.TempDir(), "event.json")
	variables["GITHUB_EVENT_PATH"] = event
	if p.event == "" {
		p.event = `{"pull_request": {"number": 7}}`
	}
	if err := os.WriteFile(event, []byte(p.event), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, value := range p.variables {
		variables[name] = value
	}
	sleep := func(_ context.Context, d time.Duration) error { p.waits = append(p.waits, d); return nil }
	settle := func(_ context.Context, d time.Duration) error {
		if d != settling {
			t.Errorf("it waits %v between two looks", d)
		}
		if p.settle != nil {
			p.settle()
		}
		return nil
	}
	s := Surroundings{
		Lookup: func(name string) (string, bool) { v, ok := variables[name]; return v, ok },
		Read:   os.ReadFile,
		Client: &http.Client{Transport: &patient{http.DefaultTransport, func() time.Time { return now }, sleep}},
		Sleep:  settle,
	}
	if p.name == "gitlab" {
		return GitLab(t.Context(), s, to, text)
	}
	return GitHub(t.Context(), s, to, text)
}

// meeting lets jobs wait for each other: each that waits goes on when all others that have not left wait, too.
type meeting struct {
	mu            sync.Mutex
	there, absent int
	begins        chan struct{}
}

func newMeeting(jobs int) *meeting { return &meeting{absent: jobs, begins: make(chan struct{})} }

func (m *meeting) wait() {
	m.mu.Lock()
	m.absent--
	m.there++
	begins := m.begins
	m.open()
	m.mu.Unlock()
	<-begins
}

func (m *meeting) leave() {
	m.mu.Lock()
	m.absent--
	m.open()
	m.mu.Unlock()
}

func (m *meeting) open() {
	if m.absent > 0 || m.there == 0 {
		return
	}
	close(m.begins)
	m.absent, m.there, m.begins = m.there, 0, make(chan struct{})
}
