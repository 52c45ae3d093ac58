package orphan

import "sync"

// here is what is known of the children of this process. It belongs to the
// process, as the kernel's list of its children does: who kills an orphan must
// know every process that was started on purpose.
var here = family{started: map[int]bool{}, kept: map[int]uint64{}}

type family struct {
	mu      sync.Mutex
	name    string // of the domain
	adopts  bool
	started map[int]bool   // by Start
	keeping int            // calls of Keep that are not done
	kept    map[int]uint64 // what those left, with the times at which they began
}
