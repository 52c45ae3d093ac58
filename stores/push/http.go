package push

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
)

// sender sends requests to one server. All requests of this package may be repeated: their
// effect is the same if the server has carried them out already.
type sender struct {
	place   string // scheme, host and path, without secrets: for messages
	secret  string // the password, which no message contains
	user    string
	headers http.Header
	client  *http.Client
	sleep   func(context.Context, time.Duration) error
}

const (
	attempts     = 4
	answerTime   = time.Minute // for one attempt
	mostPatience = time.Minute // longest wait that a server may ask for
	mostAnswer   = 64 << 20    // bytes of an answer
	shownAnswer  = 200         // characters of an answer in a message
	firstWait    = time.Second // doubled before each further attempt
)

func newSender(place string, u *url.URL, password string) *sender {
	s := &sender{place: place, secret: password, headers: http.Header{}, sleep: Sleep}
	if u.User != nil {
		s.user = u.User.Username()
		if own, ok := u.User.Password(); ok {
			s.secret = own
		}
	}
	s.client = &http.Client{
		Timeout: answerTime,
		// A redirected POST becomes a GET, and what was to be sent would be lost.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s
}

func (s *sender) String() string { return s.place }

// Sleep waits, at most until the context ends: then its cause is the error.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// answer is what a server has answered. Only statuses 200 to 299 are answers; others are
// failures.
type answer struct {
	header http.Header
	body   []byte
}

// send sends a request until a server answers it, at most four times.
func (s *sender) send(ctx context.Context, method, to, contentType string, body []byte) (*answer, error) {
	for attempt := 1; ; attempt++ {
		a, wait, err := s.try(ctx, method, to, contentType, body)
		if err == nil || wait < 0 || attempt == attempts {
			return a, err
		}
		if wait == 0 {
			wait = firstWait << (attempt - 1)
		}
		if wait > mostPatience {
			return nil, err
		}
		if err := s.sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// try sends a request once. After a failure, wait is how long the server wants to be left
// alone, 0 if it names no time, and below 0 if another attempt makes no sense.
func (s *sender) try(
	ctx context.Context, method, to, contentType string, body []byte,
) (a *answer, wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, -1, s.failure("it is no place to send results to", "")
	}
	request.Header = s.headers.Clone()
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if s.user != "" || s.secret != "" {
		request.SetBasicAuth(s.user, s.secret)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, -1, s.unreached(ctx, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
	if response.StatusCode/100 == 2 {
		if err != nil {
			return nil, -1, s.failure("the answer "+response.Status+" is cut, so nobody knows what was stored",
				"push again: what is there already is not added twice")
		}
		return &answer{response.Header, text}, 0, nil
	}
	wait = -1
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		wait = RetryAfter(response.Header.Get("Retry-After"), time.Now())
	}
	return nil, wait, s.refused(response, text)
}

// refusal is an answer that is a failure.
type refusal struct {
	error
	header http.Header
}

func (r refusal) Unwrap() error { return r.error }

func (s *sender) refused(response *http.Response, text []byte) error {
	message := "it answers " + response.Status
	if first := firstLine(text); first != "" {
		message += ": " + first
	}
	hint := ""
	switch {
	case response.StatusCode/100 == 3:
		message += ": it has moved to " + withoutSecrets(response.Header.Get("Location"))
		hint = "name that place"
	case response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden:
		hint = "put the user into the URL, http://USER@HOST, and the password into the variable " + passwordVariable
	case response.StatusCode == http.StatusNotFound:
		hint = "is the path of the URL right?"
	}
	return refusal{s.failure(message, hint), response.Header}
}

// failure is an error about the place.
func (s *sender) failure(message, hint string) error {
	if s.secret != "" {
		message = strings.ReplaceAll(message, s.secret, "***")
	}
	return diag.Hinted(s.place+": "+message, hint)
}

func (s *sender) unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		if failed.Timeout() {
			return s.failure(fmt.Sprintf("no answer within %s", answerTime), "")
		}
		err = failed.Err // without the URL
	}
	return s.failure(err.Error(), "is the server running, and reached through HTTPS_PROXY if there is a proxy?")
}

// firstLine is the first line of an answer, shortened.
func firstLine(text []byte) string {
	first := display.FirstLine(string(text))
	if runes := []rune(first); len(runes) > shownAnswer {
		first = string(runes[:shownAnswer-1]) + "…"
	}
	return first
}

// RetryAfter reads the header of that name: seconds or a date. It is 0 for any other text.
func RetryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 86400)) * time.Second
	}
	if when, err := http.ParseTime(text); err == nil {
		return max(when.Sub(now), 0)
	}
	return 0
}
