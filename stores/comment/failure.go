package comment

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
)

// answered explains why a server has not done what was asked. words is the server's answer, as far as it is known.
type answered struct {
	place    string
	response *http.Response // nil: none was received
	words    string
	err      error
	hints    map[int]string // by status
}

// mostWords is the number of columns of a server's answer in a message.
const mostWords = 200

func (a answered) error(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if a.response == nil {
		var failed *url.Error
		err := a.err
		if errors.As(err, &failed) {
			err = failed.Err // without the address
		}
		return diag.Hinted(fmt.Sprintf("%s: %v", a.place, err), "is there a proxy, which HTTPS_PROXY has to name?")
	}
	message := a.place + ": the server answers " + a.response.Status
	if words := display.FirstLine(a.words); words != "" {
		message += ": " + display.Shorten(words, mostWords)
	}
	hint := a.hints[a.response.StatusCode]
	if isLimited(a.response) {
		hint = "it wants to be left alone for longer than a minute: run the job again later"
	}
	return diag.Hinted(message, hint)
}

// isLimited reports whether a server refuses a request because there were too many.
func isLimited(r *http.Response) bool {
	return r.Header.Get("Retry-After") != "" || r.Header.Get("X-Ratelimit-Remaining") == "0"
}
