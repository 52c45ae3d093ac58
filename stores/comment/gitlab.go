package comment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"example.com/suite/stores/push"
	gitlab "gitlab.com/gitlab-org/api/client-go"
)

// merge is a merge request of GitLab.
type merge struct {
	client        *gitlab.Client
	host, project string // the project by its path or number
	number        int64
	me            int64 // who the token is of; 0: not known yet
}

func (m *merge) String() string { return fmt.Sprintf("%s/%s!%d", m.host, m.project, m.number) }

var gitlabHints = map[int]string{
	http.StatusUnauthorized: "GITLAB_TOKEN is no token that is valid there, or no longer; the token of a job, " +
		"CI_JOB_TOKEN, may not comment",
	http.StatusForbidden: "the token needs the scope api and at least the role Reporter, and the discussion must " +
		"not be locked",
	http.StatusNotFound: "is the merge request there, and may the token see it?",
}

// failure is the error of a request, of which response is the answer; nil: there was none.
func (m *merge) failure(ctx context.Context, response *gitlab.Response, err error) error {
	a := answered{place: m.String(), err: err, hints: gitlabHints}
	if response != nil {
		a.response = response.Response
	}
	var refused *gitlab.ErrorResponse
	if errors.As(err, &refused) {
		a.words = refused.Message
	}
	return a.error(ctx)
}

// unlimited sends requests as they come: there are three or four, and patient waits if the server asks for it.
type unlimited struct{}

func (unlimited) Wait(context.Context) error { return nil }

// GitLab posts a report to a merge request: gitlab:GROUP/PROJECT!NUMBER, or gitlab for the one of this job.
func GitLab(ctx context.Context, s Surroundings, to, text string) (done string, err error) {
	m := &merge{}
	api := cmp.Or(s.variable("CI_API_V4_URL"), "https://gitlab.com/api/v4")
	address, err := url.Parse(api)
	if err != nil || address.Host == "" {
		return "", push.Usage("CI_API_V4_URL is no address", "for example https://gitlab.com/api/v4")
	}
	m.host = address.Host
	token := s.first("GITLAB_TOKEN", "SUITE_PUSH_PASSWORD")
	if token == "" {
		return "", push.Usage(
			"there is no token for "+m.host,
			"a project access token with the scope api, as the masked variable GITLAB_TOKEN of the project",
		)
	}
	m.client, err = gitlab.NewClient(
		token,
		gitlab.WithHTTPClient(s.Client),
		gitlab.WithBaseURL(api),
		gitlab.WithoutRetries(),
		gitlab.WithCustomLimiter(unlimited{}),
	)
	if err != nil {
		return "", push.Usage("CI_API_V4_URL: "+err.Error(), "")
	}
	found, err := m.find(s, strings.TrimPrefix(strings.TrimPrefix(to, "gitlab"), ":"))
	if err != nil || !found {
		return "this job is of no merge request, so nothing was posted", err
	}
	return post(ctx, m, text, s.Sleep)
}

var gitlabPlace = regexp.MustCompile(`^([A-Za-z0-9._/-]+)!([1-9][0-9]{0,8})$`)

// find finds the merge request. It reports false if the job is of none.
func (m *merge) find(s Surroundings, place string) (found bool, err error) {
	const form = "gitlab:GROUP/PROJECT!NUMBER"
	number := ""
	if place != "" {
		parts := gitlabPlace.FindStringSubmatch(place)
		if parts == nil {
			return false, push.Usage(fmt.Sprintf("%q is no merge request", place), "for example "+form)
		}
		m.project, number = parts[1], parts[2]
	} else {
		// of a fork the former is the project that it wants to change
		m.project = s.first("CI_MERGE_REQUEST_PROJECT_ID", "CI_PROJECT_ID")
		if m.project == "" {
			return false, push.Usage("this is no job of GitLab CI: CI_PROJECT_ID is not set",
				"name the merge request: "+form)
		}
		number = s.variable("CI_MERGE_REQUEST_IID")
	}
	m.number, _ = strconv.ParseInt(number, 10, 64)
	return m.number > 0, nil
}

func (m *merge) list(ctx context.Context) (all []note, err error) {
	if m.me == 0 {
		user, response, err := m.client.Users.CurrentUser(gitlab.WithContext(ctx))
		if err != nil {
			return nil, m.failure(ctx, response, err)
		}
		m.me = user.ID
	}
	options := &gitlab.ListMergeRequestNotesOptions{ListOptions: gitlab.ListOptions{PerPage: 100}}
	for {
		page, response, err := m.client.Notes.ListMergeRequestNotes(
			m.project,
			m.number,
			options,
			gitlab.WithContext(ctx),
		)
		if err != nil {
			return nil, m.failure(ctx, response, err)
		}
		for _, n := range page {
			if n.Author.ID == m.me && !n.System {
				all = append(all, note{n.ID, n.Body})
			}
		}
		if response.NextPage == 0 {
			return all, nil
		}
		options.Page = response.NextPage
	}
}

func (m *merge) create(ctx context.Context, text string) error {
	_, response, err := m.client.Notes.CreateMergeRequestNote(
		m.project,
		m.number,
		&gitlab.CreateMergeRequestNoteOptions{Body: &text},
		gitlab.WithContext(ctx),
	)
	switch {
	case err == nil:
		return nil
	case response != nil && response.StatusCode >= 500:
		return fmt.Errorf("%w; %w", m.failure(ctx, response, err), errUnsure)
	}
	return m.failure(ctx, response, err)
}

func (m *merge) edit(ctx context.Context, id int64, text string) error {
	_, response, err := m.client.Notes.UpdateMergeRequestNote(
		m.project,
		m.number,
		id,
		&gitlab.UpdateMergeRequestNoteOptions{Body: &text},
		gitlab.WithContext(ctx),
	)
	return m.changed(ctx, response, err)
}

func (m *merge) remove(ctx context.Context, id int64) error {
	response, err := m.client.Notes.DeleteMergeRequestNote(m.project, m.number, id, gitlab.WithContext(ctx))
	return m.changed(ctx, response, err)
}

// changed is the error of a change of a comment, of which response is the answer.
func (m *merge) changed(ctx context.Context, response *gitlab.Response, err error) error {
	switch {
	case err == nil:
		return nil
	case response != nil && response.StatusCode == http.StatusNotFound:
		return errGone
	}
	return m.failure(ctx, response, err)
}
