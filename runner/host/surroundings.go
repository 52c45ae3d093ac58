package host

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// surroundings are what measured code may change for its whole process, and so
// for every other case in it. Each case keeps what it made for itself.
type surroundings struct {
	procs, percent int   // GOMAXPROCS and GOGC, -1 for off
	memory         int64 // GOMEMLIMIT, bytes
	dir            string
}

// look reads the surroundings, through runtime/metrics because the functions
// of runtime/debug stop the world: 1 µs for all of them.
func look() (s surroundings) {
	read := []metrics.Sample{{Name: "/sched/gomaxprocs:threads"}, {Name: "/gc/gogc:percent"},
		{Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(read)
	s.procs = int(read[0].Value.Uint64())
	s.percent = -1
	s.memory = int64(min(read[2].Value.Uint64(), math.MaxInt64))
	if percent := read[1].Value.Uint64(); percent <= math.MaxInt32 {
		s.percent = int(percent)
	}
	s.dir, _ = os.Getwd() // a folder that is gone is none to come back to
	return s
}

// become changes the process from these surroundings to others.
func (s surroundings) become(other surroundings) {
	if s.procs != other.procs {
		runtime.GOMAXPROCS(other.procs)
	}
	if s.percent != other.percent {
		debug.SetGCPercent(other.percent)
	}
	if s.memory != other.memory {
		debug.SetMemoryLimit(other.memory)
	}
	if s.dir != other.dir && other.dir != "" {
		_ = os.Chdir(other.dir) // removed meanwhile: then the body has to live with that
	}
}

// inside runs measured code in the surroundings that its case left last time, and
// restores the host's own after it.
func (f *function) inside(run func()) {
	before := look()
	if f.own != nil {
		before.become(*f.own)
	}
	run()
	after := look()
	f.own = &after
	after.become(before)
}
