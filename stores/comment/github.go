package comment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/stores/push"
	"github.com/google/go-github/v88/github"
)

// Surroundings are what a job knows about itself.
type Surroundings struct {
	Lookup func(name string) (string, bool) // of the environment
	Read   func(file string) ([]byte, error)
	Client *http.Client
	Sleep  func(context.Context, time.Duration) error
}

// Here are the surroundings of this process.
func Here() Surroundings {
	wait := &patient{http.DefaultTransport, time.Now, push.Sleep}
	return Surroundings{os.LookupEnv, os.ReadFile, &http.Client{Transport: wait, Timeout: mostTime}, push.Sleep}
}

// mostTime is what a request may take with all its attempts and the waits between them.
const mostTime = 5 * time.Minute

func (s Surroundings) variable(name string) string {
	value, _ := s.Lookup(name)
	return value
}

// first is the first of some variables that is set.
func (s Surroundings) first(names ...string) string {
	for _, name := range names {
		if value := s.variable(name); value != "" {
			return value
		}
	}
	return ""
}

// pull is a pull request of GitHub.
type pull struct {
	client            *github.Client
	host, owner, repo string
	number            int
	mine              func(*github.IssueComment) bool // nil: not known yet
}

func (p *pull) String() string { return fmt.Sprintf("%s/%s/%s#%d", p.host, p.owner, p.repo, p.number) }

var githubHints = map[int]string{
	http.StatusUnauthorized: "GITHUB_TOKEN is no token that is valid there, or no longer",
	http.StatusForbidden: "the token needs pull-requests: write, and the conversation must not be locked. A job for " +
		"a pull request from a fork never has that right: a second workflow can post its report, see docs/ci.md",
	http.StatusNotFound: "is the pull request there, and may the token see it?",
}

// failure is the error of a request, of which response is the answer; nil: there was none.
func (p *pull) failure(ctx context.Context, response *github.Response, err error) error {
	a := answered{place: p.String(), err: err, hints: githubHints}
	if response != nil {
		a.response = response.Response
	}
	var refused *github.ErrorResponse
	var limited *github.RateLimitError
	var abused *github.AbuseRateLimitError
	switch {
	case errors.As(err, &refused):
		a.words = refused.Message
		for _, detail := range refused.Errors {
			a.words += "; " + cmp.Or(detail.Message, detail.Code)
		}
	case errors.As(err, &limited):
		a.words = limited.Message
	case errors.As(err, &abused):
		a.words = abused.Message
	}
	return a.error(ctx)
}

// GitHub posts a report to a pull request: github:OWNER/REPO#NUMBER, or github for the one of this job.
func GitHub(ctx context.Context, s Surroundings, to, text string) (done string, err error) {
	p := &pull{}
	api := cmp.Or(s.variable("GITHUB_API_URL"), "https://api.github.com")
	address, err := url.Parse(api)
	if err != nil || address.Host == "" {
		return "", push.Usage("GITHUB_API_URL is no address", "for example https://api.github.com")
	}
	p.host = strings.TrimPrefix(address.Host, "api.")
	token := s.first("GITHUB_TOKEN", "GH_TOKEN")
	if token == "" {
		return "", push.Usage(
			"there is no token for "+p.host,
			"in the job: env: {GITHUB_TOKEN: ${{ github.token }}}, with permissions: {pull-requests: write}",
		)
	}
	p.client, err = github.NewClient(
		github.WithHTTPClient(s.Client),
		github.WithAuthToken(token),
		github.WithURLs(&api, nil),
		github.WithDisableRateLimitCheck(),
	)
	if err != nil {
		return "", push.Usage("GITHUB_API_URL: "+err.Error(), "")
	}
	found, err := p.find(ctx, s, strings.TrimPrefix(strings.TrimPrefix(to, "github"), ":"))
	if err != nil || !found {
		return "this job is of no pull request, so nothing was posted", err
	}
	return post(ctx, p, text, s.Sleep)
}

var githubPlace = regexp.MustCompile(`^([A-Za-z0-9._-]+)/([A-Za-z0-9._-]+)#([1-9][0-9]{0,8})$`)

