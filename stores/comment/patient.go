package comment

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"example.com/suite/stores/push"
)

const (
	attempts     = 4
	mostPatience = time.Minute // longest wait that a server may ask for
	firstWait    = time.Second // doubled before each further attempt
)

// patient sends a request again that a server has not carried out because it is busy, as late as the server asks. A
// request that creates something is not sent again if the server may have done it.
type patient struct {
	next  http.RoundTripper
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

func (p *patient) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			return nil, err
		}
	}
	for attempt := 1; ; attempt++ {
		again := r.Clone(r.Context())
		again.Body = io.NopCloser(bytes.NewReader(body))
		response, err := p.next.RoundTrip(again)
		if err != nil {
			return nil, err
		}
		wait, ok := p.wait(response, attempt)
		if !ok || attempt == attempts || response.StatusCode >= 500 && r.Method == http.MethodPost {
			return response, nil
		}
		response.Body.Close()
		if err := p.sleep(r.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// wait is how long a server wants to be left alone, and whether another attempt makes sense. GitHub answers 403 to who
// asks too often, and to who has no right: only the former has one of these headers.
func (p *patient) wait(r *http.Response, attempt int) (time.Duration, bool) {
	wait := push.RetryAfter(r.Header.Get("Retry-After"), p.now())
	if reset, err := strconv.ParseInt(r.Header.Get("X-Ratelimit-Reset"), 10, 64); err == nil && wait == 0 &&
		isLimited(r) {
		wait = max(time.Unix(reset, 0).Sub(p.now()), firstWait)
	}
	switch r.StatusCode {
	case http.StatusForbidden:
		if !isLimited(r) {
			return 0, false
		}
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if wait == 0 {
			wait = firstWait << (attempt - 1)
		}
	default:
		return 0, false
	}
	return wait, wait <= mostPatience
}
