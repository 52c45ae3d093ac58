//go:build amd64 || arm64

package spawn

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhatStartsRunsStaysOnOneCPU(t *testing.T) {
	all, cpus := lastCPU()
	if cpus < 2 {
		t.Skip("there is one CPU only")
	}
	s := starter(t)
	for _, pin := range []string{Starting, "off", Pinned, "off"} {
		job := shell(t, "exit 0")
		job.Pin = pin
		if _, err := s.Run(job); err != nil {
			t.Fatal(err)
		}
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(s.PID(), &set); err != nil {
			t.Fatal(err)
		}
		if n := set.Count(); (n == 1) != (pin != "off") || !set.IsSet(int(all-1)) {
			t.Errorf("pin: %s: what starts runs may use %d CPUs of %d", pin, n, cpus)
		}
	}
}
