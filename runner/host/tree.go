package host

import "example.com/suite/timer"

// usage is what a whole tree of processes has used, also those that nobody waited
// for; timer.Absent where it is not known.
type usage struct {
	cpu    int64 // ns
	wait   int64 // ns in which some of its threads were ready and had no CPU
	memory int64 // bytes: the peak, with the files that it brought into the cache
}

var unknown = usage{timer.Absent, timer.Absent, timer.Absent}
