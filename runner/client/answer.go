package client

import (
	"errors"
	"io"
	"slices"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// receive checks what came over the pipe.
func (r *Client) receive(op string, a answer) (*wire.Response, *result.Failure) {
	switch {
	case a.err != nil && (errors.Is(a.err, io.ErrUnexpectedEOF) || !errors.Is(a.err, wire.ErrFrame)):
		return nil, r.crashed(op)
	case a.err != nil:
		return nil, r.Breach(op, a.err.Error())
	case a.response.Seq != r.sent:
		return nil, r.Breach(op, "an answer that was not asked for")
	case a.response.Failure != nil && rectangular(a.response.Readings):
		if a.response.Failure.Cause == wire.FailedProtocol {
			r.Kill() // it can do nothing more
		}
		return a.response, convert(a.response.Failure)
	case !whole(op, a.response):
		return nil, r.Breach(op, "an answer that does not fit the request")
	}
	return a.response, nil
}

// Breach ends a host that has broken the protocol, and returns the failure of the case.
func (r *Client) Breach(op, what string) *result.Failure {
	r.Kill()
	return &result.Failure{Phase: phase(op), Cause: result.FailedProtocol,
		Message: "the host broke the protocol: " + what,
		Detail:  r.errs.String(), Hint: hintPipes}
}

// whole reports whether an answer contains what op asks for, so that no caller has to
// check it again.
func whole(op string, r *wire.Response) bool {
	switch op {
	case "hello":
		return r.Hello != nil
	case "calibrate":
		return r.Costs != nil
	case "prepare":
		return r.Prepared != nil
	case "size", "simulate":
		return r.Sized != nil && r.Sized.N > 0
	case "once", "run":
		return r.Readings != nil && rectangular(r.Readings)
	case "serve", "served", "stop":
		return r.Served != nil
	case "allocs":
		return r.Allocated != nil
	case "pegs":
		return r.Pegged != nil
	case "profile":
		return r.Profiled != nil
	}
	return true
}

// rectangular reports whether readings have equally many rows in each column, and the
// columns that every sample needs.
func rectangular(r *wire.Readings) bool {
	if r == nil {
		return true
	}
	rows := len(r.ID)
	ok := len(r.N) == rows && Ascending(r.Killed, rows) && (r.Stops == nil || len(r.Stops) == rows) &&
		!slices.ContainsFunc(r.N, func(n int) bool { return n < 1 })
	for _, column := range r.Columns {
		ok = ok && len(column) == rows
	}
	return ok && len(r.Columns["time"]) == rows && len(r.Columns["wall"]) == rows
}

// Ascending reports whether indices of so many rows are in order, each of them once.
func Ascending(indices []int, rows int) bool {
	last := -1
	for _, i := range indices {
		if i <= last || i >= rows {
			return false
		}
		last = i
	}
	return true
}
