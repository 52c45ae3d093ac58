package probe

import (
	"io/fs"
	"strconv"
	"strings"

	"example.com/suite/stats"
	"example.com/suite/timer"
)

// Processor contains the shares of processor time that the spin loop lost, by cause.
type Processor struct {
	// Steal is the share of the time of all CPUs that the hypervisor gave to
	// other machines, Others the share that other processes of this machine used.
	Steal  *float64 `json:"steal,omitempty"`
	Others *float64 `json:"others,omitempty"`
	// Waited is the share of its time that the loop was ready and had no CPU.
	Waited *float64 `json:"waited,omitempty"`
	// Switches is the number of involuntary context switches, Disturbed the share
	// of batches of 1 ms that had one.
	Switches  *int64   `json:"switches,omitempty"`
	Disturbed *float64 `json:"disturbed,omitempty"`
	// Stalled is the share of batches that had no such switch and took more than
	// 1.5 times the median: the hypervisor or the firmware had the processor.
	Stalled *float64 `json:"stalled,omitempty"`
}

const stall = 1.5 // medians

// usage contains sums over the first line of /proc/stat, in its unit, and the number
// of CPUs. Only ratios of the sums are used.
type usage struct{ busy, steal, total, cpus float64 }

// readUsage reads /proc/stat, false if there is none or it is malformed.
func readUsage(files fs.FS) (usage, bool) {
	text, ok := file(files, "proc/stat")
	if !ok {
		return usage{}, false
	}
	return parseUsage(text)
}

// parseUsage adds up user, nice, system, idle, iowait, irq, softirq and steal. The two
// numbers after them, of guests, are already part of user and nice.
func parseUsage(text string) (u usage, ok bool) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) < 9 || !strings.HasPrefix(fields[0], "cpu"):
		case fields[0] != "cpu":
			u.cpus++
		default:
			for i, field := range fields[1:9] {
				x, err := strconv.ParseFloat(field, 64)
				if err != nil {
					return usage{}, false
				}
				u.addColumn(i, x)
			}
		}
	}
	return u, u.total > 0 && u.cpus > 0
}

func (u *usage) addColumn(column int, x float64) {
	const idle, iowait, steal = 3, 4, 7
	u.total += x
	switch column {
	case idle, iowait:
	case steal:
		u.steal += x
	default:
		u.busy += x
	}
}

func (u usage) since(before usage) usage {
	return usage{u.busy - before.busy, u.steal - before.steal, u.total - before.total, u.cpus}
}

func (s *spinning) taken() (p Processor) {
	wall := float64(s.elapsed)
	if s.read {
		p.Steal = share(s.machine.steal, s.machine.total)
	}
	if busy := share(s.machine.busy, s.machine.total); s.read && busy != nil && s.cpu != timer.Absent {
		p.Others = share(*busy-float64(s.cpu)/wall/s.machine.cpus, 1)
	}
	if s.waited != timer.Absent {
		p.Waited = share(float64(s.waited), wall)
	}
	if s.switches != timer.Absent {
		lost := 0
		for _, l := range s.lost {
			if l {
				lost++
			}
		}
		p.Switches, p.Disturbed = &s.switches, share(float64(lost), float64(len(s.xs)))
	}
	p.Stalled = s.stalled()
	return p
}

func (s *spinning) stalled() *float64 {
	middle, count := stats.Median(s.xs), 0
	for i, x := range s.xs {
		if !s.lost[i] && x > stall*middle {
			count++
		}
	}
	return share(float64(count), float64(len(s.xs)))
}