// find finds the pull request. It reports false if the job is of none.
func (p *pull) find(ctx context.Context, s Surroundings, place string) (found bool, err error) {
	const form = "github:OWNER/REPOSITORY#NUMBER"
	if place != "" {
		m := githubPlace.FindStringSubmatch(place)
		if m == nil {
			return false, push.Usage(fmt.Sprintf("%q is no pull request", place), "for example "+form)
		}
		p.owner, p.repo = m[1], m[2]
		p.number, _ = strconv.Atoi(m[3])
		return true, nil
	}
	var ok bool
	p.owner, p.repo, ok = strings.Cut(s.variable("GITHUB_REPOSITORY"), "/")
	if !ok {
		return false, push.Usage(
			"this is no job of GitHub Actions: GITHUB_REPOSITORY is not set",
			"name the pull request: "+form,
		)
	}
	var event struct {
		PullRequest struct{ Number int } `json:"pull_request"`
		Run         *workflowRun         `json:"workflow_run"`
	}
	if file := s.variable("GITHUB_EVENT_PATH"); file != "" {
		text, err := s.Read(file)
		if err == nil {
			err = json.Unmarshal(text, &event)
		}
		if err != nil {
			return false, diag.Hinted(
				"the event of this job cannot be read: "+err.Error(),
				"name the pull request: "+form,
			)
		}
	}
	p.number = event.PullRequest.Number
	if p.number == 0 && event.Run != nil {
		p.number, err = p.ofRun(ctx, event.Run)
	}
	return p.number > 0, err
}

// workflowRun is the run of another workflow after which this one has begun.
type workflowRun struct {
	Event  string `json:"event"`
	Branch string `json:"head_branch"`
	Commit string `json:"head_sha"`
	Head   struct {
		Owner struct{ Login string }
	} `json:"head_repository"`
}

// ofRun finds the open pull request whose commit a run has measured, or else one from its branch; 0 if there is none.
// Of a fork GitHub does not name it.
func (p *pull) ofRun(ctx context.Context, run *workflowRun) (number int, err error) {
	if !strings.HasPrefix(run.Event, "pull_request") || run.Branch == "" {
		return 0, nil
	}
	options := &github.PullRequestListOptions{State: "open", Head: run.Head.Owner.Login + ":" + run.Branch}
	all, response, err := p.client.PullRequests.List(ctx, p.owner, p.repo, options)
	if err != nil {
		return 0, p.failure(ctx, response, err)
	}
	for _, one := range all {
		if number == 0 || one.GetHead().GetSHA() == run.Commit {
			number = one.GetNumber()
		}
	}
	return number, nil
}

func (p *pull) list(ctx context.Context) (all []note, err error) {
	if p.mine == nil {
		if err := p.identify(ctx); err != nil {
			return nil, err
		}
	}
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for {
		page, response, err := p.client.Issues.ListComments(ctx, p.owner, p.repo, p.number, options)
		if err != nil {
			return nil, p.failure(ctx, response, err)
		}
		for _, c := range page {
			if p.mine(c) {
				all = append(all, note{c.GetID(), c.GetBody()})
			}
		}
		if response.NextPage == 0 {
			return all, nil
		}
		options.Page = response.NextPage
	}
}

// identify finds out which comments the owner of the token has written. The token of a job may not ask who that is;
// then comments of bots count, because nobody else can write as one.
func (p *pull) identify(ctx context.Context) error {
	user, response, err := p.client.Users.Get(ctx, "")
	switch {
	case err == nil:
		p.mine = func(c *github.IssueComment) bool { return c.GetUser().GetLogin() == user.GetLogin() }
	case response != nil && (response.StatusCode == http.StatusForbidden || response.StatusCode == http.StatusNotFound):
		p.mine = func(c *github.IssueComment) bool { return c.GetUser().GetType() == "Bot" }
	default:
		return p.failure(ctx, response, err)
	}
	return nil
}

func (p *pull) create(ctx context.Context, text string) error {
	_, response, err := p.client.Issues.CreateComment(ctx, p.owner, p.repo, p.number, &github.IssueComment{Body: &text})
	switch {
	case err == nil:
		return nil
	case response != nil && response.StatusCode >= 500:
		return fmt.Errorf("%w; %w", p.failure(ctx, response, err), errUnsure)
	}
	return p.failure(ctx, response, err)
}

func (p *pull) edit(ctx context.Context, id int64, text string) error {
	_, response, err := p.client.Issues.EditComment(ctx, p.owner, p.repo, id, &github.IssueComment{Body: &text})
	return p.changed(ctx, response, err)
}

func (p *pull) remove(ctx context.Context, id int64) error {
	response, err := p.client.Issues.DeleteComment(ctx, p.owner, p.repo, id)
	return p.changed(ctx, response, err)
}

// changed is the error of a change of a comment, of which response is the answer.
func (p *pull) changed(ctx context.Context, response *github.Response, err error) error {
	switch {
	case err == nil:
		return nil
	case response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone):
		return errGone
	}
	return p.failure(ctx, response, err)
}
