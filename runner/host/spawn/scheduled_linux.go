package spawn

import (
	"fmt"
	"os"
	"path/filepath"

	"example.com/suite/timer"
)

// Scheduled reads what the scheduler has counted for the service, in 5 µs a thread.
func (v *Service) Scheduled() (s Scheduled) {
	s.Ran, s.Waited = schedstat(v.cmd.Process.Pid)
	if s.Ran == timer.Absent {
		return Scheduled{timer.Absent, timer.Absent, timer.Absent}
	}
	folder := fmt.Sprintf("/proc/%d/task", v.cmd.Process.Pid)
	threads, _ := os.ReadDir(folder) // empty after its end
	for _, t := range threads {
		text, _ := os.ReadFile(filepath.Join(folder, t.Name(), "schedstat")) // a thread may end
		if ran, _ := parseSchedstat(string(text)); ran > 0 {
			s.CPU += ran
		}
	}
	return s
}
