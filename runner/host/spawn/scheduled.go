package spawn

import "example.com/suite/timer"

// Scheduled is what the scheduler has counted for a process, ns; timer.Absent if it is not known.
type Scheduled struct {
	Ran, Waited int64 // its first thread: on a CPU, and ready without one
	CPU         int64 // all of its threads that live, on a CPU
}

// Since is what was counted after an earlier reading.
func (s Scheduled) Since(before Scheduled) Scheduled {
	since := func(now, then int64) int64 {
		if now == timer.Absent || then == timer.Absent {
			return timer.Absent
		}
		return now - then
	}
	return Scheduled{since(s.Ran, before.Ran), since(s.Waited, before.Waited), since(s.CPU, before.CPU)}
}
