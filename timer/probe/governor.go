package probe

import (
	"io/fs"
)

// Settings are the processor's settings. A setting that is not readable here is absent.
type Settings struct {
	Governors map[string]int `json:"governors,omitempty"` // CPUs by the governor of their frequency
	Turbo     *bool          `json:"turbo,omitempty"`     // frequencies above the nominal one are allowed
	SMT       *bool          `json:"smt,omitempty"`       // several hardware threads share a core
}

const cpus = "sys/devices/system/cpu/"

func settings(files fs.FS) (s Settings) {
	names, _ := fs.Glob(files, cpus+"cpu[0-9]*/cpufreq/scaling_governor")
	for _, name := range names {
		if governor, ok := file(files, name); ok && governor != "" {
			if s.Governors == nil {
				s.Governors = map[string]int{}
			}
			s.Governors[governor]++
		}
	}
	s.SMT = bit(files, cpus+"smt/active")
	if off := bit(files, cpus+"intel_pstate/no_turbo"); off != nil {
		on := !*off
		s.Turbo = &on
	} else {
		s.Turbo = bit(files, cpus+"cpufreq/boost")
	}
	return s
}

// bit reads a file that contains 0 or 1; nil for anything else.
func bit(files fs.FS, name string) *bool {
	text, _ := file(files, name)
	if text != "0" && text != "1" {
		return nil
	}
	on := text == "1"
	return &on
}
