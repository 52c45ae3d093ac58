package machine

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"example.com/suite/result"
	"github.com/prometheus/procfs"
)

// details reads the rest of the fingerprint from procfs. What cannot be read is left out:
// a container may hide any of it.
func details(m *result.Machine) {
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel = strings.TrimSpace(string(text))
	}
	proc, err := procfs.NewDefaultFS()
	if err != nil {
		return
	}
	if cpus, err := proc.CPUInfo(); err == nil && len(cpus) > 0 {
		m.CPU = cpus[0].ModelName
		if slices.Contains(cpus[0].Flags, "hypervisor") {
			m.Virtual = "hypervisor"
		}
	}
	if memory, err := proc.Meminfo(); err == nil && memory.MemTotalBytes != nil {
		m.Memory = int64(*memory.MemTotalBytes)
	}
	if load, err := proc.LoadAvg(); err == nil {
		m.Load = fmt.Sprintf("%.2f %.2f %.2f", load.Load1, load.Load5, load.Load15)
	}
}
