//go:build !linux || !(amd64 || arm64)

package host

import (
	"os"

	"example.com/suite/timer"
)

// spawning is nothing here: a host starts its commands itself.
type spawning struct{}

func (*spawning) close() {}

func (*spawning) abandon() {}

func (h *Host) bySpawner(*command, string, []string, *os.File, *os.File) (r run, ok bool, err error) {
	return r, false, nil
}

// unpinned returns why runs cannot be kept on one CPU.
func (h *Host) unpinned() string { return "that needs Linux on amd64 or arm64" }

func (h *Host) peak() int64 { return peakMemory() }

func (h *Host) programs() timer.Scope { return timer.Children }
