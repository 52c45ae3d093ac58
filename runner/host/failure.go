package host

import (
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"example.com/suite/internal/benchcase"
	"example.com/suite/runner/host/wire"
)

// guard runs measured code and turns its panic into a failure. A panic on another
// goroutine ends the process, which the controller reports.
func guard(phase wire.Phase, run func()) (failure *wire.Failure) {
	returned := false
	defer func() {
		switch r := recover(); {
		case r != nil:
			failure = panicked(phase, r)
		case !returned:
			abort()
		}
	}()
	run()
	returned = true
	return nil
}

// abort ends the host as the runtime ends a program that cannot go on. Nothing
// stops runtime.Goexit once it is called: it would end the goroutine that
// serves the controller, and leave that waiting for its timeout.
func abort() {
	fmt.Fprintf(os.Stderr, "fatal error: the benchmark called runtime.Goexit\n\n%s", debug.Stack())
	os.Exit(2)
}

func panicked(phase wire.Phase, r any) *wire.Failure {
	switch p := r.(type) {
	case benchcase.Failure:
		return newFailure(phase, wire.FailedError, p.Message, "")
	case overruled:
		return newFailure(phase, wire.FailedRejected, p.String(), "")
	case parallelPanic:
		return newFailure(phase, wire.FailedPanic, fmt.Sprintf("panic: %v", p.value), p.stack)
	}
	return newFailure(phase, wire.FailedPanic, fmt.Sprintf("panic: %v", r), string(debug.Stack()))
}

// Limits of what a body may add to a report, bytes. It has to fit into one message.
const (
	longestLine   = 1 << 10
	longestDetail = 64 << 10
)

// newFailure makes a failure from the words of a body: one line of them is the
// message, the others come before the detail.
func newFailure(phase wire.Phase, cause wire.Cause, words, detail string) *wire.Failure {
	line, rest, _ := strings.Cut(strings.TrimSpace(words), "\n")
	if rest != "" {
		detail = rest + "\n" + detail
	}
	return &wire.Failure{Phase: phase, Cause: cause, Message: clip(line, longestLine),
		Detail: clip(detail, longestDetail)}
}

func clip(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

func refuse(message string) *wire.Response {
	return &wire.Response{Failure: &wire.Failure{Phase: wire.PhaseStart, Cause: wire.FailedProtocol, Message: message}}
}
