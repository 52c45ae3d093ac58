package client

import (
	"strings"
	"sync"

	"example.com/suite/internal/lazy"
)

// tailBytes of a host's standard error are kept: enough for the stacks of some
// dozens of goroutines, and little enough to read.
const tailBytes = 64 << 10

// tail keeps the first and the last part of what is written to it, because a Go crash
// begins with its reason.
type tail struct {
	mu        sync.Mutex
	head, end []byte
	cut       bool
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := min(len(p), tailBytes-len(t.head))
	t.head = append(t.head, p[:n]...)
	t.end = append(t.end, p[n:]...) // what no longer fits in front
	if over := len(t.end) - tailBytes; over > 0 {
		t.end, t.cut = append(t.end[:0], t.end[over:]...), true
	}
	return len(p), nil
}

// forget drops what was kept.
func (t *tail) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head = t.head[:0]
	t.end = t.end[:0]
	t.cut = false
}

// String has a mark if something between the kept parts is missing.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	between := ""
	if t.cut {
		between = "\n[…]\n"
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(t.head)+between+string(t.end)), "\uFFFD")
}

var crash = lazy.Regexp(`(?m)^(panic|fatal error|runtime): .*$`)

// A Go crash begins with this line.
func panicLine(text string) string { return crash().FindString(text) }

// stuck finds, in the stacks that a host has printed, the goroutines that run benchmark
// code: the ones that the timing loop has called.
func stuck(text string) string {
	var found []string
	for _, stack := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(stack, "goroutine ") && strings.Contains(stack, "suite/runner/host.") &&
			!strings.Contains(stack, "host.Main.func") {
			found = append(found, stack)
		}
	}
	if len(found) == 0 {
		return text
	}
	return strings.Join(found, "\n\n")
}
