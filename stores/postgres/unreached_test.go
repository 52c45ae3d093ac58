package postgres

import (
	"strings"
	"testing"

	"example.com/suite/internal/diag"
)

// A server that does not answer is one message, though a connection is tried with TLS and without it.
func TestServersThatAreNotReached(t *testing.T) {
	_, err := Open(t.Context(), "postgres://ada@127.0.0.1:1/none") // nobody listens at port 1
	if err == nil {
		t.Fatal("connected")
	}
	if n := strings.Count(err.Error(), "dial error"); n != 1 {
		t.Errorf("%d reasons, want one: %v", n, err)
	}
	if hint := diag.HintOf(err); hint != "is the server running, and does it listen there?" {
		t.Errorf("hint: %q", hint)
	}
}
