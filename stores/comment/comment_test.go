package comment

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/stores/push"
)

// report is a report of a run of some minute and suites.
func report(words string, minute int, suites string) string {
	return fmt.Sprintf("### %s\n\n<!-- suite run: 2026-11-27T10:%02d:00Z -->\n<!-- suite report: %s -->", words, minute, suites)
}

var both = []string{"github", "gitlab"}

func hint(err error) string { return diag.HintOf(err) }

// A report is one comment: it is written once, and edited afterwards. Comments of others stay, whatever they contain, and so
// do reports of other suites.
func TestOneComment(t *testing.T) {
	planted := report("planted", 59, "parse")
	for _, kind := range both {
		f := newForge(t, written{author: other, body: planted}, written{author: me, body: report("others", 1, "sort")},
			written{author: me, body: "I quote:\n> <!-- suite report: parse -->\nwhat is that?"})
		for i, text := range []string{report("PASS", 5, "parse"), report("FAIL", 6, "parse"), report("FAIL", 6, "parse")} {
			p := &poster{name: kind}
			done, err := p.post(t, f, kind, text)
			if want := "posted to "; err != nil || !strings.HasPrefix(done, want) {
				t.Fatalf("%s: %q, %v", kind, done, err)
			}
			bodies := f.bodies()
			if len(bodies) != 4 || bodies[3] != me+": "+text || bodies[0] != other+": "+planted {
				t.Errorf("%s: after post %d there are %q", kind, i+1, bodies)
			}
		}
		if n := f.count("POST"); n != 1 {
			t.Errorf("%s: %d comments were written", kind, n)
		}
		if n := f.count("PATCH") + f.count("PUT"); n != 1 { // what is there already is not written again
			t.Errorf("%s: %d comments were edited", kind, n)
		}
	}
}

// An earlier report is found behind hundreds of comments, and carriage returns and spaces at its end make no other of it.
func TestEarlierCommentOnAnotherPage(t *testing.T) {
	for _, kind := range both {
		f := newForge(t)
		for i := range 250 {
			if i == 120 {
				f.add(me, strings.ReplaceAll(report("PASS", 5, "parse"), "\n", "\r\n")+"\r\n ")
			}
			f.add(other, "I agree")
		}
		p := &poster{name: kind}
		if done, err := p.post(t, f, kind, report("FAIL", 6, "parse")); err != nil || len(f.comments) != 251 || f.comments[120].body != report("FAIL", 6, "parse") {
			t.Errorf("%s: %q, %v, %d comments", kind, done, err, len(f.comments))
		}
	}
}

// The token of a job of GitHub may not ask who it is: comments of bots may be its own, and nobody else's.
func TestTokenOfAJob(t *testing.T) {
	f := newForge(t, written{author: other, body: report("planted", 1, "parse")})
	f.jobs = true
	p := &poster{name: "github"}
	for _, words := range []string{"PASS", "FAIL"} {
		if _, err := p.post(t, f, "github", report(words, 5, "parse")); err != nil || len(f.comments) != 2 {
			t.Errorf("%v, %q", err, f.bodies())
		}
	}
}

// The report of a later run stays if the one of an earlier run comes afterwards.
func TestLaterRunStays(t *testing.T) {
	for _, kind := range both {
		f := newForge(t, written{author: me, body: report("late", 9, "parse")})
		p := &poster{name: kind}
		done, err := p.post(t, f, kind, report("early", 8, "parse"))
		if want := []string{me + ": " + report("late", 9, "parse")}; err != nil || !strings.HasSuffix(done, "has the report of a later run, which stays") || !slices.Equal(f.bodies(), want) {
			t.Errorf("%s: %q, %v, %q", kind, done, err, f.bodies())
		}
	}
}

