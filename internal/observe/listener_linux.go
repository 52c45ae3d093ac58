//go:build amd64 || arm64

package observe

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const listening = "0A" // state of a socket in /proc/net/tcp

// listens reports whether only processes that are traced accept connections to a port of this machine. What they answer
// follows from what they have looked at.
func (t *tracer) listens(at *task, port uint16) bool {
	own := map[string]bool{} // sockets of the traced processes
	for id := range t.tasks {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", id))
		for _, link := range links {
			if socket, err := os.Readlink(link); err == nil {
				own[socket] = true
			}
		}
	}
	found := false
	for _, name := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile("/proc/" + at.thread + "/net/" + name)
		if err != nil && name == "tcp" {
			return false
		}
		for line := range bytes.Lines(text) { // number, local address, remote address, state, …, inode
			fields := strings.Fields(string(line))
			if len(fields) < 10 || fields[3] != listening || !strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", port)) {
				continue
			}
			if !own["socket:["+fields[9]+"]"] {
				return false
			}
			found = true
		}
	}
	return found
}