// Two jobs that post at the same time leave one comment, of the later run.
func TestTwoJobsAtOnce(t *testing.T) {
	for _, kind := range both {
		for minute, want := range map[int]string{3: "mine", 8: "theirs"} {
			f := newForge(t)
			f.before = func(f *forge, n int, _ http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPost && len(f.comments) == 0 {
					f.add(me, report("theirs", minute, "parse"))
				}
				return false
			}
			p := &poster{name: kind}
			_, err := p.post(t, f, kind, report("mine", 5, "parse"))
			if err != nil || len(f.comments) != 1 || !strings.Contains(f.comments[0].body, want) {
				t.Errorf("%s, the other at %d: %v, %q", kind, minute, err, f.bodies())
			}
		}
		f := newForge(t)
		const jobs = 5
		together, done := newMeeting(jobs), make(chan error)
		for i := range jobs {
			go func() {
				p := &poster{name: kind, settle: together.wait}
				_, err := p.post(t, f, kind, report("at once", i, "parse"))
				together.leave()
				done <- err
			}()
		}
		for range jobs {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if want := []string{me + ": " + report("at once", jobs-1, "parse")}; !slices.Equal(f.bodies(), want) {
			t.Errorf("%s: five at once leave %q", kind, f.bodies())
		}
	}
}

// A comment that somebody removes while it is to be edited is written anew.
func TestRemovedComment(t *testing.T) {
	for _, kind := range both {
		f := newForge(t, written{author: me, body: report("old", 1, "parse")})
		f.before = func(f *forge, _ int, _ http.ResponseWriter, r *http.Request) bool {
			if (r.Method == http.MethodPatch || r.Method == http.MethodPut) && f.comments[0].id == 1 {
				f.comments = nil
			}
			return false
		}
		p := &poster{name: kind}
		_, err := p.post(t, f, kind, report("new", 5, "parse"))
		if want := []string{me + ": " + report("new", 5, "parse")}; err != nil || !slices.Equal(f.bodies(), want) {
			t.Errorf("%s: %v, %q", kind, err, f.bodies())
		}
	}
}

// A server that is busy is left alone for as long as it says, and a comment is never written twice.
func TestBusyServer(t *testing.T) {
	reset := strconv.FormatInt(now.Add(40*time.Second).Unix(), 10)
	for what, c := range map[string]struct {
		answer []any // status, message and headers, for the first request of the method
		method string
		waits  []time.Duration
		posts  int
	}{
		"too many requests":       {[]any{429, "slow down", "Retry-After", "7"}, "GET", []time.Duration{7 * time.Second}, 1},
		"too many, until then":    {[]any{403, "API rate limit exceeded", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", reset}, "POST", []time.Duration{40 * time.Second}, 2},
		"a secondary limit":       {[]any{403, "You have exceeded a secondary rate limit", "Retry-After", "60"}, "POST", []time.Duration{time.Minute}, 2},
		"a gateway":               {[]any{502, "bad gateway"}, "GET", []time.Duration{time.Second}, 1},
		"a gateway, while posted": {[]any{502, "bad gateway"}, "POST", nil, 2},
	} {
		for _, kind := range both {
			f := newForge(t)
			done := false
			f.before = func(_ *forge, _ int, w http.ResponseWriter, r *http.Request) bool {
				if done || r.Method != c.method {
					return false
				}
				done = true
				var headers []string
				for _, h := range c.answer[2:] {
					headers = append(headers, h.(string))
				}
				return say(w, c.answer[0].(int), c.answer[1].(string), headers...)
			}
			p := &poster{name: kind}
			_, err := p.post(t, f, kind, report("x", 5, "parse"))
			if err != nil || len(f.comments) != 1 || !slices.Equal(p.waits, c.waits) || f.count("POST") != c.posts {
				t.Errorf("%s, %s: %v, waits %v, %d posts, %q", kind, what, err, p.waits, f.count("POST"), f.bodies())
			}
		}
	}
	// The server has written the comment, and its answer was lost.
	for _, kind := range both {
		f := newForge(t)
		f.before = func(f *forge, _ int, w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPost {
				return false
			}
			f.add(me, report("x", 5, "parse"))
			return say(w, 504, "gateway timeout")
		}
		p := &poster{name: kind}
		if _, err := p.post(t, f, kind, report("x", 5, "parse")); err != nil || len(f.comments) != 1 || f.count("POST") != 1 {
			t.Errorf("%s: %v, %q", kind, err, f.bodies())
		}
	}
}

// What cannot be posted is named with the place and the reason, and with what to do. No message has the token.
func TestRefusals(t *testing.T) {
	for what, c := range map[string]struct {
		kind          string
		variables     map[string]string
		answer        int // to a request that changes something, 0: as usual
		message       string
		retry         string
		text          string
		want, hintHas string
	}{
		"a fork":           {kind: "github", answer: 403, message: "Resource not accessible by integration", want: ": the server answers 403 Forbidden: Resource not accessible by integration", hintHas: "from a fork"},
		"a locked one":     {kind: "gitlab", answer: 403, message: "403 Forbidden", want: "/g/p!7: the server answers 403 Forbidden: ", hintHas: "locked"},
		"a wrong token":    {kind: "github", variables: map[string]string{"GITHUB_TOKEN": "wrong"}, want: "401 Unauthorized: Bad credentials", hintHas: "no token that is valid"},
		"a job token":      {kind: "gitlab", variables: map[string]string{"GITLAB_TOKEN": "wrong"}, want: "401 Unauthorized", hintHas: "CI_JOB_TOKEN"},
		"no pull request":  {kind: "github", variables: map[string]string{"GITHUB_REPOSITORY": "o/none"}, want: "/o/none#7: the server answers 404 Not Found: Not Found", hintHas: "may the token see it"},
		"no merge request": {kind: "gitlab", variables: map[string]string{"CI_MERGE_REQUEST_IID": "9"}, want: "!9: the server answers 404 Not Found", hintHas: "may the token see it"},
		"too long":         {kind: "github", text: report(strings.Repeat("ü", longest), 1, "parse"), want: "422 Unprocessable Entity: Validation Failed: body is too long"},
		"for an hour":      {kind: "github", answer: 429, message: "later", retry: "3600", want: "429 Too Many Requests: later", hintHas: "longer than a minute"},
		"always broken":    {kind: "gitlab", answer: 500, message: "oops", want: "500 Internal Server Error: {message: oops}; nobody knows whether the comment was written"},
		"no server":        {kind: "github", variables: map[string]string{"GITHUB_API_URL": "http://127.0.0.1:1"}, want: "127.0.0.1:1/o/r#7: dial tcp 127.0.0.1:1: connect: connection refused", hintHas: "HTTPS_PROXY"},
	} {
		f := newForge(t)
		f.before = func(_ *forge, _ int, w http.ResponseWriter, r *http.Request) bool {
			if c.answer == 0 || r.Method == http.MethodGet {
				return false
			}
			return say(w, c.answer, c.message, "Retry-After", c.retry)
		}
		if c.text == "" {
			c.text = report("x", 5, "parse")
		}
		p := &poster{name: c.kind, variables: c.variables}
		done, err := p.post(t, f, c.kind, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(hint(err), c.hintHas) || strings.Contains(err.Error(), token) || len(f.comments) != 0 {
			t.Errorf("%s: %q, %v, hint %q; want %q, hint %q; %d comments", what, done, err, hint(err), c.want, c.hintHas, len(f.comments))
		}
		if errors.As(err, &push.UsageError{}) {
			t.Errorf("%s: it is called a wrong command line", what)
		}
		if len(p.waits) > 0 {
			t.Errorf("%s: it waits %v", what, p.waits)
		}
	}
}

// The pull request is the one of the job, or named.
func TestWhichPullRequest(t *testing.T) {
	const ofFork = `{"workflow_run": {"event": "pull_request", "head_branch": "faster", "head_sha": "%s", "head_repository": {"owner": {"login": "%s"}}}}`
	for what, c := range map[string]struct {
		kind, to, event string
		variables       map[string]string
		done, err       string
	}{
		"named":                     {kind: "github", to: "github:o/r#7", event: `{}`, done: "/o/r#7"},
		"of the job":                {kind: "github", to: "github", done: "/o/r#7"},
		"with a colon":              {kind: "github", to: "github:", done: "/o/r#7"},
		"of a workflow":             {kind: "github", to: "github", event: fmt.Sprintf(ofFork, "aaaa", "ada"), done: "/o/r#7"},
		"of a workflow for a push":  {kind: "github", to: "github", event: `{"workflow_run": {"event": "push", "head_branch": "main"}}`, done: "nothing was posted"},
		"of a branch without one":   {kind: "github", to: "github", event: fmt.Sprintf(ofFork, "aaaa", "eve"), done: "nothing was posted"},
		"of a push":                 {kind: "github", to: "github", event: `{"ref": "refs/heads/main"}`, done: "nothing was posted"},
		"nowhere":                   {kind: "github", to: "github", variables: map[string]string{"GITHUB_REPOSITORY": ""}, err: "GITHUB_REPOSITORY is not set"},
		"a torn event":              {kind: "github", to: "github", event: `{"pull`, err: "the event of this job cannot be read"},
		"an issue without a number": {kind: "github", to: "github:o/r", err: `"o/r" is no pull request`},
		"a path in a name":          {kind: "github", to: "github:o/../x#7", err: `"o/../x#7" is no pull request`},
		"without a token":           {kind: "github", to: "github", variables: map[string]string{"GITHUB_TOKEN": ""}, err: "there is no token for 127.0.0.1"},
		"merge request named":       {kind: "gitlab", to: "gitlab:g/p!7", done: "/g/p!7"},
		"merge request of the job":  {kind: "gitlab", to: "gitlab", done: "/g/p!7"},
		"of a fork":                 {kind: "gitlab", to: "gitlab", variables: map[string]string{"CI_PROJECT_ID": "99", "CI_MERGE_REQUEST_PROJECT_ID": "g/p"}, done: "/g/p!7"},
		"of a branch":               {kind: "gitlab", to: "gitlab", variables: map[string]string{"CI_MERGE_REQUEST_IID": ""}, done: "nothing was posted"},
		"an issue":                  {kind: "gitlab", to: "gitlab:g/p#7", err: `"g/p#7" is no merge request`},
		"no job":                    {kind: "gitlab", to: "gitlab", variables: map[string]string{"CI_PROJECT_ID": ""}, err: "CI_PROJECT_ID is not set"},
		"no token":                  {kind: "gitlab", to: "gitlab", variables: map[string]string{"GITLAB_TOKEN": ""}, err: "there is no token for 127.0.0.1"},
	} {
		f := newForge(t)
		p := &poster{name: c.kind, event: c.event, variables: c.variables}
		done, err := p.post(t, f, c.to, report("x", 5, "parse"))
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || hint(err) == ""):
			t.Errorf("%s: %q, %v; want the error %q with a hint", what, done, err, c.err)
		case c.err == "" && (err != nil || !strings.HasSuffix(done, c.done)):
			t.Errorf("%s: %q, %v; want %q", what, done, err, c.done)
		}
		if posted := len(f.comments) == 1; posted != (strings.HasSuffix(c.done, "7")) {
			t.Errorf("%s: %q", what, f.bodies())
		}
	}
}

func TestTextWithoutSuites(t *testing.T) {
	for _, text := range []string{"", "### PASS", "<!-- suite report: parse -->\nand more", "<!-- suite report -->"} {
		f := newForge(t)
		p := &poster{name: "github"}
		if done, err := p.post(t, f, "github", text); err == nil || !errors.As(err, &push.UsageError{}) || len(f.seen) != 0 {
			t.Errorf("%q: %q, %v, %q", text, done, err, f.seen)
		}
	}
}
